/* Launching kernels and declaring what they share. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_KERNEL_LAUNCH_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_KERNEL_LAUNCH_H

#include <hip/amd_detail/launch/dim3.h>
#include <hip/hip_runtime_api.h>

/* __launch_bounds__(max threads per block) or __launch_bounds__(max threads per block, min waves per SIMD) */
#define VROCM_LAUNCH_BOUNDS_1(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define VROCM_LAUNCH_BOUNDS_2(threads, waves) \
    __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#define VROCM_SELECT_THIRD(first, second, third, ...) third
#define __launch_bounds__(...) \
    VROCM_SELECT_THIRD(__VA_ARGS__, VROCM_LAUNCH_BOUNDS_2, VROCM_LAUNCH_BOUNDS_1, )(__VA_ARGS__)

#define HIP_DYNAMIC_SHARED(type, var) extern __shared__ type var[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(X) X

#if defined(HIP_TEMPLATE_KERNEL_LAUNCH)
/* As a function: the compiler checks the arguments against the kernel's parameters. */
template <class... Parameters, class... Arguments>
inline void hipLaunchKernelGGL(void (*kernel)(Parameters...), const dim3& numBlocks, const dim3& dimBlocks,
                               unsigned int sharedMemBytes, hipStream_t stream, Arguments... arguments) {
    kernel<<<numBlocks, dimBlocks, sharedMemBytes, stream>>>(static_cast<Parameters>(arguments)...);
}
#else
#define hipLaunchKernelGGLInternal(kernelName, numBlocks, numThreads, memPerBlock, streamId, ...) \
    do {                                                                                          \
        kernelName<<<(numBlocks), (numThreads), (memPerBlock), (streamId)>>>(__VA_ARGS__);        \
    } while (0)
#define hipLaunchKernelGGL(kernelName, ...) hipLaunchKernelGGLInternal((kernelName), __VA_ARGS__)
#endif

#endif
