// Devices and what they say about themselves; run with VROCM_DEVICES=2.
#include <hip/hip_runtime_api.h>

#include "check.h"

static void properties() {
    hipDeviceProp_t p;
    OK(hipGetDeviceProperties(&p, 0));
    CHECK(!std::strcmp(p.name, "AMD Instinct MI300X"));
    CHECK(!std::strcmp(p.gcnArchName, "gfx942:sramecc+:xnack-"));
    CHECK(p.major == 9 && p.minor == 4);
    CHECK(p.warpSize == 64 && p.multiProcessorCount == 304);
    CHECK(p.maxThreadsPerBlock == 1024 && p.maxThreadsPerMultiProcessor == 2048);
    CHECK(p.sharedMemPerBlock == 65536 && p.regsPerBlock == 65536);
    CHECK(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65536);
    CHECK(p.totalGlobalMem > (size_t{100} << 30));
    CHECK(p.clockRate == 2100000 && p.memoryBusWidth == 8192);
    CHECK(p.l2CacheSize == 4 << 20);
    CHECK(p.cooperativeLaunch && p.managedMemory && p.concurrentKernels && p.arch.hasDoubles);
    GIVES(hipErrorInvalidDevice, hipGetDeviceProperties(&p, 2));
    GIVES(hipErrorInvalidValue, hipGetDeviceProperties(nullptr, 0));
    int chosen = -1;
    OK(hipChooseDevice(&chosen, &p));
    CHECK(chosen == 0);
}

static int attribute(hipDeviceAttribute_t which) {
    int value = -12345;
    OK(hipDeviceGetAttribute(&value, which, 0));
    return value;
}

static void attributes() {
    CHECK(attribute(hipDeviceAttributeWarpSize) == 64);
    CHECK(attribute(hipDeviceAttributeMultiprocessorCount) == 304);
    CHECK(attribute(hipDeviceAttributeMaxThreadsPerBlock) == 1024);
    CHECK(attribute(hipDeviceAttributeMaxSharedMemoryPerBlock) == 65536);
    CHECK(attribute(hipDeviceAttributeMemoryPoolsSupported) == 1);
    CHECK(attribute(hipDeviceAttributeConcurrentManagedAccess) == 1);
    CHECK(attribute(hipDeviceAttributeHostNativeAtomicSupported) == 1);
    CHECK(attribute(hipDeviceAttributeNumberOfXccs) == 8);
    CHECK(attribute(hipDeviceAttributeComputeCapabilityMajor) == 9);
    CHECK(attribute(hipDeviceAttributeWallClockRate) == 100000);
    // Every number between the ends is answered or refused, never ignored.
    for (int number = 0; number < 100; ++number) {
        int value;
        hipError_t status = hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(number), 0);
        CHECK(status == hipSuccess || status == hipErrorInvalidValue);
    }
    (void)hipGetLastError();
    int value;
    GIVES(hipErrorInvalidValue, hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(777), 0));
    GIVES(hipErrorInvalidValue, hipDeviceGetAttribute(nullptr, hipDeviceAttributeWarpSize, 0));
}

static void identity() {
    char name[64], bus[32];
    OK(hipDeviceGetName(name, sizeof name, 0));
    CHECK(std::strstr(name, "MI300X"));
    OK(hipDeviceGetPCIBusId(bus, sizeof bus, 1));
    int device = -1;
    OK(hipDeviceGetByPCIBusId(&device, bus));
    CHECK(device == 1);
    hipUUID first, second;
    OK(hipDeviceGetUuid(&first, 0));
    OK(hipDeviceGetUuid(&second, 1));
    CHECK(std::memcmp(&first, &second, sizeof first) != 0);
    int driver = 0, runtime = 0;
    OK(hipDriverGetVersion(&driver));
    OK(hipRuntimeGetVersion(&runtime));
    CHECK(driver == HIP_VERSION && runtime == HIP_VERSION);
}

static void limits_and_flags() {
    size_t value = 0;
    OK(hipDeviceGetLimit(&value, hipLimitStackSize));
    CHECK(value == 1024);
    OK(hipDeviceSetLimit(hipLimitStackSize, 4096));
    OK(hipDeviceGetLimit(&value, hipLimitStackSize));
    CHECK(value == 4096);
    OK(hipDeviceSetLimit(hipLimitMallocHeapSize, 64 << 20));
    OK(hipDeviceGetLimit(&value, hipLimitMallocHeapSize));
    CHECK(value == 64 << 20);
    GIVES(hipErrorUnsupportedLimit, hipDeviceGetLimit(&value, static_cast<hipLimit_t>(0x77)));
    hipFuncCache_t config;
    OK(hipDeviceSetCacheConfig(hipFuncCachePreferL1));
    OK(hipDeviceGetCacheConfig(&config));
    CHECK(config == hipFuncCachePreferL1);
    unsigned flags = 1;
    OK(hipSetDeviceFlags(hipDeviceScheduleYield));
    OK(hipGetDeviceFlags(&flags));
    CHECK(flags == hipDeviceScheduleYield);
}

static void peers() {
    int can = 0, count = 0;
    OK(hipGetDeviceCount(&count));
    CHECK(count == 2);
    OK(hipDeviceCanAccessPeer(&can, 0, 1));
    CHECK(can == 1);
    OK(hipDeviceCanAccessPeer(&can, 1, 1));
    CHECK(can == 0);
    OK(hipDeviceEnablePeerAccess(1, 0));
    GIVES(hipErrorPeerAccessAlreadyEnabled, hipDeviceEnablePeerAccess(1, 0));
    int *on_first, *on_second, result = 0, forty_two = 42;
    OK(hipMalloc(&on_first, 4));
    OK(hipSetDevice(1));
    OK(hipMalloc(&on_second, 4));
    OK(hipMemcpy(on_second, &forty_two, 4, hipMemcpyHostToDevice));
    OK(hipMemcpyPeer(on_first, 0, on_second, 1, 4));
    OK(hipMemcpy(&result, on_first, 4, hipMemcpyDeviceToHost));
    CHECK(result == 42);
    hipPointerAttribute_t where;
    OK(hipPointerGetAttributes(&where, on_second));
    CHECK(where.device == 1 && where.type == hipMemoryTypeDevice);
    OK(hipSetDevice(0));
    OK(hipDeviceDisablePeerAccess(1));
    GIVES(hipErrorPeerAccessNotEnabled, hipDeviceDisablePeerAccess(1));
    OK(hipFree(on_first));
    OK(hipFree(on_second));
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void contexts() {
    hipCtx_t context, current;
    hipDevice_t device = -1;
    OK(hipCtxCreate(&context, 0, 1));
    OK(hipCtxGetDevice(&device));
    CHECK(device == 1);
    OK(hipCtxGetCurrent(&current));
    CHECK(current == context);
    OK(hipCtxPopCurrent(&current));
    OK(hipGetDevice(&device));
    CHECK(device == 0);
    OK(hipDevicePrimaryCtxRetain(&context, 0));
    unsigned flags;
    int active;
    OK(hipDevicePrimaryCtxGetState(0, &flags, &active));
    CHECK(active == 1);
    OK(hipDevicePrimaryCtxRelease(0));
}

int main() {
    properties();
    attributes();
    identity();
    limits_and_flags();
    peers();
    contexts();
    return finish();
}
