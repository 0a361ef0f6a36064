// API: copies, in all their forms. Each becomes a hipMemcpy3DParms and from there a Copy.
#include <cstring>

#include "hip/call/enter.h"
#include "hip/device/device.h"
#include "hip/graph/capture.h"
#include "hip/memory/allocation.h"
#include "hip/memory/array.h"
#include "hip/module/program.h"
#include "hip/stream/operation.h"
#include "hip/stream/stream.h"

using namespace vrocm::hip;

namespace {

using Resolve = Stream& (*)(hipStream_t);

// Memory of the GPU itself: nothing on the host depends on when it changes, so HIP does not wait.
bool within_device(const Copy& copy) {
    const auto from = find_allocation(copy.src), to = find_allocation(copy.dst);
    return from && to && from->kind == HipAllocation::Kind::Device && to->kind == HipAllocation::Kind::Device &&
           from->device == to->device;
}

// Submits a copy and waits for it.
void copy_and_wait(Stream& stream, const hipMemcpy3DParms& parameters) {
    forbid_during_capture(stream);
    const Copy copy = resolve_copy(parameters);
    CompletionPtr completion = stream.copy(copy);
    if (vrocm_clock_is_virtual() && !copy.empty() && within_device(copy)) return;
    stream.synchronize();
    require(!completion || !completion->failed());
}

// HIP copies asynchronously only between memory it knows: with plain host memory on either side the call
// returns when the copy is done, and programs rely on that (they reuse or free the memory at once).
bool touches_plain_host_memory(const Copy& copy) {
    return !find_allocation(copy.src) || !find_allocation(copy.dst);
}

void copy_async(Stream& stream, const hipMemcpy3DParms& parameters) {
    const Copy copy = resolve_copy(parameters);  // parameters are checked now, also when only captured
    if (copy.empty()) return;
    if (is_capturing(stream)) {
        capture_operation(stream, CopyOperation{parameters});
        return;
    }
    CompletionPtr completion = stream.copy(copy);
    if (!touches_plain_host_memory(copy)) return;
    stream.synchronize();
    require(!completion || !completion->failed());
}

void check_linear(const void* dst, const void* src, std::size_t size, hipMemcpyKind kind) {
    require((kind >= hipMemcpyHostToHost && kind <= hipMemcpyDefault) || kind == hipMemcpyDeviceToDeviceNoCU,
            hipErrorInvalidMemcpyDirection);
    require(size == 0 || (dst && src));
}

// A copy that waits comes after everything on the device whose memory it touches, whichever device is current.
void wait_for_owner(const void* memory) {
    const auto allocation = find_allocation(memory);
    if (!allocation || allocation->is_host()) return;
    Device& owner = HipRuntime::get().device(allocation->device);
    if (&owner != &current_device()) owner.synchronize();
}

hipError_t linear(Resolve resolve, void* dst, const void* src, std::size_t size, hipMemcpyKind kind, hipStream_t stream,
                  bool wait) {
    return enter([&] {
        check_linear(dst, src, size, kind);
        if (size == 0 || dst == src) return;
        const hipMemcpy3DParms parameters = linear_copy_parameters(dst, src, size, kind);
        if (wait && !stream) {
            wait_for_owner(src);
            wait_for_owner(dst);
        }
        if (wait)
            copy_and_wait(resolve(stream), parameters);
        else
            copy_async(resolve(stream), parameters);
    });
}

hipMemcpy3DParms pitched(void* dst, std::size_t dst_pitch, const void* src, std::size_t src_pitch, std::size_t width,
                         std::size_t height, hipMemcpyKind kind) {
    require(dst && src);
    require(width <= dst_pitch && width <= src_pitch, hipErrorInvalidPitchValue);
    hipMemcpy3DParms made{};
    made.srcPtr = make_hipPitchedPtr(const_cast<void*>(src), src_pitch, width, height);
    made.dstPtr = make_hipPitchedPtr(dst, dst_pitch, width, height);
    made.extent = make_hipExtent(width, height, 1);
    made.kind = kind;
    return made;
}

// Widths of array copies are in bytes in the two-dimensional functions, in texels in hipMemcpy3DParms.
std::size_t texels(const hipArray& array, std::size_t bytes) {
    require(bytes % array.texel_bytes == 0);
    return bytes / array.texel_bytes;
}

hipMemcpy3DParms to_array_2d(hipArray_t dst, std::size_t x, std::size_t y, const void* src, std::size_t pitch,
                             std::size_t width, std::size_t height, hipMemcpyKind kind) {
    require(dst && src);
    const hipArray& array = to_array(dst);
    hipMemcpy3DParms made{};
    made.dstArray = dst;
    made.dstPos = make_hipPos(texels(array, x), y, 0);
    made.srcPtr = make_hipPitchedPtr(const_cast<void*>(src), pitch, width, height);
    made.extent = make_hipExtent(texels(array, width), height, 1);
    made.kind = kind;
    return made;
}

hipMemcpy3DParms from_array_2d(void* dst, std::size_t pitch, hipArray_const_t src, std::size_t x, std::size_t y,
                               std::size_t width, std::size_t height, hipMemcpyKind kind) {
    require(dst && src);
    const hipArray& array = to_array(src);
    hipMemcpy3DParms made{};
    made.srcArray = const_cast<hipArray_t>(src);
    made.srcPos = make_hipPos(texels(array, x), y, 0);
    made.dstPtr = make_hipPitchedPtr(dst, pitch, width, height);
    made.extent = make_hipExtent(texels(array, width), height, 1);
    made.kind = kind;
    return made;
}

// The driver structs name the kind of memory on each side.
hipMemcpy3DParms from_driver(const HIP_MEMCPY3D& p) {
    hipMemcpy3DParms made{};
    made.kind = hipMemcpyDefault;
    made.extent = make_hipExtent(p.WidthInBytes, p.Height, p.Depth);
    std::size_t texel = 1;
    if (p.srcMemoryType == hipMemoryTypeArray) {
        made.srcArray = p.srcArray;
        texel = to_array(p.srcArray).texel_bytes;
        made.srcPos = make_hipPos(p.srcXInBytes / texel, p.srcY, p.srcZ);
    } else {
        auto* pointer = p.srcMemoryType == hipMemoryTypeHost ? const_cast<void*>(p.srcHost) : p.srcDevice;
        made.srcPtr = make_hipPitchedPtr(pointer, p.srcPitch ? p.srcPitch : p.WidthInBytes, p.WidthInBytes,
                                         p.srcHeight ? p.srcHeight : p.Height);
        made.srcPos = make_hipPos(p.srcXInBytes, p.srcY, p.srcZ);
    }
    if (p.dstMemoryType == hipMemoryTypeArray) {
        made.dstArray = p.dstArray;
        texel = to_array(p.dstArray).texel_bytes;
        made.dstPos = make_hipPos(p.dstXInBytes / texel, p.dstY, p.dstZ);
    } else {
        auto* pointer = p.dstMemoryType == hipMemoryTypeHost ? p.dstHost : p.dstDevice;
        made.dstPtr = make_hipPitchedPtr(pointer, p.dstPitch ? p.dstPitch : p.WidthInBytes, p.WidthInBytes,
                                         p.dstHeight ? p.dstHeight : p.Height);
        made.dstPos = make_hipPos(p.dstXInBytes, p.dstY, p.dstZ);
    }
    made.extent.width /= texel;
    return made;
}

hipMemcpy3DParms from_driver(const hip_Memcpy2D& p) {
    HIP_MEMCPY3D wide{};
    wide.srcXInBytes = p.srcXInBytes;
    wide.srcY = p.srcY;
    wide.srcMemoryType = p.srcMemoryType;
    wide.srcHost = p.srcHost;
    wide.srcDevice = p.srcDevice;
    wide.srcArray = p.srcArray;
    wide.srcPitch = p.srcPitch;
    wide.dstXInBytes = p.dstXInBytes;
    wide.dstY = p.dstY;
    wide.dstMemoryType = p.dstMemoryType;
    wide.dstHost = p.dstHost;
    wide.dstDevice = p.dstDevice;
    wide.dstArray = p.dstArray;
    wide.dstPitch = p.dstPitch;
    wide.WidthInBytes = p.WidthInBytes;
    wide.Height = p.Height;
    wide.Depth = 1;
    return from_driver(wide);
}

hipMemcpy3DParms from_peer(const hipMemcpy3DPeerParms& p) {
    hipMemcpy3DParms made{};
    made.srcArray = p.srcArray;
    made.srcPos = p.srcPos;
    made.srcPtr = p.srcPtr;
    made.dstArray = p.dstArray;
    made.dstPos = p.dstPos;
    made.dstPtr = p.dstPtr;
    made.extent = p.extent;
    made.kind = hipMemcpyDefault;
    return made;
}

hipError_t to_symbol(Resolve resolve, const void* symbol, const void* src, std::size_t size, std::size_t offset,
                     hipMemcpyKind kind, hipStream_t stream, bool wait) {
    return enter([&] {
        require(kind != hipMemcpyDeviceToHost && kind != hipMemcpyHostToHost, hipErrorInvalidMemcpyDirection);
        void* place = symbol_place(symbol, size, offset);
        require(src != nullptr);
        if (size == 0) return;
        const hipMemcpy3DParms parameters = linear_copy_parameters(place, src, size, kind);
        if (wait)
            copy_and_wait(resolve(stream), parameters);
        else
            copy_async(resolve(stream), parameters);
    });
}

hipError_t from_symbol(Resolve resolve, void* dst, const void* symbol, std::size_t size, std::size_t offset,
                       hipMemcpyKind kind, hipStream_t stream, bool wait) {
    return enter([&] {
        require(kind != hipMemcpyHostToDevice && kind != hipMemcpyHostToHost, hipErrorInvalidMemcpyDirection);
        void* place = symbol_place(symbol, size, offset);
        require(dst != nullptr);
        if (size == 0) return;
        const hipMemcpy3DParms parameters = linear_copy_parameters(dst, place, size, kind);
        if (wait)
            copy_and_wait(resolve(stream), parameters);
        else
            copy_async(resolve(stream), parameters);
    });
}

template <class Make>
hipError_t box(Resolve resolve, hipStream_t stream, bool wait, Make&& make) {
    return enter([&] {
        const hipMemcpy3DParms parameters = make();
        if (wait)
            copy_and_wait(resolve(stream), parameters);
        else
            copy_async(resolve(stream), parameters);
    });
}

// Peer copies name devices; with one address space they are copies like any other.
void check_peers(int a, int b) {
    HipRuntime::get().device(a);
    HipRuntime::get().device(b);
}

hipMemcpy3DParms array_bytes(hipArray_t array, std::size_t offset, void* pointer, std::size_t count, bool to_array_) {
    // Bytes counted from the start of the first row.
    const hipArray& a = to_array(array);
    require(offset + count <= a.row_bytes);
    return to_array_ ? linear_copy_parameters(a.data + offset, pointer, count, hipMemcpyDefault)
                     : linear_copy_parameters(pointer, a.data + offset, count, hipMemcpyDefault);
}

}  // namespace

extern "C" {

hipError_t hipMemcpy(void* dst, const void* src, size_t size, hipMemcpyKind kind) {
    VROCM_API(hipMemcpy, dst, src, size, kind);
    return linear(to_stream, dst, src, size, kind, nullptr, true);
}
hipError_t hipMemcpy_spt(void* dst, const void* src, size_t size, hipMemcpyKind kind) {
    VROCM_API(hipMemcpy_spt, dst, src, size, kind);
    return linear(to_stream_per_thread, dst, src, size, kind, nullptr, true);
}
hipError_t hipMemcpyWithStream(void* dst, const void* src, size_t size, hipMemcpyKind kind, hipStream_t stream) {
    VROCM_API(hipMemcpyWithStream, dst, src, size, kind, stream);
    return linear(to_stream, dst, src, size, kind, stream, true);
}
hipError_t hipMemcpyAsync(void* dst, const void* src, size_t size, hipMemcpyKind kind, hipStream_t stream) {
    VROCM_API(hipMemcpyAsync, dst, src, size, kind, stream);
    return linear(to_stream, dst, src, size, kind, stream, false);
}
hipError_t hipMemcpyAsync_spt(void* dst, const void* src, size_t size, hipMemcpyKind kind, hipStream_t stream) {
    VROCM_API(hipMemcpyAsync_spt, dst, src, size, kind, stream);
    return linear(to_stream_per_thread, dst, src, size, kind, stream, false);
}
hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void* src, size_t size) {
    VROCM_API(hipMemcpyHtoD, dst, src, size);
    return linear(to_stream, dst, src, size, hipMemcpyHostToDevice, nullptr, true);
}
hipError_t hipMemcpyDtoH(void* dst, hipDeviceptr_t src, size_t size) {
    VROCM_API(hipMemcpyDtoH, dst, src, size);
    return linear(to_stream, dst, src, size, hipMemcpyDeviceToHost, nullptr, true);
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size) {
    VROCM_API(hipMemcpyDtoD, dst, src, size);
    return linear(to_stream, dst, src, size, hipMemcpyDeviceToDevice, nullptr, true);
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void* src, size_t size, hipStream_t stream) {
    VROCM_API(hipMemcpyHtoDAsync, dst, src, size, stream);
    return linear(to_stream, dst, src, size, hipMemcpyHostToDevice, stream, false);
}
hipError_t hipMemcpyDtoHAsync(void* dst, hipDeviceptr_t src, size_t size, hipStream_t stream) {
    VROCM_API(hipMemcpyDtoHAsync, dst, src, size, stream);
    return linear(to_stream, dst, src, size, hipMemcpyDeviceToHost, stream, false);
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size, hipStream_t stream) {
    VROCM_API(hipMemcpyDtoDAsync, dst, src, size, stream);
    return linear(to_stream, dst, src, size, hipMemcpyDeviceToDevice, stream, false);
}

hipError_t hipMemcpyPeer(void* dst, int dst_device, const void* src, int src_device, size_t size) {
    VROCM_API(hipMemcpyPeer, dst, dst_device, src, src_device, size);
    const hipError_t status = enter([&] { check_peers(dst_device, src_device); });
    if (status != hipSuccess) return status;
    return linear(to_stream, dst, src, size, hipMemcpyDeviceToDevice, nullptr, true);
}
hipError_t hipMemcpyPeerAsync(void* dst, int dst_device, const void* src, int src_device, size_t size,
                              hipStream_t stream) {
    VROCM_API(hipMemcpyPeerAsync, dst, dst_device, src, src_device, size, stream);
    const hipError_t status = enter([&] { check_peers(dst_device, src_device); });
    if (status != hipSuccess) return status;
    return linear(to_stream, dst, src, size, hipMemcpyDeviceToDevice, stream, false);
}

hipError_t hipGetSymbolAddress(void** pointer, const void* symbol) {
    VROCM_API(hipGetSymbolAddress, pointer, symbol);
    return enter([&] {
        require(pointer != nullptr);
        *pointer = symbol_place(symbol, 0, 0);
    });
}
hipError_t hipGetSymbolSize(size_t* size, const void* symbol) {
    VROCM_API(hipGetSymbolSize, size, symbol);
    return enter([&] {
        require(size != nullptr);
        require(symbol != nullptr, hipErrorInvalidSymbol);
        const Module::Global global = Program::get().variable(symbol, current_device());
        require(global.address != nullptr, hipErrorInvalidSymbol);
        *size = global.size;
    });
}
hipError_t hipMemcpyToSymbol(const void* symbol, const void* src, size_t size, size_t offset, hipMemcpyKind kind) {
    VROCM_API(hipMemcpyToSymbol, symbol, src, size, offset, kind);
    return to_symbol(to_stream, symbol, src, size, offset, kind, nullptr, true);
}
hipError_t hipMemcpyToSymbol_spt(const void* symbol, const void* src, size_t size, size_t offset, hipMemcpyKind kind) {
    VROCM_API(hipMemcpyToSymbol_spt, symbol, src, size, offset, kind);
    return to_symbol(to_stream_per_thread, symbol, src, size, offset, kind, nullptr, true);
}
hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* src, size_t size, size_t offset, hipMemcpyKind kind,
                                  hipStream_t stream) {
    VROCM_API(hipMemcpyToSymbolAsync, symbol, src, size, offset, kind, stream);
    return to_symbol(to_stream, symbol, src, size, offset, kind, stream, false);
}
hipError_t hipMemcpyFromSymbol(void* dst, const void* symbol, size_t size, size_t offset, hipMemcpyKind kind) {
    VROCM_API(hipMemcpyFromSymbol, dst, symbol, size, offset, kind);
    return from_symbol(to_stream, dst, symbol, size, offset, kind, nullptr, true);
}
hipError_t hipMemcpyFromSymbol_spt(void* dst, const void* symbol, size_t size, size_t offset, hipMemcpyKind kind) {
    VROCM_API(hipMemcpyFromSymbol_spt, dst, symbol, size, offset, kind);
    return from_symbol(to_stream_per_thread, dst, symbol, size, offset, kind, nullptr, true);
}
hipError_t hipMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t size, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream) {
    VROCM_API(hipMemcpyFromSymbolAsync, dst, symbol, size, offset, kind, stream);
    return from_symbol(to_stream, dst, symbol, size, offset, kind, stream, false);
}

hipError_t hipMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                       hipMemcpyKind kind) {
    VROCM_API(hipMemcpy2D, dst, dpitch, src, spitch, width, height, kind);
    return box(to_stream, nullptr, true, [&] { return pitched(dst, dpitch, src, spitch, width, height, kind); });
}
hipError_t hipMemcpy2D_spt(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                           hipMemcpyKind kind) {
    VROCM_API(hipMemcpy2D_spt, dst, dpitch, src, spitch, width, height, kind);
    return box(to_stream_per_thread, nullptr, true,
               [&] { return pitched(dst, dpitch, src, spitch, width, height, kind); });
}
hipError_t hipMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
    VROCM_API(hipMemcpy2DAsync, dst, dpitch, src, spitch, width, height, kind, stream);
    return box(to_stream, stream, false, [&] { return pitched(dst, dpitch, src, spitch, width, height, kind); });
}
hipError_t hipMemcpyParam2D(const hip_Memcpy2D* copy) {
    VROCM_API(hipMemcpyParam2D, copy);
    return box(to_stream, nullptr, true, [&] {
        require(copy != nullptr);
        return from_driver(*copy);
    });
}
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* copy, hipStream_t stream) {
    VROCM_API(hipMemcpyParam2DAsync, copy, stream);
    return box(to_stream, stream, false, [&] {
        require(copy != nullptr);
        return from_driver(*copy);
    });
}
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* copy) {
    VROCM_API(hipDrvMemcpy2DUnaligned, copy);
    return hipMemcpyParam2D(copy);
}

hipError_t hipMemcpy3D(const hipMemcpy3DParms* p) {
    VROCM_API(hipMemcpy3D, p);
    return box(to_stream, nullptr, true, [&] {
        require(p != nullptr);
        return *p;
    });
}
hipError_t hipMemcpy3D_spt(const hipMemcpy3DParms* p) {
    VROCM_API(hipMemcpy3D_spt, p);
    return box(to_stream_per_thread, nullptr, true, [&] {
        require(p != nullptr);
        return *p;
    });
}
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* p, hipStream_t stream) {
    VROCM_API(hipMemcpy3DAsync, p, stream);
    return box(to_stream, stream, false, [&] {
        require(p != nullptr);
        return *p;
    });
}
hipError_t hipMemcpy3DPeer(hipMemcpy3DPeerParms* p) {
    VROCM_API(hipMemcpy3DPeer, p);
    return box(to_stream, nullptr, true, [&] {
        require(p != nullptr);
        check_peers(p->srcDevice, p->dstDevice);
        return from_peer(*p);
    });
}
hipError_t hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms* p, hipStream_t stream) {
    VROCM_API(hipMemcpy3DPeerAsync, p, stream);
    return box(to_stream, stream, false, [&] {
        require(p != nullptr);
        check_peers(p->srcDevice, p->dstDevice);
        return from_peer(*p);
    });
}
hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* copy) {
    VROCM_API(hipDrvMemcpy3D, copy);
    return box(to_stream, nullptr, true, [&] {
        require(copy != nullptr);
        return from_driver(*copy);
    });
}
hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* copy, hipStream_t stream) {
    VROCM_API(hipDrvMemcpy3DAsync, copy, stream);
    return box(to_stream, stream, false, [&] {
        require(copy != nullptr);
        return from_driver(*copy);
    });
}

hipError_t hipMemcpy2DToArray(hipArray_t dst, size_t x, size_t y, const void* src, size_t pitch, size_t width,
                              size_t height, hipMemcpyKind kind) {
    VROCM_API(hipMemcpy2DToArray, dst, x, y, src, pitch, width, height, kind);
    return box(to_stream, nullptr, true, [&] { return to_array_2d(dst, x, y, src, pitch, width, height, kind); });
}
hipError_t hipMemcpy2DToArrayAsync(hipArray_t dst, size_t x, size_t y, const void* src, size_t pitch, size_t width,
                                   size_t height, hipMemcpyKind kind, hipStream_t stream) {
    VROCM_API(hipMemcpy2DToArrayAsync, dst, x, y, src, pitch, width, height, kind, stream);
    return box(to_stream, stream, false, [&] { return to_array_2d(dst, x, y, src, pitch, width, height, kind); });
}
hipError_t hipMemcpy2DFromArray(void* dst, size_t pitch, hipArray_const_t src, size_t x, size_t y, size_t width,
                                size_t height, hipMemcpyKind kind) {
    VROCM_API(hipMemcpy2DFromArray, dst, pitch, src, x, y, width, height, kind);
    return box(to_stream, nullptr, true, [&] { return from_array_2d(dst, pitch, src, x, y, width, height, kind); });
}
hipError_t hipMemcpy2DFromArrayAsync(void* dst, size_t pitch, hipArray_const_t src, size_t x, size_t y, size_t width,
                                     size_t height, hipMemcpyKind kind, hipStream_t stream) {
    VROCM_API(hipMemcpy2DFromArrayAsync, dst, pitch, src, x, y, width, height, kind, stream);
    return box(to_stream, stream, false, [&] { return from_array_2d(dst, pitch, src, x, y, width, height, kind); });
}
hipError_t hipMemcpy2DArrayToArray(hipArray_t dst, size_t dst_x, size_t dst_y, hipArray_const_t src, size_t src_x,
                                   size_t src_y, size_t width, size_t height, hipMemcpyKind kind) {
    VROCM_API(hipMemcpy2DArrayToArray, dst, dst_x, dst_y, src, src_x, src_y, width, height, kind);
    return box(to_stream, nullptr, true, [&] {
        require(dst && src);
        const hipArray &to = to_array(dst), &from = to_array(src);
        hipMemcpy3DParms made{};
        made.dstArray = dst;
        made.dstPos = make_hipPos(texels(to, dst_x), dst_y, 0);
        made.srcArray = const_cast<hipArray_t>(src);
        made.srcPos = make_hipPos(texels(from, src_x), src_y, 0);
        made.extent = make_hipExtent(texels(from, width), height, 1);
        made.kind = kind;
        return made;
    });
}
hipError_t hipMemcpyToArray(hipArray_t dst, size_t x, size_t y, const void* src, size_t count, hipMemcpyKind kind) {
    VROCM_API(hipMemcpyToArray, dst, x, y, src, count, kind);
    // Fills rows from the position on; whole rows follow each other.
    return box(to_stream, nullptr, true, [&] {
        require(dst && src);
        const hipArray& array = to_array(dst);
        const std::size_t row = array.extent.width * array.texel_bytes;
        if (x + count <= row) return to_array_2d(dst, x, y, src, count, count, 1, kind);
        require(x == 0 && count % row == 0);
        return to_array_2d(dst, 0, y, src, row, row, count / row, kind);
    });
}
hipError_t hipMemcpyFromArray(void* dst, hipArray_const_t src, size_t x, size_t y, size_t count, hipMemcpyKind kind) {
    VROCM_API(hipMemcpyFromArray, dst, src, x, y, count, kind);
    return box(to_stream, nullptr, true, [&] {
        require(dst && src);
        const hipArray& array = to_array(src);
        const std::size_t row = array.extent.width * array.texel_bytes;
        if (x + count <= row) return from_array_2d(dst, count, src, x, y, count, 1, kind);
        require(x == 0 && count % row == 0);
        return from_array_2d(dst, row, src, 0, y, row, count / row, kind);
    });
}
hipError_t hipMemcpyAtoH(void* dst, hipArray_t src, size_t offset, size_t count) {
    VROCM_API(hipMemcpyAtoH, dst, src, offset, count);
    return box(to_stream, nullptr, true, [&] { return array_bytes(src, offset, dst, count, false); });
}
hipError_t hipMemcpyHtoA(hipArray_t dst, size_t offset, const void* src, size_t count) {
    VROCM_API(hipMemcpyHtoA, dst, offset, src, count);
    return box(to_stream, nullptr, true, [&] { return array_bytes(dst, offset, const_cast<void*>(src), count, true); });
}
hipError_t hipMemcpyAtoD(hipDeviceptr_t dst, hipArray_t src, size_t offset, size_t count) {
    VROCM_API(hipMemcpyAtoD, dst, src, offset, count);
    return hipMemcpyAtoH(dst, src, offset, count);
}
hipError_t hipMemcpyDtoA(hipArray_t dst, size_t offset, hipDeviceptr_t src, size_t count) {
    VROCM_API(hipMemcpyDtoA, dst, offset, src, count);
    return hipMemcpyHtoA(dst, offset, src, count);
}
hipError_t hipMemcpyAtoA(hipArray_t dst, size_t dst_offset, hipArray_t src, size_t src_offset, size_t count) {
    VROCM_API(hipMemcpyAtoA, dst, dst_offset, src, src_offset, count);
    return box(to_stream, nullptr, true, [&] {
        const hipArray& from = to_array(src);
        require(src_offset + count <= from.row_bytes);
        return array_bytes(dst, dst_offset, from.data + src_offset, count, true);
    });
}
}
