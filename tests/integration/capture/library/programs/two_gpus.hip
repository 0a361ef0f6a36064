// Work on the second GPU; the first has memory that the second may reach. "reach": a list of pointers leads there.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>

#define CHECK(call) \
    if ((call) != hipSuccess) return std::printf("%s failed\n", #call), 1

__global__ void follow(int** list, int* out) { out[threadIdx.x] = list[0] ? list[0][threadIdx.x] : -1; }
__global__ void add(int* data) { data[threadIdx.x] += 1; }

int main(int count, char** what) {
    int *near, *far, **list, *out;
    CHECK(hipSetDevice(0));
    CHECK(hipMalloc(&far, 4096));
    CHECK(hipMemset(far, 1, 4096));
    add<<<1, 64>>>(far);
    CHECK(hipDeviceSynchronize());
    CHECK(hipSetDevice(1));
    CHECK(hipDeviceEnablePeerAccess(0, 0));
    CHECK(hipMalloc(&near, 4096));
    CHECK(hipMalloc(&list, 64));
    CHECK(hipMalloc(&out, 256));
    CHECK(hipMemset(near, 2, 4096));
    int* pointer = count > 1 && !std::strcmp(what[1], "reach") ? far : near;
    CHECK(hipMemcpy(list, &pointer, 8, hipMemcpyHostToDevice));
    follow<<<1, 64>>>(list, out);
    int host[64];
    CHECK(hipMemcpy(host, out, 256, hipMemcpyDeviceToHost));
    std::printf("%x\n", host[63]);
}
