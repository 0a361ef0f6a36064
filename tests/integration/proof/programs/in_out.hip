// x = 2x + 1, launched several times: a snapshot taken at the wrong moment starts from the wrong x.
#include "check.h"

__global__ void twice_plus_one(unsigned* x, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) x[i] = x[i] * 2 + 1;
}

int main() {
    const int count = 10'000, launches = 5;
    std::vector<unsigned> host(count);
    for (int i = 0; i < count; ++i) host[i] = i;
    unsigned* x = to_device(host);
    for (int n = 0; n < launches; ++n) twice_plus_one<<<(count + 255) / 256, 256>>>(x, count);
    HIP_CHECK(hipGetLastError());
    for (unsigned& value : host)
        for (int n = 0; n < launches; ++n) value = value * 2 + 1;
    return verdict("in_out", to_host(x, count), host, 0);
}
