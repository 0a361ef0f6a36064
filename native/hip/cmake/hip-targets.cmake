# Imported targets of the HIP runtime. hip_PREFIX is set by the includer.
if(NOT TARGET hip::amdhip64)
  add_library(hip::amdhip64 SHARED IMPORTED)
  set_target_properties(hip::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${hip_PREFIX}/lib/libamdhip64.so.7"
    IMPORTED_SONAME "libamdhip64.so.7"
    INTERFACE_INCLUDE_DIRECTORIES "${hip_PREFIX}/include"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${hip_PREFIX}/include"
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1;__HIP_PLATFORM_HCC__=1")

  # Host code that calls the HIP API; any C++ compiler will do.
  add_library(hip::host INTERFACE IMPORTED)
  set_target_properties(hip::host PROPERTIES INTERFACE_LINK_LIBRARIES hip::amdhip64)
endif()

if(NOT TARGET hip::device)
  # C++ sources with kernels; the C++ compiler must be hipcc or the clang++ of this prefix.
  if(GPU_TARGETS)
    set(_hip_targets ${GPU_TARGETS})
  elseif(AMDGPU_TARGETS)
    set(_hip_targets ${AMDGPU_TARGETS})
  else()
    set(_hip_targets gfx942)
  endif()
  set(GPU_TARGETS "${_hip_targets}" CACHE STRING "GPU architectures to compile for")
  set(AMDGPU_TARGETS "${_hip_targets}" CACHE STRING "GPU architectures to compile for")
  set(_hip_options "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-x hip>")
  foreach(_hip_target IN LISTS _hip_targets)
    list(APPEND _hip_options "$<$<COMPILE_LANGUAGE:CXX>:--offload-arch=${_hip_target}>")
  endforeach()
  add_library(hip::device INTERFACE IMPORTED)
  set_target_properties(hip::device PROPERTIES
    INTERFACE_COMPILE_OPTIONS "${_hip_options}"
    INTERFACE_LINK_LIBRARIES "hip::host;$<$<LINK_LANGUAGE:CXX>:--hip-link>")
  unset(_hip_options)
  unset(_hip_target)
  unset(_hip_targets)
endif()
