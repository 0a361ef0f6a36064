/* Groups within one wave: tiles of a fixed size, and the lanes that happen to be active. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_COOPERATIVE_GROUPS_TILE_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_COOPERATIVE_GROUPS_TILE_H

#include <hip/amd_detail/cooperative_groups/grid.h>

#include <type_traits>

namespace cooperative_groups {

template <unsigned int tile_size, class Parent = void>
class thread_block_tile;
class coalesced_group;

namespace internal {
/* Lets the partition functions see the lanes of a group and make groups of lanes. */
struct group_access {
    __device__ static inline unsigned long long mask(const thread_group& group);
    __device__ static inline group_type type(const thread_group& group);
    __device__ static inline coalesced_group coalesced(unsigned long long mask, unsigned int count = 1,
                                                       unsigned int rank = 0);
    __device__ static inline thread_group tile(unsigned int size);
};
}  // namespace internal

/* The active lanes at the time it is made, ranked from 0 without gaps. */
class coalesced_group : public thread_group {
    unsigned int parent_count_ = 1; /* how many groups a partition made, and which of them this is */
    unsigned int parent_rank_ = 0;

    __device__ explicit coalesced_group(unsigned long long mask, unsigned int count = 1, unsigned int rank = 0)
        : thread_group(internal::cg_coalesced_group, __builtin_popcountll(mask), mask),
          parent_count_(count),
          parent_rank_(rank) {}
    friend struct internal::group_access;

    /* The lane that has this rank. */
    __device__ int lane_of_rank(int rank) const { return mask_ == ~0ull ? rank : __fns64(mask_, 0, rank + 1); }
    /* Lane masks and rank masks: bit i of the latter is the lane of rank i. */
    __device__ unsigned long long ranks_of(unsigned long long lanes) const {
        if (mask_ == ~0ull) return lanes;
        unsigned long long ranks = 0;
        unsigned int rank = 0;
        for (unsigned long long rest = mask_; rest != 0; rest &= rest - 1, ++rank)
            if (lanes & rest & (~rest + 1)) ranks |= 1ull << rank;
        return ranks;
    }

  public:
    __device__ unsigned int num_threads() const { return size_; }
    __device__ unsigned int size() const { return size_; }
    __device__ unsigned int thread_rank() const { return __builtin_popcountll(mask_ & __lanemask_lt()); }
    __device__ unsigned int meta_group_size() const { return parent_count_; }
    __device__ unsigned int meta_group_rank() const { return parent_rank_; }
    __device__ bool is_valid() const { return true; }
    __device__ __attribute__((convergent)) void sync() const { internal::sync_wave(); }

    template <class T>
    __device__ __attribute__((convergent)) T shfl(T value, int rank) const {
        rank = rank % static_cast<int>(size_);
        return hip_detail::value_of_lane(value, lane_of_rank(rank));
    }
    template <class T>
    __device__ __attribute__((convergent)) T shfl_up(T value, unsigned int delta) const {
        const int rank = static_cast<int>(thread_rank()) - static_cast<int>(delta);
        return hip_detail::value_of_lane(value, rank < 0 ? static_cast<int>(__lane_id()) : lane_of_rank(rank));
    }
    template <class T>
    __device__ __attribute__((convergent)) T shfl_down(T value, unsigned int delta) const {
        const unsigned int rank = thread_rank() + delta;
        return hip_detail::value_of_lane(
            value, rank >= size_ ? static_cast<int>(__lane_id()) : lane_of_rank(static_cast<int>(rank)));
    }
    __device__ __attribute__((convergent)) unsigned long long ballot(int predicate) const {
        return ranks_of(__ballot(predicate) & mask_);
    }
    __device__ __attribute__((convergent)) int any(int predicate) const { return (__ballot(predicate) & mask_) != 0; }
    __device__ __attribute__((convergent)) int all(int predicate) const { return (__ballot(!predicate) & mask_) == 0; }
    template <class T>
    __device__ __attribute__((convergent)) unsigned long long match_any(T value) const {
        return ranks_of(hip_detail::lanes_with_same_value(mask_, value));
    }
    template <class T>
    __device__ __attribute__((convergent)) unsigned long long match_all(T value, int& same) const {
        return ranks_of(__match_all_sync(mask_, value, &same));
    }
};

__device__ inline unsigned long long internal::group_access::mask(const thread_group& group) { return group.mask_; }
__device__ inline internal::group_type internal::group_access::type(const thread_group& group) { return group.type_; }
__device__ inline coalesced_group internal::group_access::coalesced(unsigned long long mask, unsigned int count,
                                                                    unsigned int rank) {
    return coalesced_group(mask, count, rank);
}
__device__ inline thread_group internal::group_access::tile(unsigned int size) {
    return thread_group(cg_tiled_group, size, tile_mask(size));
}

__device__ inline coalesced_group coalesced_threads() { return internal::group_access::coalesced(__activemask()); }

/* A tile of `size` consecutive threads of its parent; `size` is a power of two, at most the wave. */
template <unsigned int tile_size>
class thread_block_tile<tile_size, void> : public thread_group {
    static_assert(tile_size != 0 && (tile_size & (tile_size - 1)) == 0 &&
                      tile_size <= static_cast<unsigned int>(warpSize),
                  "a tile has a power of two of threads, at most a wave");
    unsigned int meta_size_;
    unsigned int meta_rank_;

  public:
    __device__ explicit thread_block_tile(unsigned int meta_size, unsigned int meta_rank)
        : thread_group(internal::cg_tiled_group, tile_size, internal::tile_mask(tile_size)),
          meta_size_(meta_size),
          meta_rank_(meta_rank) {}
    /* Tiles are coalesced groups whose lanes are neighbours. */
    __device__ operator coalesced_group() const {
        return internal::group_access::coalesced(this->mask_, meta_size_, meta_rank_);
    }

    __device__ static constexpr unsigned int num_threads() { return tile_size; }
    __device__ static constexpr unsigned int size() { return tile_size; }
    __device__ static unsigned int thread_rank() { return internal::rank_in_block() & (tile_size - 1); }
    __device__ unsigned int meta_group_size() const { return meta_size_; }
    __device__ unsigned int meta_group_rank() const { return meta_rank_; }
    __device__ bool is_valid() const { return true; }
    __device__ __attribute__((convergent)) void sync() const { internal::sync_wave(); }

    template <class T>
    __device__ __attribute__((convergent)) T shfl(T value, int rank) const {
        return hip_detail::value_of_lane(value, hip_detail::source_lane(rank, tile_size));
    }
    template <class T>
    __device__ __attribute__((convergent)) T shfl_up(T value, unsigned int delta) const {
        return hip_detail::value_of_lane(value, hip_detail::source_lane_up(delta, tile_size));
    }
    template <class T>
    __device__ __attribute__((convergent)) T shfl_down(T value, unsigned int delta) const {
        return hip_detail::value_of_lane(value, hip_detail::source_lane_down(delta, tile_size));
    }
    template <class T>
    __device__ __attribute__((convergent)) T shfl_xor(T value, unsigned int mask) const {
        return hip_detail::value_of_lane(value, hip_detail::source_lane_xor(static_cast<int>(mask), tile_size));
    }
    __device__ __attribute__((convergent)) unsigned long long ballot(int predicate) const {
        return (__ballot(predicate) & this->mask_) >> first_lane();
    }
    __device__ __attribute__((convergent)) int any(int predicate) const {
        return (__ballot(predicate) & this->mask_) != 0;
    }
    __device__ __attribute__((convergent)) int all(int predicate) const {
        return (__ballot(!predicate) & this->mask_) == 0;
    }
    template <class T>
    __device__ __attribute__((convergent)) unsigned long long match_any(T value) const {
        return hip_detail::lanes_with_same_value(this->mask_ & __activemask(), value) >> first_lane();
    }
    template <class T>
    __device__ __attribute__((convergent)) unsigned long long match_all(T value, int& same) const {
        return __match_all_sync(this->mask_, value, &same) >> first_lane();
    }

  private:
    __device__ static unsigned int first_lane() { return __lane_id() & ~(tile_size - 1); }
};

/* A tile that remembers what it is a tile of; it can be used wherever the parent does not matter. */
template <unsigned int tile_size, class Parent>
class thread_block_tile : public thread_block_tile<tile_size, void> {
  public:
    __device__ explicit thread_block_tile(unsigned int meta_size, unsigned int meta_rank)
        : thread_block_tile<tile_size, void>(meta_size, meta_rank) {}
};

/* Partitions. */
template <unsigned int size>
__device__ inline thread_block_tile<size, thread_block> tiled_partition(const thread_block& parent) {
    return thread_block_tile<size, thread_block>((parent.size() + size - 1) / size, parent.thread_rank() / size);
}
template <unsigned int size, unsigned int parent_size, class Parent>
__device__ inline thread_block_tile<size, thread_block_tile<parent_size, Parent>> tiled_partition(
    const thread_block_tile<parent_size, Parent>& parent) {
    static_assert(size <= parent_size, "a tile is not larger than its parent");
    return thread_block_tile<size, thread_block_tile<parent_size, Parent>>(parent_size / size,
                                                                           parent.thread_rank() / size);
}
__device__ inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size) {
    const unsigned int tile = parent.thread_rank() / size;
    unsigned long long own = 0;
    unsigned int rank = 0;
    for (unsigned long long rest = internal::group_access::mask(parent); rest != 0; rest &= rest - 1, ++rank)
        if (rank / size == tile) own |= rest & (~rest + 1);
    return internal::group_access::coalesced(own, (parent.size() + size - 1) / size, tile);
}
__device__ inline thread_group tiled_partition(const thread_group& parent, unsigned int size) {
    if (internal::group_access::type(parent) == internal::cg_coalesced_group)
        return tiled_partition(static_cast<const coalesced_group&>(parent), size);
    return internal::group_access::tile(size);
}
__device__ inline thread_group tiled_partition(const thread_block&, unsigned int size) {
    return internal::group_access::tile(size);
}

/* The lanes of a group that agree with this lane. */
__device__ inline coalesced_group binary_partition(const coalesced_group& parent, bool predicate) {
    const unsigned long long lanes = internal::group_access::mask(parent);
    const unsigned long long yes = __ballot(predicate) & lanes;
    return internal::group_access::coalesced(predicate ? yes : lanes & ~yes, 2, predicate ? 1 : 0);
}
template <unsigned int size, class Parent>
__device__ inline coalesced_group binary_partition(const thread_block_tile<size, Parent>& parent, bool predicate) {
    return binary_partition(static_cast<coalesced_group>(parent), predicate);
}
template <class Label>
__device__ inline coalesced_group labeled_partition(const coalesced_group& parent, Label label) {
    return internal::group_access::coalesced(
        hip_detail::lanes_with_same_value(internal::group_access::mask(parent), label));
}
template <unsigned int size, class Parent, class Label>
__device__ inline coalesced_group labeled_partition(const thread_block_tile<size, Parent>& parent, Label label) {
    return labeled_partition(static_cast<coalesced_group>(parent), label);
}

/* A group whose kind is known at run time only. */
__device__ inline unsigned int thread_group::num_threads() const {
    switch (type_) {
        case internal::cg_multi_grid:
            return __ockl_multi_grid_size();
        case internal::cg_grid:
            return internal::blocks_in_grid() * internal::block_size();
        case internal::cg_workgroup:
            return internal::block_size();
        default:
            return size_;
    }
}
__device__ inline unsigned int thread_group::thread_rank() const {
    switch (type_) {
        case internal::cg_multi_grid:
            return __ockl_multi_grid_thread_rank();
        case internal::cg_grid:
            return internal::rank_of_block() * internal::block_size() + internal::rank_in_block();
        case internal::cg_workgroup:
            return internal::rank_in_block();
        case internal::cg_tiled_group:
            return internal::rank_in_block() & (size_ - 1);
        default:
            return __builtin_popcountll(mask_ & __lanemask_lt());
    }
}
__device__ inline bool thread_group::is_valid() const {
    switch (type_) {
        case internal::cg_invalid:
            return false;
        case internal::cg_multi_grid:
            return __ockl_multi_grid_is_valid();
        case internal::cg_grid:
            return __ockl_grid_is_valid();
        default:
            return true;
    }
}
__device__ inline void thread_group::sync() const {
    switch (type_) {
        case internal::cg_multi_grid:
            __ockl_multi_grid_sync();
            break;
        case internal::cg_grid:
            __ockl_grid_sync();
            break;
        case internal::cg_workgroup:
            __syncthreads();
            break;
        default:
            internal::sync_wave();
            break;
    }
}

}  // namespace cooperative_groups

#endif
