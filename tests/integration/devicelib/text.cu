// memcpy and its family in kernels.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void check(const char* text, char* out, int length, int* failures) {
    int bad = 0;
    char local[64];
    memset(local, 'x', sizeof local);
    memcpy(local, text, length + 1);
    int differences = 0;
    for (int i = 0; i <= length; ++i) differences += local[i] != text[i];
    bad += differences != 0 || local[length + 1] != 'x';
    memmove(local + 3, local, length + 1);  // overlapping
    for (int i = 0; i < length; ++i) bad += local[i + 3] != text[i];
    if (threadIdx.x == 0) memcpy(out, local + 3, length + 1);
    if (bad) atomicAdd(failures, bad);
}

int main() {
    const char* text = "the quick brown fox jumps over it";
    int length = (int)std::strlen(text), *failures, result = -1;
    char *device, *out, back[64] = {};
    if (hipMalloc(&failures, sizeof(int)) != hipSuccess || hipMemset(failures, 0, sizeof(int)) != hipSuccess) return 1;
    if (hipMalloc(&device, 64) != hipSuccess || hipMalloc(&out, 64) != hipSuccess) return 1;
    if (hipMemcpy(device, text, length + 1, hipMemcpyHostToDevice) != hipSuccess) return 1;
    check<<<1, 64>>>(device, out, length, failures);
    if (hipMemcpy(&result, failures, sizeof(int), hipMemcpyDeviceToHost) != hipSuccess) return 1;
    if (hipMemcpy(back, out, length + 1, hipMemcpyDeviceToHost) != hipSuccess) return 1;
    bool ok = result == 0 && std::strcmp(back, text) == 0;
    std::printf("failures %d\n%s\n", result, ok ? "PASS" : "FAIL");
    return !ok;
}
