// Memory that the host may not see, in two mappings and one of them twice, reached by every kind of access: scalar and
// vector loads of several sizes, lanes in different mappings, atomics, buffers, flat addresses, LDS.
#include "check.h"

struct Everything {
    const int* scalars;
    int* words;
    unsigned char* bytes;
    double* doubles;
    float4* fours;
    int* other;
};

__global__ void everything(Everything e, int count) {
    __shared__ int lds[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int scalar = e.scalars[blockIdx.x];
    lds[threadIdx.x] = e.words[i];
    __syncthreads();
    int* const mixed = i % 3 ? e.words : e.other;  // lanes of one wave in different mappings
    const int gathered = mixed[(i * 37) % count];
    int* const flat = i % 2 ? &lds[threadIdx.x ^ 1] : &e.other[i];  // the address space is not known
    const int through_flat = *flat;
    const auto buffer = __builtin_amdgcn_make_buffer_rsrc(e.words, 0, count * 4, 0x27000);
    const int from_buffer = __builtin_amdgcn_raw_buffer_load_b32(buffer, 4 * (count - 1 - i), 0, 0);
    atomicAdd(&e.other[count + i % 7], scalar);
    atomicMax(reinterpret_cast<unsigned long long*>(e.other + count + 16) + i % 3, 1ull * i);
    atomicAdd(&e.doubles[count], 0.5);
    e.bytes[i] = static_cast<unsigned char>(e.bytes[i] + i);
    e.doubles[i] = e.doubles[i] * 2 + scalar;
    const float4 four = e.fours[i];
    e.fours[i] = make_float4(four.w, four.z, four.y, four.x + gathered);
    e.other[2 * count + i] = gathered + 3 * through_flat + 5 * from_buffer;
}

static int count = 2048;

// Gives the pieces of two buffers of 256 KiB each, filled alike each time.
static Everything pieces(char* one, char* two) {
    std::vector<int> values(65536);
    for (int i = 0; i < 65536; ++i) values[i] = (i * 7919) % 10007;
    HIP_CHECK(hipMemcpy(one, values.data(), 262144, hipMemcpyHostToDevice));
    HIP_CHECK(hipMemset(two, 0, 262144));
    HIP_CHECK(hipMemcpy(two + 1000, values.data() + 100, 200000, hipMemcpyHostToDevice));
    HIP_CHECK(hipMemset(two + 65536, 0, 131072));  // floating-point values
    return {reinterpret_cast<int*>(one),          reinterpret_cast<int*>(one + 4096),
            reinterpret_cast<unsigned char*>(one) + 65536, reinterpret_cast<double*>(two + 65536),
            reinterpret_cast<float4*>(two + 131072), reinterpret_cast<int*>(two)};
}

static std::vector<int> run(char* one, char* two) {
    const Everything e = pieces(one, two);
    everything<<<count / 64, 64>>>(e, count);
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipMemcpy2D(two + 200000, 512, one + 4096, 256, 256, 8, hipMemcpyDeviceToDevice));
    HIP_CHECK(hipMemset2D(two + 210000, 1024, 0x5a, 100, 4));
    std::vector<int> all = to_host(reinterpret_cast<int*>(one), 65536);
    const std::vector<int> rest = to_host(reinterpret_cast<int*>(two), 65536);
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
}

int main() {
    hipMemAllocationProp properties = {};
    properties.type = hipMemAllocationTypePinned;
    properties.location.type = hipMemLocationTypeDevice;
    char* base = nullptr;
    HIP_CHECK(hipMemAddressReserve(reinterpret_cast<void**>(&base), 1 << 20, 0, nullptr, 0));
    hipMemAccessDesc access = {};
    access.location = properties.location;
    access.flags = hipMemAccessFlagsProtReadWrite;
    for (int i = 0; i < 3; ++i) {  // the third lies between them, so that their sides are not one range
        hipMemGenericAllocationHandle_t handle;
        HIP_CHECK(hipMemCreate(&handle, 1 << 18, &properties, 0));
        HIP_CHECK(hipMemMap(base + (i << 18), 1 << 18, 0, handle, 0));
        if (i != 1) HIP_CHECK(hipMemSetAccess(base + (i << 18), 1 << 18, &access, 1));
        HIP_CHECK(hipMemRelease(handle));
    }
    char *plain_one = nullptr, *plain_two = nullptr;
    HIP_CHECK(hipMalloc(&plain_one, 1 << 18));
    HIP_CHECK(hipMalloc(&plain_two, 1 << 18));
    const std::vector<int> want = run(plain_one, plain_two), got = run(base, base + (2 << 18));
    return verdict("mapped", got, want, 0);
}
