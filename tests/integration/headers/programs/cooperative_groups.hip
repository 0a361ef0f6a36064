// Cooperative groups of every kind.
#include <hip/hip_cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

template <unsigned int size>
__device__ int sum_by_shuffles(cg::thread_block_tile<size> tile, int value) {
    for (int distance = tile.size() / 2; distance > 0; distance /= 2) value += tile.shfl_down(value, distance);
    return tile.shfl(value, 0);
}
__device__ int sum_in_memory(cg::thread_group group, int* scratch, int value) {
    const int rank = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        scratch[rank] = value;
        group.sync();
        if (rank < half) value += scratch[rank + half];
        group.sync();
    }
    return value;
}

template <unsigned int size>
__global__ void tiles(int* out) {
    __shared__ int scratch[256];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<size>(block);
    const int rank = block.thread_rank();
    int* mine = out + (blockIdx.x * block.size() + rank) * 12;
    mine[0] = tile.thread_rank();
    mine[1] = tile.size();
    mine[2] = tile.meta_group_rank();
    mine[3] = sum_by_shuffles(tile, rank);
    mine[4] = cg::reduce(tile, rank, cg::plus<int>());
    mine[5] = cg::reduce(tile, rank, cg::greater<int>());
    mine[6] = cg::inclusive_scan(tile, rank, cg::plus<int>());
    mine[7] = cg::exclusive_scan(tile, 1);
    mine[8] = (int)__popcll(tile.ballot(rank % 3 == 0));
    mine[9] = tile.any(rank == 5) * 2 + tile.all(rank >= 0);
    mine[10] = sum_in_memory(block, scratch, rank);
    const cg::thread_group dynamic = cg::tiled_partition(block, size);
    block.sync();
    mine[11] = sum_in_memory(dynamic, scratch + rank / size * size, rank) + dynamic.size() * 0;
}
template <unsigned int size>
static void test_tiles() {
    const int threads = 256, blocks = 2;
    DeviceArray<int> out(threads * blocks * 12);
    tiles<size><<<blocks, threads>>>(out);
    const std::vector<int> got = out.read();
    for (int i = 0; i < threads * blocks; ++i) {
        const int rank = i % threads, in_tile = rank % size, first = rank - in_tile;
        int sum = 0, running = 0, thirds = 0, has_five = 0;
        for (int k = 0; k < (int)size; ++k) {
            sum += first + k;
            if (k <= in_tile) running += first + k;
            thirds += (first + k) % 3 == 0;
            has_five |= first + k == 5;
        }
        const int* mine = &got[i * 12];
        EXPECT(mine[0] == in_tile && mine[1] == (int)size && mine[2] == rank / (int)size);
        EXPECT(mine[3] == sum && mine[4] == sum && mine[5] == first + (int)size - 1);
        EXPECT(mine[6] == running && mine[7] == in_tile && mine[8] == thirds);
        EXPECT(mine[9] == has_five * 2 + 1);
        if (rank == 0) EXPECT(mine[10] == threads * (threads - 1) / 2);
        if (in_tile == 0) EXPECT(mine[11] == sum);
    }
}

// Only some lanes take part.
__global__ void coalesced(int* out, int* counter) {
    const int lane = threadIdx.x;
    int* mine = out + lane * 6;
    if (lane % 3 == 1) {
        const cg::coalesced_group group = cg::coalesced_threads();
        mine[0] = group.size();
        mine[1] = group.thread_rank();
        mine[2] = group.shfl(lane, 2);
        mine[3] = group.shfl_down(lane, 1);
        int base = 0;
        if (group.thread_rank() == 0) base = atomicAdd(counter, (int)group.size());
        mine[4] = group.shfl(base, 0) + group.thread_rank();
        mine[5] = cg::reduce(group, lane, cg::plus<int>()) + (int)cg::labeled_partition(group, lane % 2).size() * 10000;
    }
}

__global__ void nested(int* out) {
    const auto outer = cg::tiled_partition<32>(cg::this_thread_block());
    const auto inner = cg::tiled_partition<4>(outer);
    out[threadIdx.x] = inner.thread_rank() + 10 * inner.meta_group_rank() + 1000 * cg::reduce(inner, 1, cg::plus<int>());
    const auto half = cg::binary_partition(outer, threadIdx.x % 8 < 3);
    out[64 + threadIdx.x] = half.size();
}

// Blocks hand values to each other across a barrier of the whole grid.
__global__ void whole_grid(int* data, int rounds) {
    const cg::grid_group grid = cg::this_grid();
    const int rank = grid.thread_rank(), size = grid.size();
    for (int round = 0; round < rounds; ++round) {
        const int value = data[(rank + blockDim.x) % size];
        grid.sync();
        data[rank] = value + 1;
        grid.sync();
    }
}

int main() {
    test_tiles<2>();
    test_tiles<16>();
    test_tiles<32>();
    test_tiles<64>();

    DeviceArray<int> out(64 * 6), counter(1);
    coalesced<<<1, 64>>>(out, counter);
    const std::vector<int> got = out.read();
    const int members = 21;  // lanes 1, 4, … 61
    int sum = 0;
    for (int lane = 1; lane < 64; lane += 3) sum += lane;
    for (int lane = 1, rank = 0; lane < 64; lane += 3, ++rank) {
        const int* mine = &got[lane * 6];
        EXPECT(mine[0] == members && mine[1] == rank && mine[2] == 7);
        EXPECT(mine[3] == (rank + 1 < members ? lane + 3 : lane) && mine[4] == rank);
        EXPECT(mine[5] == sum + (lane % 2 ? 11 : 10) * 10000);
    }

    DeviceArray<int> nest(128);
    nested<<<1, 64>>>(nest);
    const std::vector<int> nested_result = nest.read();
    for (int i = 0; i < 64; ++i) {
        EXPECT(nested_result[i] == i % 4 + 10 * (i % 32 / 4) + 4000);
        EXPECT(nested_result[64 + i] == (i % 8 < 3 ? 12 : 20));
    }

    const int blocks = 8, threads = 64, total = blocks * threads;
    std::vector<int> start(total);
    for (int i = 0; i < total; ++i) start[i] = i;
    DeviceArray<int> data(start);
    int* pointer = data;
    int rounds = 5;
    void* arguments[] = {&pointer, &rounds};
    HIP_CHECK(hipLaunchCooperativeKernel((void*)whole_grid, dim3(blocks), dim3(threads), arguments, 0, 0));
    const std::vector<int> moved = data.read();
    for (int i = 0; i < total; ++i) EXPECT(moved[i] == (i + rounds * threads) % total + rounds);
    return finish();
}
