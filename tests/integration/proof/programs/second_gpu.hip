// The same work on two GPUs, on memory of their own; pointers stored in memory make addresses matter.
#include "check.h"

struct Node {
    int value;
    Node* next;
};

__global__ void link(Node* nodes, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) nodes[i] = {3 * i, &nodes[(i * 7 + 1) % count]};
}

__global__ void follow(const Node* nodes, int* sums, int count, int gpu) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int sum = gpu;
    const Node* node = &nodes[i];
    for (int step = 0; step < 5; ++step, node = node->next) sum += node->value;
    sums[i] = sum;
}

int main() {
    constexpr int kCount = 4096, kBlock = 256;
    Node* nodes[2];
    int* sums[2];
    for (int gpu = 0; gpu < 2; ++gpu) {
        HIP_CHECK(hipSetDevice(gpu));
        HIP_CHECK(hipMalloc(&nodes[gpu], kCount * sizeof(Node)));
        HIP_CHECK(hipMalloc(&sums[gpu], kCount * sizeof(int)));
        link<<<kCount / kBlock, kBlock>>>(nodes[gpu], kCount);
        follow<<<kCount / kBlock, kBlock>>>(nodes[gpu], sums[gpu], kCount, gpu);
    }
    std::vector<int> found, expected;
    for (int gpu = 0; gpu < 2; ++gpu) {
        HIP_CHECK(hipSetDevice(gpu));
        const std::vector<int> all = to_host(sums[gpu], kCount);
        found.insert(found.end(), all.begin(), all.end());
        for (int i = 0; i < kCount; ++i) {
            int sum = gpu;
            for (int step = 0, at = i; step < 5; ++step, at = (at * 7 + 1) % kCount) sum += 3 * at;
            expected.push_back(sum);
        }
    }
    return verdict("second_gpu", found, expected, 0);
}
