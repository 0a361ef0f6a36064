// Many MiB of one kind of data and a kernel that writes one of them. Arguments: MiB, kind.
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call) \
    if ((call) != hipSuccess) return std::printf("%s failed\n", #call), 1

__global__ void write_some(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
}

int main(int, char** arguments) {
    const std::size_t size = std::strtoull(arguments[1], nullptr, 10) << 20;
    int* data;
    CHECK(hipMalloc(&data, size));
    std::vector<std::uint64_t> block(1 << 17);
    std::uint64_t state = 88172645463325252ull;
    for (std::size_t at = 0; at < size; at += 1 << 20) {
        for (std::size_t i = 0; i < block.size(); ++i) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;  // xorshift
            block[i] = !std::strcmp(arguments[2], "random") ? state : !std::strcmp(arguments[2], "zero") ? 0 : at + i % 1000;
        }
        CHECK(hipMemcpy(reinterpret_cast<char*>(data) + at, block.data(), 1 << 20, hipMemcpyHostToDevice));
    }
    write_some<<<1024, 256>>>(data, 1 << 18);
    CHECK(hipDeviceSynchronize());
    std::printf("done\n");
}
