# What CMake asks for when a project enables the language HIP.
get_filename_component(hip_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET hip-lang::amdhip64)
  add_library(hip-lang::amdhip64 SHARED IMPORTED)
  set_target_properties(hip-lang::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${hip_PREFIX}/lib/libamdhip64.so.7"
    IMPORTED_SONAME "libamdhip64.so.7"
    INTERFACE_INCLUDE_DIRECTORIES "$<$<COMPILE_LANGUAGE:HIP>:${hip_PREFIX}/include>"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "$<$<COMPILE_LANGUAGE:HIP>:${hip_PREFIX}/include>")
  add_library(hip-lang::device INTERFACE IMPORTED)
  set_target_properties(hip-lang::device PROPERTIES
    INTERFACE_LINK_LIBRARIES "$<$<LINK_LANGUAGE:HIP>:--hip-link>;hip-lang::amdhip64")
endif()
# CMake links this target into everything whose linker language is HIP.
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET "hip-lang::device")
set(hip-lang_FOUND TRUE)
