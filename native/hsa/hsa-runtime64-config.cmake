# find_package(hsa-runtime64): the target that ROCm's package defines.
get_filename_component(_hsa_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(hsa-runtime64_INCLUDE_DIRS "${_hsa_prefix}/include")
set(hsa-runtime64_LIBRARIES hsa-runtime64::hsa-runtime64)
if(NOT TARGET hsa-runtime64::hsa-runtime64)
  add_library(hsa-runtime64::hsa-runtime64 SHARED IMPORTED)
  set_target_properties(hsa-runtime64::hsa-runtime64 PROPERTIES
    IMPORTED_LOCATION "${_hsa_prefix}/lib/libhsa-runtime64.so.1"
    IMPORTED_SONAME "libhsa-runtime64.so.1"
    INTERFACE_INCLUDE_DIRECTORIES "${_hsa_prefix}/include")
endif()
set(hsa-runtime64_FOUND TRUE)
unset(_hsa_prefix)
