# find_package(hiprtc): run-time compilation.
get_filename_component(_hiprtc_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET hiprtc::hiprtc)
  add_library(hiprtc::hiprtc SHARED IMPORTED)
  set_target_properties(hiprtc::hiprtc PROPERTIES
    IMPORTED_LOCATION "${_hiprtc_prefix}/lib/libhiprtc.so.7"
    IMPORTED_SONAME "libhiprtc.so.7"
    INTERFACE_INCLUDE_DIRECTORIES "${_hiprtc_prefix}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_hiprtc_prefix}/include"
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1;__HIP_PLATFORM_HCC__=1")
endif()
set(hiprtc_FOUND TRUE)
unset(_hiprtc_prefix)
