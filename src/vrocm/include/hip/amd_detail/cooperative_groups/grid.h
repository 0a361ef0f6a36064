/* Groups from the whole launch down to one block. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_COOPERATIVE_GROUPS_GRID_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_COOPERATIVE_GROUPS_GRID_H

#include <hip/hip_runtime.h>

namespace cooperative_groups {

namespace internal {

enum group_type { cg_invalid, cg_multi_grid, cg_grid, cg_workgroup, cg_tiled_group, cg_coalesced_group };

struct group_access;

VROCM_DEVICE unsigned int block_size() { return blockDim.x * blockDim.y * blockDim.z; }
VROCM_DEVICE unsigned int rank_in_block() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
VROCM_DEVICE unsigned int blocks_in_grid() { return gridDim.x * gridDim.y * gridDim.z; }
VROCM_DEVICE unsigned int rank_of_block() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
/* Lanes of the aligned tile of `size` lanes that this lane is in. */
VROCM_DEVICE unsigned long long tile_mask(unsigned int size) {
    const unsigned long long lanes = size >= 64 ? ~0ull : (1ull << size) - 1;
    return lanes << (__lane_id() & ~(size - 1));
}
VROCM_DEVICE __attribute__((convergent)) void sync_wave() { __syncwarp(); }

}  // namespace internal

/* Any group, its kind known at run time only. */
class thread_group {
  protected:
    internal::group_type type_;
    unsigned int size_;
    unsigned long long mask_; /* tiles and coalesced groups: their lanes */

    __device__ explicit thread_group(internal::group_type type, unsigned int size = 0, unsigned long long mask = 0)
        : type_(type), size_(size), mask_(mask) {}
    friend struct internal::group_access;

  public:
    __device__ unsigned int num_threads() const;
    __device__ unsigned int size() const { return num_threads(); }
    __device__ unsigned int thread_rank() const;
    __device__ bool is_valid() const;
    __device__ __attribute__((convergent)) void sync() const;
    __device__ unsigned int cg_type() const { return type_; }
};

/* All devices of a multi-device cooperative launch. */
class multi_grid_group : public thread_group {
    __device__ multi_grid_group() : thread_group(internal::cg_multi_grid) {}
    friend __device__ inline multi_grid_group this_multi_grid();

  public:
    __device__ unsigned int num_grids() const { return __ockl_multi_grid_num_grids(); }
    __device__ unsigned int grid_rank() const { return __ockl_multi_grid_grid_rank(); }
    __device__ unsigned int num_threads() const { return __ockl_multi_grid_size(); }
    __device__ unsigned int size() const { return num_threads(); }
    __device__ unsigned int thread_rank() const { return __ockl_multi_grid_thread_rank(); }
    __device__ bool is_valid() const { return __ockl_multi_grid_is_valid(); }
    __device__ __attribute__((convergent)) void sync() const { __ockl_multi_grid_sync(); }
};
__device__ inline multi_grid_group this_multi_grid() { return multi_grid_group(); }

/* All blocks of a cooperative launch. */
class grid_group : public thread_group {
    __device__ grid_group() : thread_group(internal::cg_grid) {}
    friend __device__ inline grid_group this_grid();

  public:
    __device__ unsigned int num_threads() const { return internal::blocks_in_grid() * internal::block_size(); }
    __device__ unsigned int size() const { return num_threads(); }
    __device__ unsigned int thread_rank() const {
        return internal::rank_of_block() * internal::block_size() + internal::rank_in_block();
    }
    __device__ bool is_valid() const { return __ockl_grid_is_valid(); }
    __device__ __attribute__((convergent)) void sync() const { __ockl_grid_sync(); }
    __device__ dim3 group_dim() const { return gridDim; }
    __device__ dim3 dim_blocks() const { return gridDim; }
    __device__ dim3 block_index() const { return blockIdx; }
    __device__ unsigned int num_blocks() const { return internal::blocks_in_grid(); }
    __device__ unsigned int block_rank() const { return internal::rank_of_block(); }
};
__device__ inline grid_group this_grid() { return grid_group(); }

class thread_block : public thread_group {
    __device__ thread_block() : thread_group(internal::cg_workgroup) {}
    friend __device__ inline thread_block this_thread_block();

  public:
    __device__ static unsigned int num_threads() { return internal::block_size(); }
    __device__ static unsigned int size() { return internal::block_size(); }
    __device__ static unsigned int thread_rank() { return internal::rank_in_block(); }
    __device__ static dim3 group_index() { return blockIdx; }
    __device__ static dim3 thread_index() { return threadIdx; }
    __device__ static dim3 group_dim() { return blockDim; }
    __device__ static dim3 dim_threads() { return blockDim; }
    __device__ bool is_valid() const { return true; }
    __device__ __attribute__((convergent)) static void sync() { __syncthreads(); }
};
__device__ inline thread_block this_thread_block() { return thread_block(); }

/* What every group answers, as functions. */
template <class Group>
__device__ inline unsigned int group_size(const Group& group) {
    return group.size();
}
template <class Group>
__device__ inline unsigned int thread_rank(const Group& group) {
    return group.thread_rank();
}
template <class Group>
__device__ inline bool is_valid(const Group& group) {
    return group.is_valid();
}
template <class Group>
__device__ inline __attribute__((convergent)) void sync(const Group& group) {
    group.sync();
}

}  // namespace cooperative_groups

#endif
