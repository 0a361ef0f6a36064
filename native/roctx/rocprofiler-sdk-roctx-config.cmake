# find_package(rocprofiler-sdk-roctx) in a prefix of the virtual ROCm.
get_filename_component(_roctx_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET rocprofiler-sdk-roctx::rocprofiler-sdk-roctx-shared-library)
  add_library(rocprofiler-sdk-roctx::rocprofiler-sdk-roctx-shared-library SHARED IMPORTED)
  set_target_properties(rocprofiler-sdk-roctx::rocprofiler-sdk-roctx-shared-library PROPERTIES
    IMPORTED_LOCATION "${_roctx_prefix}/lib/librocprofiler-sdk-roctx.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_roctx_prefix}/include")
  add_library(rocprofiler-sdk-roctx::rocprofiler-sdk-roctx INTERFACE IMPORTED)
  set_target_properties(rocprofiler-sdk-roctx::rocprofiler-sdk-roctx PROPERTIES
    INTERFACE_LINK_LIBRARIES rocprofiler-sdk-roctx::rocprofiler-sdk-roctx-shared-library)
endif()
