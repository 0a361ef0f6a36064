#include "hip/stream/operation.h"

#include "hip/error.h"
#include "hip/graph/capture.h"
#include "hip/graph/graph.h"
#include "hip/memory/allocation.h"
#include "hip/memory/array.h"
#include "hip/stream/event.h"
#include "hip/stream/stream.h"

namespace vrocm::hip {

namespace {

// One side of a copy: where it begins and how its rows and slices lie.
struct Side {
    std::uint8_t* begin;
    std::size_t row, slice;
};

Side resolve_side(hipArray_t array, const hipPitchedPtr& pointer, const hipPos& position) {
    if (array) {
        const hipArray& a = to_array(array);
        return {a.data + position.z * a.slice_bytes + position.y * a.row_bytes + position.x * a.texel_bytes,
                a.row_bytes, a.slice_bytes};
    }
    require(pointer.ptr != nullptr);
    const std::size_t slice = pointer.pitch * pointer.ysize;
    return {static_cast<std::uint8_t*>(pointer.ptr) + position.z * slice + position.y * pointer.pitch + position.x,
            pointer.pitch, slice};
}

void check_array_bounds(hipArray_t array, const hipPos& position, const hipExtent& extent) {
    if (!array) return;
    const hipArray& a = to_array(array);
    require(position.x + extent.width <= a.extent.width && position.y + extent.height <= a.rows() &&
            position.z + extent.depth <= a.slices());
}

void check_side_range(const Side& side, const Copy& copy) {
    const std::size_t span = (copy.depth - 1) * side.slice + (copy.height - 1) * side.row + copy.width;
    check_range(side.begin, span);
}

}  // namespace

hipMemcpy3DParms linear_copy_parameters(void* dst, const void* src, std::size_t bytes, hipMemcpyKind kind) {
    hipMemcpy3DParms made{};
    made.srcPtr = make_hipPitchedPtr(const_cast<void*>(src), bytes, bytes, 1);
    made.dstPtr = make_hipPitchedPtr(dst, bytes, bytes, 1);
    made.extent = make_hipExtent(bytes, 1, 1);
    made.kind = kind;
    return made;
}

Copy resolve_copy(const hipMemcpy3DParms& p) {
    require((p.kind >= hipMemcpyHostToHost && p.kind <= hipMemcpyDefault) || p.kind == hipMemcpyDeviceToDeviceNoCU,
            hipErrorInvalidMemcpyDirection);
    require((p.srcArray != nullptr) != (p.srcPtr.ptr != nullptr));
    require((p.dstArray != nullptr) != (p.dstPtr.ptr != nullptr));
    Copy made;
    made.width = p.extent.width;
    made.height = p.extent.height;
    made.depth = p.extent.depth;
    if (made.empty()) return made;
    check_array_bounds(p.srcArray, p.srcPos, p.extent);
    check_array_bounds(p.dstArray, p.dstPos, p.extent);
    // With an array on either side the width counts its texels, else bytes.
    if (p.srcArray || p.dstArray) {
        const std::size_t texel = to_array(p.srcArray ? p.srcArray : p.dstArray).texel_bytes;
        require(!p.srcArray || !p.dstArray || to_array(p.dstArray).texel_bytes == texel);
        made.width *= texel;
    }
    const Side source = resolve_side(p.srcArray, p.srcPtr, p.srcPos);
    const Side target = resolve_side(p.dstArray, p.dstPtr, p.dstPos);
    if (made.height > 1 || made.depth > 1)
        require(source.row >= made.width && target.row >= made.width, hipErrorInvalidPitchValue);
    made.src = source.begin;
    made.src_row = source.row;
    made.src_slice = source.slice;
    made.dst = target.begin;
    made.dst_row = target.row;
    made.dst_slice = target.slice;
    check_side_range(source, made);
    check_side_range(target, made);
    return made;
}

void submit(Stream& stream, Operation operation) {
    if (is_capturing(stream))
        capture_operation(stream, std::move(operation));
    else
        perform(stream, operation);
}

void perform(Stream& stream, const Operation& operation) {
    struct Visitor {
        Stream& stream;
        void operator()(const KernelOperation& o) const { stream.launch(o.launch); }
        void operator()(const CopyOperation& o) const { stream.copy(resolve_copy(o.parameters)); }
        void operator()(const FillOperation& o) const { stream.fill(o.fill); }
        void operator()(const HostOperation& o) const {
            stream.run_on_host([o] { o.function(o.data); });
        }
        void operator()(const EmptyOperation&) const {}
        void operator()(const EventRecordOperation& o) const { o.event->record(stream); }
        void operator()(const EventWaitOperation& o) const { stream.wait_for(o.event->completions()); }
        void operator()(const ChildGraphOperation& o) const { run_graph(*o.graph, stream); }
        void operator()(const AllocateOperation&) const {}  // allocated with the node
        void operator()(const FreeOperation&) const {}      // freed with the last graph
    };
    std::visit(Visitor{stream}, operation);
}

}  // namespace vrocm::hip
