// Memory: allocation, copies of every shape, fills, registration, advice.
#include <hip/hip_runtime_api.h>

#include "check.h"

static void allocation() {
    void* p = reinterpret_cast<void*>(1);
    OK(hipMalloc(&p, 0));
    CHECK(p == nullptr);
    GIVES(hipErrorOutOfMemory, hipMalloc(&p, size_t{1} << 50));
    OK(hipFree(nullptr));
    int local;
    GIVES(hipErrorInvalidValue, hipFree(&local));
    size_t free_before, free_after, total;
    OK(hipMemGetInfo(&free_before, &total));
    OK(hipMalloc(&p, 64 << 20));
    OK(hipMemGetInfo(&free_after, &total));
    CHECK(free_after < free_before && free_before <= total);
    size_t size = 0;
    OK(hipMemPtrGetInfo(p, &size));
    CHECK(size == 64 << 20);
    void* base = nullptr;
    OK(hipMemGetAddressRange(&base, &size, static_cast<char*>(p) + 1000));
    CHECK(base == p && size == 64 << 20);
    GIVES(hipErrorInvalidValue, hipFree(static_cast<char*>(p) + 256));
    OK(hipFree(p));
    GIVES(hipErrorInvalidValue, hipFree(p));
}

static void linear_copies() {
    constexpr size_t n = 1000;
    std::vector<int> in(n), out(n);
    for (size_t i = 0; i < n; ++i) in[i] = static_cast<int>(i * 7);
    int *a, *b;
    OK(hipMalloc(&a, n * 4));
    OK(hipMalloc(&b, n * 4));
    OK(hipMemcpy(a, in.data(), n * 4, hipMemcpyHostToDevice));
    OK(hipMemcpy(b, a, n * 4, hipMemcpyDeviceToDevice));
    OK(hipMemcpy(out.data(), b, n * 4, hipMemcpyDefault));
    CHECK(in == out);
    OK(hipMemcpyDtoH(out.data(), a + 10, 40));
    CHECK(out[0] == 70);
    GIVES(hipErrorInvalidValue, hipMemcpy(a, in.data(), n * 4 + 4, hipMemcpyHostToDevice));
    GIVES(hipErrorInvalidValue, hipMemcpy(a + 1, in.data(), n * 4, hipMemcpyHostToDevice));
    GIVES(hipErrorInvalidValue, hipMemcpy(nullptr, in.data(), 4, hipMemcpyHostToDevice));
    GIVES(hipErrorInvalidMemcpyDirection, hipMemcpy(a, in.data(), 4, static_cast<hipMemcpyKind>(17)));
    OK(hipMemcpy(nullptr, nullptr, 0, hipMemcpyHostToDevice));
    OK(hipFree(a));
    OK(hipFree(b));
}

static void fills() {
    unsigned char* p;
    OK(hipMalloc(&p, 4096));
    std::vector<unsigned char> out(4096);
    OK(hipMemset(p, 0x1ff, 4096));
    OK(hipMemsetD16(p, 0xabcd, 8));
    OK(hipMemsetD32(p + 16, 0x01020304, 2));
    OK(hipMemcpy(out.data(), p, 4096, hipMemcpyDeviceToHost));
    CHECK(out[0] == 0xcd && out[15] == 0xab && out[16] == 4 && out[23] == 1 && out[24] == 0xff && out[4095] == 0xff);
    OK(hipMemset2D(p, 64, 5, 10, 4));
    OK(hipMemcpy(out.data(), p, 4096, hipMemcpyDeviceToHost));
    CHECK(out[9] == 5 && out[64] == 5 && out[3 * 64 + 9] == 5 && out[3 * 64 + 10] == 0xff && out[4 * 64] == 0xff);
    OK(hipMemset3D(make_hipPitchedPtr(p, 32, 32, 4), 9, make_hipExtent(3, 2, 2)));
    OK(hipMemcpy(out.data(), p, 4096, hipMemcpyDeviceToHost));
    CHECK(out[2] == 9 && out[32 + 2] == 9 && out[128] == 9 && out[128 + 32 + 2] == 9 && out[64 + 1] == 5);
    GIVES(hipErrorInvalidValue, hipMemset(p, 0, 4097));
    int local = 0;
    GIVES(hipErrorInvalidValue, hipMemset(&local, 0, 4));
    OK(hipFree(p));
}

static void boxes() {
    // A 5 x 3 piece of a 8 x 4 picture into pitched memory and back.
    int picture[4][8], back[4][8] = {};
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 8; ++x) picture[y][x] = y * 100 + x;
    int* device;
    size_t pitch = 0;
    OK(hipMallocPitch(&device, &pitch, 5 * 4, 3));
    CHECK(pitch >= 20 && pitch % 256 == 0);
    OK(hipMemcpy2D(device, pitch, &picture[1][2], sizeof picture[0], 20, 3, hipMemcpyHostToDevice));
    OK(hipMemcpy2D(&back[0][1], sizeof back[0], device, pitch, 20, 3, hipMemcpyDeviceToHost));
    CHECK(back[0][1] == 102 && back[2][5] == 306 && back[0][0] == 0 && back[2][6] == 0);
    GIVES(hipErrorInvalidPitchValue, hipMemcpy2D(device, 16, picture, 32, 20, 3, hipMemcpyHostToDevice));
    OK(hipFree(device));

    hipPitchedPtr volume;
    hipExtent extent = make_hipExtent(4 * 4, 3, 2);
    OK(hipMalloc3D(&volume, extent));
    std::vector<int> in(24), out(24);
    for (int i = 0; i < 24; ++i) in[static_cast<size_t>(i)] = i;
    hipMemcpy3DParms copy{};
    copy.srcPtr = make_hipPitchedPtr(in.data(), 16, 4, 3);
    copy.dstPtr = volume;
    copy.extent = extent;
    copy.kind = hipMemcpyHostToDevice;
    OK(hipMemcpy3D(&copy));
    hipMemcpy3DParms piece{};  // the upper slice without its first row and column
    piece.srcPtr = volume;
    piece.srcPos = make_hipPos(4, 1, 1);
    piece.dstPtr = make_hipPitchedPtr(out.data(), 12, 3, 2);
    piece.extent = make_hipExtent(12, 2, 1);
    piece.kind = hipMemcpyDeviceToHost;
    OK(hipMemcpy3D(&piece));
    CHECK(out[0] == 17 && out[2] == 19 && out[3] == 21 && out[5] == 23 && out[6] == 0);
    OK(hipFree(volume.ptr));
}

static void arrays() {
    hipChannelFormatDesc format = hipCreateChannelDesc<float>(), got;
    hipArray_t array;
    OK(hipMallocArray(&array, &format, 7, 3));
    float in[3][7], out[3][7] = {};
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 7; ++x) in[y][x] = static_cast<float>(y * 10 + x);
    OK(hipMemcpy2DToArray(array, 0, 0, in, sizeof in[0], sizeof in[0], 3, hipMemcpyHostToDevice));
    OK(hipMemcpy2DFromArray(out, sizeof out[0], array, 8, 1, 12, 2, hipMemcpyDeviceToHost));
    CHECK(out[0][0] == 12 && out[0][2] == 14 && out[1][0] == 22 && out[0][3] == 0);
    OK(hipGetChannelDesc(&got, array));
    CHECK(got.x == 32 && got.y == 0 && got.f == hipChannelFormatKindFloat);
    HIP_ARRAY_DESCRIPTOR description;
    OK(hipArrayGetDescriptor(&description, array));
    CHECK(description.Width == 7 && description.Height == 3 && description.Format == HIP_AD_FORMAT_FLOAT);
    GIVES(hipErrorInvalidValue, hipMemcpy2DToArray(array, 0, 1, in, 28, 28, 3, hipMemcpyHostToDevice));
    OK(hipFreeArray(array));
    GIVES(hipErrorInvalidHandle, hipFreeArray(array));
    format = hipCreateChannelDesc(8, 8, 8, 0, hipChannelFormatKindUnsigned);
    GIVES(hipErrorInvalidValue, hipMallocArray(&array, &format, 4, 4));
    hipMipmappedArray_t levels;
    hipArray_t level;
    format = hipCreateChannelDesc<unsigned char>();
    OK(hipMallocMipmappedArray(&levels, &format, make_hipExtent(16, 8, 0), 3));
    OK(hipGetMipmappedArrayLevel(&level, levels, 2));
    OK(hipArrayGetDescriptor(&description, level));
    CHECK(description.Width == 4 && description.Height == 2);
    OK(hipFreeMipmappedArray(levels));
}

static void host_memory() {
    int* pinned;
    OK(hipHostMalloc(&pinned, 4096, hipHostMallocMapped));
    pinned[3] = 77;
    void* device = nullptr;
    OK(hipHostGetDevicePointer(&device, pinned, 0));
    CHECK(device != nullptr);
    hipPointerAttribute_t a;
    OK(hipPointerGetAttributes(&a, pinned + 1));
    CHECK(a.type == hipMemoryTypeHost && a.hostPointer == pinned + 1);
    unsigned flags = 0;
    OK(hipHostGetFlags(&flags, pinned));
    CHECK(flags == hipHostMallocMapped);
    OK(hipHostFree(pinned));

    std::vector<int> mine(5000, 3);
    OK(hipHostRegister(mine.data(), mine.size() * 4, hipHostRegisterDefault));
    GIVES(hipErrorHostMemoryAlreadyRegistered, hipHostRegister(mine.data() + 100, 64, hipHostRegisterDefault));
    OK(hipPointerGetAttributes(&a, mine.data() + 10));
    CHECK(a.type == hipMemoryTypeHost);
    OK(hipHostUnregister(mine.data()));
    GIVES(hipErrorHostMemoryNotRegistered, hipHostUnregister(mine.data()));
    OK(hipPointerGetAttributes(&a, mine.data()));
    CHECK(a.type == hipMemoryTypeUnregistered);
}

static void managed_memory() {
    int* p;
    OK(hipMallocManaged(&p, 1 << 16));
    p[0] = 5;
    hipPointerAttribute_t a;
    OK(hipPointerGetAttributes(&a, p));
    CHECK(a.isManaged == 1 && a.type == hipMemoryTypeManaged);
    OK(hipMemAdvise(p, 1 << 16, hipMemAdviseSetReadMostly, 0));
    OK(hipMemAdvise(p, 1 << 16, hipMemAdviseSetAccessedBy, hipCpuDeviceId));
    OK(hipMemPrefetchAsync(p, 1 << 16, 0, nullptr));
    int value = -1;
    OK(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeReadMostly, p, 1 << 16));
    CHECK(value == 1);
    OK(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeLastPrefetchLocation, p, 1 << 16));
    CHECK(value == 0);
    int by[2] = {};
    OK(hipMemRangeGetAttribute(by, sizeof by, hipMemRangeAttributeAccessedBy, p, 1 << 16));
    CHECK(by[0] == hipCpuDeviceId && by[1] == hipInvalidDeviceId);
    GIVES(hipErrorInvalidDevice, hipMemPrefetchAsync(p, 1 << 16, 9, nullptr));
    GIVES(hipErrorInvalidValue, hipMemAdvise(p, (1 << 16) + 1, hipMemAdviseSetReadMostly, 0));
    OK(hipFree(p));
}

static void pools() {
    hipMemPool_t pool;
    OK(hipDeviceGetDefaultMemPool(&pool, 0));
    uint64_t threshold = 1 << 20, value = 0;
    OK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    int *p, *again, out[4];
    OK(hipMallocAsync(&p, 1000, stream));
    OK(hipMemsetAsync(p, 1, 1000, stream));
    OK(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &value));
    CHECK(value >= 1000);
    OK(hipMemcpyAsync(out, p, 16, hipMemcpyDeviceToHost, stream));
    OK(hipFreeAsync(p, stream));
    GIVES(hipErrorInvalidValue, hipFreeAsync(p, stream));
    OK(hipMallocAsync(&again, 1000, stream));
    CHECK(again == p);  // kept below the threshold and used again
    OK(hipFreeAsync(again, stream));
    OK(hipStreamSynchronize(stream));
    CHECK(out[3] == 0x01010101);
    OK(hipMemPoolTrimTo(pool, 0));
    OK(hipMemPoolGetAttribute(pool, hipMemPoolAttrReservedMemCurrent, &value));
    CHECK(value == 0);
    hipMemPoolProps properties{};
    properties.allocType = hipMemAllocationTypePinned;
    properties.location = {hipMemLocationTypeDevice, 0};
    hipMemPool_t own;
    OK(hipMemPoolCreate(&own, &properties));
    OK(hipMallocFromPoolAsync(&p, 64, own, stream));
    OK(hipFreeAsync(p, stream));
    OK(hipMemPoolDestroy(own));
    OK(hipStreamDestroy(stream));
}

static void virtual_memory() {
    hipMemAllocationProp properties{};
    properties.type = hipMemAllocationTypePinned;
    properties.location = {hipMemLocationTypeDevice, 0};
    size_t granule = 0;
    OK(hipMemGetAllocationGranularity(&granule, &properties, hipMemAllocationGranularityMinimum));
    CHECK(granule >= 4096);
    void* range = nullptr;
    OK(hipMemAddressReserve(&range, 4 * granule, 0, nullptr, 0));
    hipMemGenericAllocationHandle_t handle, same;
    OK(hipMemCreate(&handle, granule, &properties, 0));
    OK(hipMemMap(range, granule, 0, handle, 0));
    hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
    OK(hipMemSetAccess(range, granule, &access, 1));
    unsigned long long flags = 0;
    OK(hipMemGetAccess(&flags, &access.location, range));
    CHECK(flags == hipMemAccessFlagsProtReadWrite);
    int in = 11, out = 0;
    OK(hipMemcpy(range, &in, 4, hipMemcpyHostToDevice));
    OK(hipMemcpy(&out, range, 4, hipMemcpyDeviceToHost));
    CHECK(out == 11);
    OK(hipMemRetainAllocationHandle(&same, range));
    CHECK(same == handle);
    OK(hipMemRelease(same));
    OK(hipMemUnmap(range, granule));
    OK(hipMemRelease(handle));
    OK(hipMemAddressFree(range, 4 * granule));
}

int main() {
    allocation();
    linear_copies();
    fills();
    boxes();
    arrays();
    host_memory();
    managed_memory();
    pools();
    virtual_memory();
    return finish();
}
