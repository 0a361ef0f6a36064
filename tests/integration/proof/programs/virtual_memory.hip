// One reservation of addresses with two mappings, an unmapped hole between them, and one piece of physical memory
// mapped a second time elsewhere. The kernel writes through one mapping and reads through the other.
#include "check.h"

__global__ void through_both(int* first, const int* second, int* third, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        first[i] += 3 * second[i];
        third[i] = first[i] ^ i;
    }
}

int main() {
    hipMemAllocationProp properties = {};
    properties.type = hipMemAllocationTypePinned;
    properties.location.type = hipMemLocationTypeDevice;
    properties.location.id = 0;
    size_t grain = 0;
    HIP_CHECK(hipMemGetAllocationGranularity(&grain, &properties, hipMemAllocationGranularityMinimum));
    char* base = nullptr;
    char* alias = nullptr;
    HIP_CHECK(hipMemAddressReserve(reinterpret_cast<void**>(&base), 8 * grain, 0, nullptr, 0));
    HIP_CHECK(hipMemAddressReserve(reinterpret_cast<void**>(&alias), 2 * grain, 0, nullptr, 0));
    hipMemGenericAllocationHandle_t one, two;
    HIP_CHECK(hipMemCreate(&one, 2 * grain, &properties, 0));
    HIP_CHECK(hipMemCreate(&two, 2 * grain, &properties, 0));
    HIP_CHECK(hipMemMap(base + grain, 2 * grain, 0, one, 0));      // pages 1 and 2; 0, 3 and 4 are a hole
    HIP_CHECK(hipMemMap(base + 5 * grain, 2 * grain, 0, two, 0));  // pages 5 and 6
    HIP_CHECK(hipMemMap(alias, 2 * grain, 0, one, 0));             // the same memory as pages 1 and 2
    hipMemAccessDesc access = {};
    access.location = properties.location;
    access.flags = hipMemAccessFlagsProtReadWrite;
    HIP_CHECK(hipMemSetAccess(base + grain, 2 * grain, &access, 1));
    HIP_CHECK(hipMemSetAccess(base + 5 * grain, 2 * grain, &access, 1));
    HIP_CHECK(hipMemSetAccess(alias, 2 * grain, &access, 1));

    const int count = int(2 * grain / sizeof(int)) < 3000 ? int(2 * grain / sizeof(int)) : 3000;
    int* first = reinterpret_cast<int*>(base + grain);
    int* second = reinterpret_cast<int*>(alias);
    int* third = reinterpret_cast<int*>(base + 5 * grain);
    std::vector<int> values(count), want(count);
    for (int i = 0; i < count; ++i) values[i] = i * 17 - 5, want[i] = (4 * values[i]) ^ i;
    HIP_CHECK(hipMemcpy(first, values.data(), count * sizeof(int), hipMemcpyHostToDevice));
    through_both<<<(count + 127) / 128, 128>>>(first, second, third, count);
    HIP_CHECK(hipGetLastError());
    return verdict("vmm", to_host(third, count), want, 0);
}
