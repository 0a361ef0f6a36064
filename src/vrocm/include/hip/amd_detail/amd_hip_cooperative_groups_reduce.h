/* Algorithms over a group: reductions, scans, copies. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_COOPERATIVE_GROUPS_REDUCE_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_COOPERATIVE_GROUPS_REDUCE_H

#include <hip/amd_detail/cooperative_groups/tile.h>

namespace cooperative_groups {

#define VROCM_GROUP_OPERATION(name, expression)                        \
    template <class T = void>                                          \
    struct name {                                                      \
        __device__ T operator()(T a, T b) const { return expression; } \
    };                                                                 \
    template <>                                                        \
    struct name<void> {                                                \
        template <class T>                                             \
        __device__ T operator()(T a, T b) const {                      \
            return expression;                                         \
        }                                                              \
    };
VROCM_GROUP_OPERATION(plus, a + b)
VROCM_GROUP_OPERATION(less, b < a ? b : a)
VROCM_GROUP_OPERATION(greater, a < b ? b : a)
VROCM_GROUP_OPERATION(bit_and, a& b)
VROCM_GROUP_OPERATION(bit_or, a | b)
VROCM_GROUP_OPERATION(bit_xor, a ^ b)
#undef VROCM_GROUP_OPERATION

/* Every thread of the group gets the result. */
template <unsigned int size, class Parent, class T, class F>
__device__ inline __attribute__((convergent)) T reduce(const thread_block_tile<size, Parent>& group, T value, F&& op) {
#pragma unroll
    for (unsigned int distance = size / 2; distance > 0; distance /= 2)
        value = op(value, group.shfl_xor(value, distance));
    return value;
}
template <class T, class F>
__device__ inline __attribute__((convergent)) T reduce(const coalesced_group& group, T value, F&& op) {
    T result = group.shfl(value, 0);
    for (unsigned int rank = 1; rank < group.size(); ++rank) result = op(result, group.shfl(value, rank));
    return result;
}

/* Thread r gets the combination of ranks 0 to r, or 0 to r-1 with exclusive_scan. */
template <class Group, class T, class F>
__device__ inline __attribute__((convergent)) T inclusive_scan(const Group& group, T value, F&& op) {
    const unsigned int rank = group.thread_rank();
    for (unsigned int distance = 1; distance < group.num_threads(); distance *= 2) {
        const T other = group.shfl_up(value, distance);
        if (rank >= distance) value = op(other, value);
    }
    return value;
}
template <class Group, class T>
__device__ inline __attribute__((convergent)) T inclusive_scan(const Group& group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
/* Rank 0 gets T(), which is the neutral element of the sum. */
template <class Group, class T, class F>
__device__ inline __attribute__((convergent)) T exclusive_scan(const Group& group, T value, F&& op) {
    const T before = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
__device__ inline __attribute__((convergent)) T exclusive_scan(const Group& group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

/* Copies by all threads of the group. They are complete when `wait` returns. */
template <class Group, class T>
__device__ inline void memcpy_async(const Group& group, T* to, const T* from, size_t bytes) {
    for (size_t i = group.thread_rank(); i < bytes / sizeof(T); i += group.num_threads()) to[i] = from[i];
}
template <class Group>
__device__ inline void memcpy_async(const Group& group, void* to, const void* from, size_t bytes) {
    for (size_t i = group.thread_rank(); i < bytes; i += group.num_threads())
        static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
}
template <class Group>
__device__ inline __attribute__((convergent)) void wait(const Group& group) {
    group.sync();
}

}  // namespace cooperative_groups

#endif
