// More buffers than there is use for: each is of its own, and the kernel finds them through a list.
#include "check.h"

__global__ void add_number(int** buffers, int count, int words) {
    const int buffer = blockIdx.x;
    if (buffer >= count) return;
    for (int i = threadIdx.x; i < words; i += blockDim.x) buffers[buffer][i] += buffer;
}

int main() {
    const int count = 600, words = 1024;
    std::vector<int*> buffers(count);
    std::vector<int> values(words), want;
    for (int b = 0; b < count; ++b) {
        for (int i = 0; i < words; ++i) values[i] = 1000 * b + i;
        buffers[b] = to_device(values);
        for (int i = 0; i < words; i += 341) want.push_back(1001 * b + i);
    }
    int** list = to_device(buffers);
    add_number<<<count, 64>>>(list, count, words);
    HIP_CHECK(hipGetLastError());
    std::vector<int> got;
    for (int b = 0; b < count; ++b) {
        const std::vector<int> now = to_host(buffers[b], words);
        for (int i = 0; i < words; i += 341) got.push_back(now[i]);
    }
    return verdict("many", got, want, 0);
}
