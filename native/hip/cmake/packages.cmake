# Installs what find_package(hip), find_package(hiprtc) and the language HIP look for.
include(CMakePackageConfigHelpers)
set(HIP_PACKAGE_VERSION 7.1.25424)  # HIP_VERSION of hip/hip_version.h
foreach(package hip hip-lang hiprtc)
  write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/${package}-config-version.cmake
    VERSION ${HIP_PACKAGE_VERSION} COMPATIBILITY AnyNewerVersion)
  install(FILES cmake/${package}-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/${package}-config-version.cmake
    DESTINATION ${VROCM_INSTALL_DIR}/lib/cmake/${package})
endforeach()
install(FILES cmake/hip-targets.cmake cmake/hip-add-target.cmake cmake/FindHIP.cmake
  DESTINATION ${VROCM_INSTALL_DIR}/lib/cmake/hip)
