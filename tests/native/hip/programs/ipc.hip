// Device memory of one process used by another. The child comes first, before either has a GPU.
#include <sys/wait.h>
#include <unistd.h>

#include <hip/hip_runtime.h>

#include "check.h"

__global__ void add(int* data, int amount) { data[threadIdx.x] += amount; }

constexpr int kCount = 5000, kOffset = 64;

static int child(int in, int out) {
    hipIpcMemHandle_t whole, part;
    if (read(in, &whole, sizeof whole) != sizeof whole || read(in, &part, sizeof part) != sizeof part) return 2;
    int *data = nullptr, *middle = nullptr;
    OK(hipIpcOpenMemHandle((void**)&data, whole, hipIpcMemLazyEnablePeerAccess));
    int first = 0;
    OK(hipMemcpy(&first, data, sizeof first, hipMemcpyDeviceToHost));
    CHECK(first == 7);
    add<<<1, 64>>>(data, 100);
    OK(hipDeviceSynchronize());
    OK(hipIpcCloseMemHandle(data));
    OK(hipIpcOpenMemHandle((void**)&middle, part, hipIpcMemLazyEnablePeerAccess));
    add<<<1, 64>>>(middle, 1000);
    OK(hipDeviceSynchronize());
    char done = 1;
    return write(out, &done, 1) == 1 ? finish() : 2;
}

int main() {
    int to_child[2], to_parent[2];
    if (pipe(to_child) || pipe(to_parent)) return 2;
    const pid_t other = fork();
    if (other == 0) return child(to_child[0], to_parent[1]);
    int* data;
    OK(hipMalloc(&data, kCount * sizeof(int)));
    OK(hipMemsetD32((hipDeviceptr_t)data, 7, kCount));
    hipIpcMemHandle_t whole, part;
    OK(hipIpcGetMemHandle(&whole, data));
    OK(hipIpcGetMemHandle(&part, data + kOffset));
    void* same = nullptr;
    CHECK(hipIpcOpenMemHandle(&same, whole, hipIpcMemLazyEnablePeerAccess) == hipErrorInvalidContext);
    CHECK(hipIpcGetMemHandle(&whole, &same) == hipErrorInvalidValue);
    OK(hipIpcGetMemHandle(&whole, data));
    if (write(to_child[1], &whole, sizeof whole) < 0 || write(to_child[1], &part, sizeof part) < 0) return 2;
    char done = 0;
    if (read(to_parent[0], &done, 1) != 1) return 2;
    int values[2 * kOffset + 1];
    OK(hipMemcpy(values, data, sizeof values, hipMemcpyDeviceToHost));
    CHECK(values[0] == 107 && values[63] == 107 && values[64] == 1007 && values[127] == 1007 && values[128] == 7);
    int status = 0;
    waitpid(other, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    OK(hipFree(data));
    return finish();
}
