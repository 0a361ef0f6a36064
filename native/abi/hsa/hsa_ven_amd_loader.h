/* AMD loader extension, versions 1.00 to 1.03. */
#ifndef HSA_VEN_AMD_LOADER_H
#define HSA_VEN_AMD_LOADER_H

#include "hsa.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_NONE = 0,
    HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE = 1,
    HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY = 2
} hsa_ven_amd_loader_code_object_storage_type_t;

typedef struct hsa_ven_amd_loader_segment_descriptor_s {
    hsa_agent_t agent;
    hsa_executable_t executable;
    hsa_ven_amd_loader_code_object_storage_type_t code_object_storage_type;
    const void* code_object_storage_base;
    size_t code_object_storage_size;
    size_t code_object_storage_offset;
    const void* segment_base;
    size_t segment_size;
} hsa_ven_amd_loader_segment_descriptor_t;

typedef enum {
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_PROGRAM = 1,
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT = 2
} hsa_ven_amd_loader_loaded_code_object_kind_t;

typedef enum hsa_ven_amd_loader_loaded_code_object_info_e {
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE = 1,
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND = 2, /* uint32_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT = 3,
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE = 4,        /* uint32_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE = 5, /* uint64_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE = 6, /* uint64_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE = 7,        /* int */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA = 8,                      /* int64_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE = 9,                       /* uint64_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE = 10,                      /* uint64_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH = 11,                     /* uint32_t */
    HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI = 12                             /* char[], not terminated */
} hsa_ven_amd_loader_loaded_code_object_info_t;

/* Each version's table is the one before it with members added at the end. */
#define HSA_LOADER_FUNCTIONS_1_00(F)                                                                    \
    F(hsa_ven_amd_loader_query_host_address, (const void* device_address, const void** host_address))   \
    F(hsa_ven_amd_loader_query_segment_descriptors,                                                     \
      (hsa_ven_amd_loader_segment_descriptor_t * segment_descriptors, size_t* num_segment_descriptors)) \
    F(hsa_ven_amd_loader_query_executable, (const void* device_address, hsa_executable_t* executable))
#define HSA_LOADER_FUNCTIONS_1_01(F)                                                                                  \
    HSA_LOADER_FUNCTIONS_1_00(F)                                                                                      \
    F(hsa_ven_amd_loader_executable_iterate_loaded_code_objects,                                                      \
      (hsa_executable_t executable,                                                                                   \
       hsa_status_t(*callback)(hsa_executable_t executable, hsa_loaded_code_object_t loaded_code_object, void* data), \
       void* data))                                                                                                   \
    F(hsa_ven_amd_loader_loaded_code_object_get_info,                                                                 \
      (hsa_loaded_code_object_t loaded_code_object, hsa_ven_amd_loader_loaded_code_object_info_t attribute,           \
       void* value))
#define HSA_LOADER_FUNCTIONS_1_02(F)                                           \
    HSA_LOADER_FUNCTIONS_1_01(F)                                               \
    F(hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size, \
      (hsa_file_t file, size_t offset, size_t size, hsa_code_object_reader_t* code_object_reader))
#define HSA_LOADER_FUNCTIONS_1_03(F)          \
    HSA_LOADER_FUNCTIONS_1_02(F)              \
    F(hsa_ven_amd_loader_iterate_executables, \
      (hsa_status_t(*callback)(hsa_executable_t executable, void* data), void* data))

#define HSA_LOADER_DECLARE(name, parameters) hsa_status_t HSA_API name parameters;
#define HSA_LOADER_MEMBER(name, parameters) hsa_status_t(*name) parameters;
HSA_LOADER_FUNCTIONS_1_03(HSA_LOADER_DECLARE)

#define hsa_ven_amd_loader 001003
typedef struct hsa_ven_amd_loader_1_00_pfn_s {
    HSA_LOADER_FUNCTIONS_1_00(HSA_LOADER_MEMBER)
} hsa_ven_amd_loader_1_00_pfn_t;
typedef struct hsa_ven_amd_loader_1_01_pfn_s {
    HSA_LOADER_FUNCTIONS_1_01(HSA_LOADER_MEMBER)
} hsa_ven_amd_loader_1_01_pfn_t;
typedef struct hsa_ven_amd_loader_1_02_pfn_s {
    HSA_LOADER_FUNCTIONS_1_02(HSA_LOADER_MEMBER)
} hsa_ven_amd_loader_1_02_pfn_t;
typedef struct hsa_ven_amd_loader_1_03_pfn_s {
    HSA_LOADER_FUNCTIONS_1_03(HSA_LOADER_MEMBER)
} hsa_ven_amd_loader_1_03_pfn_t;
#undef HSA_LOADER_DECLARE
#undef HSA_LOADER_MEMBER

#ifdef __cplusplus
}
#endif
#endif
