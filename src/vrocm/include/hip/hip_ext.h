/* AMD extensions of the launch functions: grids in work-items, and events around one kernel. */
#ifndef HIP_INCLUDE_HIP_HIP_EXT_H
#define HIP_INCLUDE_HIP_HIP_EXT_H

#include <hip/hip_runtime.h>
#if defined(__cplusplus)
#include <cstdint>
#endif

#ifdef __cplusplus
extern "C" {
#endif
HIP_PUBLIC_API
hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY,
                                    uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream,
                                    void** kernelParams, void** extra, hipEvent_t startEvent __dparm(NULL),
                                    hipEvent_t stopEvent __dparm(NULL), uint32_t flags __dparm(0));
HIP_PUBLIC_API
hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY,
                                    uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream,
                                    void** kernelParams, void** extra, hipEvent_t startEvent __dparm(NULL),
                                    hipEvent_t stopEvent __dparm(NULL))
    HIP_DEPRECATED("use hipExtModuleLaunchKernel instead");
#ifdef __cplusplus
}

namespace hip_detail {
template <class... Formal>
inline hipError_t ext_launch(void (*kernel)(Formal...), const dim3& numBlocks, const dim3& dimBlocks,
                             std::uint32_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent,
                             hipEvent_t stopEvent, std::uint32_t flags, Formal... converted) {
    void* args[sizeof...(Formal) + 1] = {
        const_cast<void*>(reinterpret_cast<const void*>(&reinterpret_cast<const char&>(converted)))..., nullptr};
    return hipExtLaunchKernel(reinterpret_cast<const void*>(kernel), numBlocks, dimBlocks, args, sharedMemBytes,
                              stream, startEvent, stopEvent, static_cast<int>(flags));
}
}  // namespace hip_detail

/* Arguments are converted to the kernel's parameter types before their addresses are taken. */
template <class... Formal, class... Actual>
inline void hipExtLaunchKernelGGL(void (*kernel)(Formal...), const dim3& numBlocks, const dim3& dimBlocks,
                                  std::uint32_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent,
                                  hipEvent_t stopEvent, std::uint32_t flags, Actual&&... actual) {
    static_assert(sizeof...(Formal) == sizeof...(Actual), "wrong number of kernel arguments");
    (void)hip_detail::ext_launch<Formal...>(kernel, numBlocks, dimBlocks, sharedMemBytes, stream, startEvent,
                                            stopEvent, flags, static_cast<Actual&&>(actual)...);
}
#endif

#endif
