// API: fills.
#include "hip/call/enter.h"
#include "hip/graph/capture.h"
#include "hip/memory/allocation.h"
#include "hip/stream/operation.h"
#include "hip/stream/stream.h"

using namespace vrocm::hip;

namespace {

Fill linear(void* dst, std::uint32_t value, std::size_t count, unsigned element) {
    Fill made;
    made.dst = static_cast<std::uint8_t*>(dst);
    made.value = element == 1 ? value & 0xff : value;
    made.element = element;
    made.width = count;
    return made;
}

Fill pitched(void* dst, std::size_t pitch, std::uint32_t value, std::size_t width, std::size_t height,
             unsigned element) {
    Fill made = linear(dst, value, width, element);
    require(height <= 1 || width * element <= pitch);
    made.row = pitch;
    made.height = height;
    return made;
}

Fill box(hipPitchedPtr pointer, std::uint32_t value, hipExtent extent) {
    require(extent.width <= pointer.pitch || extent.height <= 1);
    Fill made = pitched(pointer.ptr, pointer.pitch, value, extent.width, extent.height, 1);
    made.slice = pointer.pitch * pointer.ysize;
    made.depth = extent.depth;
    return made;
}

// Memory HIP did not give out is not filled: a wild pointer here would crash the program.
void check(const Fill& fill) {
    if (fill.bytes_spanned() == 0) return;
    require(fill.dst != nullptr);
    require(find_allocation(fill.dst) != nullptr || fill.dst == nullptr);
    check_range(fill.dst, fill.bytes_spanned());
    require(reinterpret_cast<std::uintptr_t>(fill.dst) % fill.element == 0);
}

// Nothing on the host depends on when memory of the GPU itself changes, so HIP does not wait.
bool in_device_memory(const Fill& fill) {
    const auto allocation = find_allocation(fill.dst);
    return allocation && allocation->kind == HipAllocation::Kind::Device;
}

template <class Make>
hipError_t fill(Stream& (*resolve)(hipStream_t), hipStream_t handle, bool wait, Make&& make) {
    return enter([&] {
        const Fill made = make();
        Stream& stream = resolve(handle);
        check(made);
        if (wait) {
            forbid_during_capture(stream);
            stream.fill(made);
            if (!vrocm_clock_is_virtual() || made.bytes_spanned() == 0 || !in_device_memory(made)) stream.synchronize();
        } else {
            submit(stream, FillOperation{made});
        }
    });
}

}  // namespace

extern "C" {

hipError_t hipMemset(void* dst, int value, size_t size) {
    VROCM_API(hipMemset, dst, value, size);
    return fill(to_stream, nullptr, true, [&] { return linear(dst, static_cast<unsigned>(value), size, 1); });
}
hipError_t hipMemset_spt(void* dst, int value, size_t size) {
    VROCM_API(hipMemset_spt, dst, value, size);
    return fill(to_stream_per_thread, nullptr, true,
                [&] { return linear(dst, static_cast<unsigned>(value), size, 1); });
}
hipError_t hipMemsetAsync(void* dst, int value, size_t size, hipStream_t stream) {
    VROCM_API(hipMemsetAsync, dst, value, size, stream);
    return fill(to_stream, stream, false, [&] { return linear(dst, static_cast<unsigned>(value), size, 1); });
}
hipError_t hipMemsetAsync_spt(void* dst, int value, size_t size, hipStream_t stream) {
    VROCM_API(hipMemsetAsync_spt, dst, value, size, stream);
    return fill(to_stream_per_thread, stream, false,
                [&] { return linear(dst, static_cast<unsigned>(value), size, 1); });
}
hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t count) {
    VROCM_API(hipMemsetD8, dst, value, count);
    return fill(to_stream, nullptr, true, [&] { return linear(dst, value, count, 1); });
}
hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count, hipStream_t stream) {
    VROCM_API(hipMemsetD8Async, dst, value, count, stream);
    return fill(to_stream, stream, false, [&] { return linear(dst, value, count, 1); });
}
hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t count) {
    VROCM_API(hipMemsetD16, dst, value, count);
    return fill(to_stream, nullptr, true, [&] { return linear(dst, value, count, 2); });
}
hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count, hipStream_t stream) {
    VROCM_API(hipMemsetD16Async, dst, value, count, stream);
    return fill(to_stream, stream, false, [&] { return linear(dst, value, count, 2); });
}
hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, size_t count) {
    VROCM_API(hipMemsetD32, dst, value, count);
    return fill(to_stream, nullptr, true, [&] { return linear(dst, static_cast<unsigned>(value), count, 4); });
}
hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
    VROCM_API(hipMemsetD32Async, dst, value, count, stream);
    return fill(to_stream, stream, false, [&] { return linear(dst, static_cast<unsigned>(value), count, 4); });
}
hipError_t hipMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
    VROCM_API(hipMemset2D, dst, pitch, value, width, height);
    return fill(to_stream, nullptr, true,
                [&] { return pitched(dst, pitch, static_cast<unsigned>(value), width, height, 1); });
}
hipError_t hipMemset2D_spt(void* dst, size_t pitch, int value, size_t width, size_t height) {
    VROCM_API(hipMemset2D_spt, dst, pitch, value, width, height);
    return fill(to_stream_per_thread, nullptr, true,
                [&] { return pitched(dst, pitch, static_cast<unsigned>(value), width, height, 1); });
}
hipError_t hipMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
    VROCM_API(hipMemset2DAsync, dst, pitch, value, width, height, stream);
    return fill(to_stream, stream, false,
                [&] { return pitched(dst, pitch, static_cast<unsigned>(value), width, height, 1); });
}
hipError_t hipMemset3D(hipPitchedPtr pointer, int value, hipExtent extent) {
    VROCM_API(hipMemset3D, pointer, value, extent);
    return fill(to_stream, nullptr, true, [&] { return box(pointer, static_cast<unsigned>(value), extent); });
}
hipError_t hipMemset3D_spt(hipPitchedPtr pointer, int value, hipExtent extent) {
    VROCM_API(hipMemset3D_spt, pointer, value, extent);
    return fill(to_stream_per_thread, nullptr, true,
                [&] { return box(pointer, static_cast<unsigned>(value), extent); });
}
hipError_t hipMemset3DAsync(hipPitchedPtr pointer, int value, hipExtent extent, hipStream_t stream) {
    VROCM_API(hipMemset3DAsync, pointer, value, extent, stream);
    return fill(to_stream, stream, false, [&] { return box(pointer, static_cast<unsigned>(value), extent); });
}
hipError_t hipMemsetD2D8(hipDeviceptr_t dst, size_t pitch, unsigned char value, size_t width, size_t height) {
    VROCM_API(hipMemsetD2D8, dst, pitch, value, width, height);
    return fill(to_stream, nullptr, true, [&] { return pitched(dst, pitch, value, width, height, 1); });
}
hipError_t hipMemsetD2D8Async(hipDeviceptr_t dst, size_t pitch, unsigned char value, size_t width, size_t height,
                              hipStream_t stream) {
    VROCM_API(hipMemsetD2D8Async, dst, pitch, value, width, height, stream);
    return fill(to_stream, stream, false, [&] { return pitched(dst, pitch, value, width, height, 1); });
}
hipError_t hipMemsetD2D16(hipDeviceptr_t dst, size_t pitch, unsigned short value, size_t width, size_t height) {
    VROCM_API(hipMemsetD2D16, dst, pitch, value, width, height);
    return fill(to_stream, nullptr, true, [&] { return pitched(dst, pitch, value, width, height, 2); });
}
hipError_t hipMemsetD2D16Async(hipDeviceptr_t dst, size_t pitch, unsigned short value, size_t width, size_t height,
                               hipStream_t stream) {
    VROCM_API(hipMemsetD2D16Async, dst, pitch, value, width, height, stream);
    return fill(to_stream, stream, false, [&] { return pitched(dst, pitch, value, width, height, 2); });
}
hipError_t hipMemsetD2D32(hipDeviceptr_t dst, size_t pitch, unsigned int value, size_t width, size_t height) {
    VROCM_API(hipMemsetD2D32, dst, pitch, value, width, height);
    return fill(to_stream, nullptr, true, [&] { return pitched(dst, pitch, value, width, height, 4); });
}
hipError_t hipMemsetD2D32Async(hipDeviceptr_t dst, size_t pitch, unsigned int value, size_t width, size_t height,
                               hipStream_t stream) {
    VROCM_API(hipMemsetD2D32Async, dst, pitch, value, width, height, stream);
    return fill(to_stream, stream, false, [&] { return pitched(dst, pitch, value, width, height, 4); });
}
}
