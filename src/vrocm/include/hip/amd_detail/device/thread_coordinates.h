/* threadIdx, blockIdx, blockDim, gridDim: objects whose members are computed when they are read. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_THREAD_COORDINATES_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_THREAD_COORDINATES_H

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/amd_detail/launch/dim3.h>
#include <vrocm/device/library_functions.h>

#define VROCM_COORDINATES(type, read_x, read_y, read_z)                                                \
    struct type {                                                                                      \
        __device__ __attribute__((const, always_inline)) unsigned int get_x() const { return read_x; } \
        __device__ __attribute__((const, always_inline)) unsigned int get_y() const { return read_y; } \
        __device__ __attribute__((const, always_inline)) unsigned int get_z() const { return read_z; } \
        __declspec(property(get = get_x)) unsigned int x;                                              \
        __declspec(property(get = get_y)) unsigned int y;                                              \
        __declspec(property(get = get_z)) unsigned int z;                                              \
        __device__ operator dim3() const { return dim3(x, y, z); }                                     \
        __device__ operator uint3() const { return uint3(x, y, z); }                                   \
    }
VROCM_COORDINATES(__hip_builtin_threadIdx_t, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
                  __builtin_amdgcn_workitem_id_z());
VROCM_COORDINATES(__hip_builtin_blockIdx_t, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
                  __builtin_amdgcn_workgroup_id_z());
VROCM_COORDINATES(__hip_builtin_blockDim_t, (unsigned int)__ockl_get_local_size(0),
                  (unsigned int)__ockl_get_local_size(1), (unsigned int)__ockl_get_local_size(2));
VROCM_COORDINATES(__hip_builtin_gridDim_t, (unsigned int)__ockl_get_num_groups(0),
                  (unsigned int)__ockl_get_num_groups(1), (unsigned int)__ockl_get_num_groups(2));
#undef VROCM_COORDINATES

/* Nothing of them is ever stored: all members are properties. */
extern const __device__ __attribute__((weak)) __hip_builtin_threadIdx_t threadIdx;
extern const __device__ __attribute__((weak)) __hip_builtin_blockIdx_t blockIdx;
extern const __device__ __attribute__((weak)) __hip_builtin_blockDim_t blockDim;
extern const __device__ __attribute__((weak)) __hip_builtin_gridDim_t gridDim;

/* Names from before HIP shared CUDA's. */
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

#endif
