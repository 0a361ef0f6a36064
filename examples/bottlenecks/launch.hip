// Built to be launch bound: hundreds of launches, each of which has next to nothing to do.
#include "../check.h"

constexpr int kLaunches = 200;

__global__ void store(int* value, int what) { *value = what; }

int main() {
    int* value = to_device(std::vector<int>{0});
    for (int i = 0; i < kLaunches; ++i) store<<<1, 1>>>(value, i + 1);
    HIP_CHECK(hipGetLastError());
    const int status = verdict("launch", to_host(value, 1), std::vector<int>{kLaunches}, 0);
    HIP_CHECK(hipFree(value));
    return status;
}
