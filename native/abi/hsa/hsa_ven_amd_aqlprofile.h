/* AMD AQL profile extension: declarations. The runtime does not provide the library. */
#ifndef HSA_VEN_AMD_AQLPROFILE_H_
#define HSA_VEN_AMD_AQLPROFILE_H_

#include "hsa.h"

#define HSA_AQLPROFILE_VERSION_MAJOR 2
#define HSA_AQLPROFILE_VERSION_MINOR 0

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    HSA_VEN_AMD_AQLPROFILE_EVENT_TYPE_PMC = 0,
    HSA_VEN_AMD_AQLPROFILE_EVENT_TYPE_TRACE = 1
} hsa_ven_amd_aqlprofile_event_type_t;

// clang-format off
#define HSA_AQLPROFILE_BLOCKS(F)                                                                                  \
    F(CPC) F(CPF) F(GDS) F(GRBM) F(GRBMSE) F(SPI) F(SQ) F(SQCS) F(SRBM) F(SX) F(TA) F(TCA) F(TCC) F(TCP) F(TD)     \
    F(MCARB) F(MCHUB) F(MCMCBVM) F(MCSEQ) F(MCVML2) F(MCXBAR) F(ATC) F(ATCL2) F(GCEA) F(RPB) F(SDMA) F(GL1A)       \
    F(GL1C) F(GL2A) F(GL2C) F(GCR) F(GUS)
// clang-format on
typedef enum { /* numbered from 0 in this order */
#define HSA_AQLPROFILE_BLOCK(name) HSA_VEN_AMD_AQLPROFILE_BLOCK_NAME_##name,
               HSA_AQLPROFILE_BLOCKS(HSA_AQLPROFILE_BLOCK)
#undef HSA_AQLPROFILE_BLOCK
                   HSA_VEN_AMD_AQLPROFILE_BLOCKS_NUMBER
} hsa_ven_amd_aqlprofile_block_name_t;

typedef struct {
    hsa_ven_amd_aqlprofile_block_name_t block_name;
    uint32_t block_index;
    uint32_t counter_id;
} hsa_ven_amd_aqlprofile_event_t;

typedef enum {
    HSA_VEN_AMD_AQLPROFILE_PARAMETER_NAME_COMPUTE_UNIT_TARGET = 0,
    HSA_VEN_AMD_AQLPROFILE_PARAMETER_NAME_VM_ID_MASK = 1,
    HSA_VEN_AMD_AQLPROFILE_PARAMETER_NAME_MASK = 2,
    HSA_VEN_AMD_AQLPROFILE_PARAMETER_NAME_TOKEN_MASK = 3,
    HSA_VEN_AMD_AQLPROFILE_PARAMETER_NAME_TOKEN_MASK2 = 4,
    HSA_VEN_AMD_AQLPROFILE_PARAMETER_NAME_SE_MASK = 5,
    HSA_VEN_AMD_AQLPROFILE_PARAMETER_NAME_SAMPLE_RATE = 6,
    HSA_VEN_AMD_AQLPROFILE_PARAMETER_NAME_K_CONCURRENT = 7
} hsa_ven_amd_aqlprofile_parameter_name_t;

typedef struct {
    hsa_ven_amd_aqlprofile_parameter_name_t parameter_name;
    uint32_t value;
} hsa_ven_amd_aqlprofile_parameter_t;

typedef struct {
    void* ptr;
    uint32_t size;
} hsa_ven_amd_aqlprofile_descriptor_t;

typedef struct {
    hsa_agent_t agent;
    hsa_ven_amd_aqlprofile_event_type_t type;
    const hsa_ven_amd_aqlprofile_event_t* events;
    uint32_t event_count;
    const hsa_ven_amd_aqlprofile_parameter_t* parameters;
    uint32_t parameter_count;
    hsa_ven_amd_aqlprofile_descriptor_t output_buffer;
    hsa_ven_amd_aqlprofile_descriptor_t command_buffer;
} hsa_ven_amd_aqlprofile_profile_t;

typedef struct {
    uint16_t header;
    uint16_t pm4_command[27];
    hsa_signal_t completion_signal;
} hsa_ext_amd_aql_pm4_packet_t;

typedef struct {
    uint32_t sample_id;
    union {
        struct {
            hsa_ven_amd_aqlprofile_event_t event;
            uint64_t result;
        } pmc_data;
        hsa_ven_amd_aqlprofile_descriptor_t trace_data;
    };
} hsa_ven_amd_aqlprofile_info_data_t;

typedef struct {
    const char* name;
    uint32_t id;
    uint32_t instance_count;
} hsa_ven_amd_aqlprofile_id_query_t;

typedef enum {
    HSA_VEN_AMD_AQLPROFILE_INFO_COMMAND_BUFFER_SIZE = 0,
    HSA_VEN_AMD_AQLPROFILE_INFO_PMC_DATA_SIZE = 1,
    HSA_VEN_AMD_AQLPROFILE_INFO_PMC_DATA = 2,
    HSA_VEN_AMD_AQLPROFILE_INFO_TRACE_DATA = 3,
    HSA_VEN_AMD_AQLPROFILE_INFO_BLOCK_COUNTERS = 4,
    HSA_VEN_AMD_AQLPROFILE_INFO_BLOCK_ID = 5,
    HSA_VEN_AMD_AQLPROFILE_INFO_ENABLE_CMD = 6,
    HSA_VEN_AMD_AQLPROFILE_INFO_DISABLE_CMD = 7
} hsa_ven_amd_aqlprofile_info_type_t;

typedef hsa_status_t (*hsa_ven_amd_aqlprofile_data_callback_t)(hsa_ven_amd_aqlprofile_info_type_t info_type,
                                                               hsa_ven_amd_aqlprofile_info_data_t* info_data,
                                                               void* callback_data);

#define HSA_AQLPROFILE_FUNCTIONS(F)                                                                                 \
    F(uint32_t, hsa_ven_amd_aqlprofile_version_major, (void))                                                       \
    F(uint32_t, hsa_ven_amd_aqlprofile_version_minor, (void))                                                       \
    F(hsa_status_t, hsa_ven_amd_aqlprofile_error_string, (const char** str))                                        \
    F(hsa_status_t, hsa_ven_amd_aqlprofile_validate_event,                                                          \
      (hsa_agent_t agent, const hsa_ven_amd_aqlprofile_event_t* event, bool* result))                               \
    F(hsa_status_t, hsa_ven_amd_aqlprofile_start,                                                                   \
      (hsa_ven_amd_aqlprofile_profile_t * profile, hsa_ext_amd_aql_pm4_packet_t * aql_start_packet))                \
    F(hsa_status_t, hsa_ven_amd_aqlprofile_stop,                                                                    \
      (const hsa_ven_amd_aqlprofile_profile_t* profile, hsa_ext_amd_aql_pm4_packet_t* aql_stop_packet))             \
    F(hsa_status_t, hsa_ven_amd_aqlprofile_read,                                                                    \
      (const hsa_ven_amd_aqlprofile_profile_t* profile, hsa_ext_amd_aql_pm4_packet_t* aql_read_packet))             \
    F(hsa_status_t, hsa_ven_amd_aqlprofile_legacy_get_pm4,                                                          \
      (const hsa_ext_amd_aql_pm4_packet_t* aql_packet, void* data))                                                 \
    F(hsa_status_t, hsa_ven_amd_aqlprofile_get_info,                                                                \
      (const hsa_ven_amd_aqlprofile_profile_t* profile, hsa_ven_amd_aqlprofile_info_type_t attribute, void* value)) \
    F(hsa_status_t, hsa_ven_amd_aqlprofile_iterate_data,                                                            \
      (const hsa_ven_amd_aqlprofile_profile_t* profile, hsa_ven_amd_aqlprofile_data_callback_t callback, void* data))

#define HSA_AQLPROFILE_DECLARE(result, name, parameters) result HSA_API name parameters;
#define HSA_AQLPROFILE_MEMBER(result, name, parameters) result(*name) parameters;
HSA_AQLPROFILE_FUNCTIONS(HSA_AQLPROFILE_DECLARE)
#define hsa_ven_amd_aqlprofile_VERSION_MAJOR 1
typedef struct hsa_ven_amd_aqlprofile_1_00_pfn_s {
    HSA_AQLPROFILE_FUNCTIONS(HSA_AQLPROFILE_MEMBER)
} hsa_ven_amd_aqlprofile_1_00_pfn_t;
typedef hsa_ven_amd_aqlprofile_1_00_pfn_t hsa_ven_amd_aqlprofile_pfn_t;
#undef HSA_AQLPROFILE_DECLARE
#undef HSA_AQLPROFILE_MEMBER

#ifdef __cplusplus
}
#endif
#endif
