#include "capture/documents/documents.h"

#include <unistd.h>

#include <filesystem>

#include "capture/bookkeeping/agents.h"
#include "capture/calls/original.h"
#include "snapshot/xxh64.h"

namespace rpl::capture {

using snapshot::Json;

namespace {

Json document() {
    return Json::object().set("format", "rocm-perf-capture").set("version", 1);
}

Json kernel_of(const Target& target) {
    const Kernel& kernel = *target.kernel;
    const ObservedCode& code = *kernel.code;
    return Json::object()
        .set("name", kernel.name)
        .set("demangled", kernel.demangled)
        .set("object", Json::address(kernel.object))
        .set("dispatch_index", target.dispatch_index)
        .set("code_object", Json::object()
                                .set("file", "kernel.hsaco")
                                .set("bytes", code.bytes.size())
                                .set("xxh64", Json::address(snapshot::xxh64(code.bytes)))
                                .set("load_base", Json::address(code.base))
                                .set("load_size", code.size)
                                .set("load_delta", Json::address(static_cast<std::uint64_t>(code.delta)))
                                .set("uri", code.uri.empty() ? Json() : Json(code.uri)));
}

Json geometry_of(const hsa_kernel_dispatch_packet_t& packet) {
    const unsigned dimensions = packet.setup >> HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS & 3;
    return Json::object()
        .set("dimensions", dimensions)
        .set("grid", Json::array().add(packet.grid_size_x).add(packet.grid_size_y).add(packet.grid_size_z))
        .set("workgroup", Json::array()
                              .add(unsigned{packet.workgroup_size_x})
                              .add(unsigned{packet.workgroup_size_y})
                              .add(unsigned{packet.workgroup_size_z}));
}

Json packet_of(const Packet& bytes) {
    const auto packet = bytes.as<hsa_kernel_dispatch_packet_t>();
    std::string digits;
    for (const std::uint8_t byte : bytes.bytes) {
        constexpr char kDigits[] = "0123456789abcdef";
        digits.push_back(kDigits[byte >> 4]);
        digits.push_back(kDigits[byte & 15]);
    }
    return Json::object()
        .set("header", unsigned{packet.header})
        .set("setup", unsigned{packet.setup})
        .set("private_segment_size", packet.private_segment_size)
        .set("group_segment_size", packet.group_segment_size)
        .set("kernarg_address", Json::address(reinterpret_cast<std::uint64_t>(packet.kernarg_address)))
        .set("completion_signal", Json::address(packet.completion_signal.handle))
        .set("bytes", digits);
}

Json segments_of(const hsa_kernel_dispatch_packet_t& packet, const Kernel& kernel) {
    const vrocm::codeobj::KernelMetadata* metadata = kernel.metadata;
    const std::uint32_t fixed = metadata ? metadata->group_size : packet.group_segment_size;
    return Json::object()
        .set("kernarg_size", metadata ? metadata->kernarg_size : 0)
        .set("static_group_size", fixed)
        .set("dynamic_group_size", packet.group_segment_size > fixed ? packet.group_segment_size - fixed : 0)
        .set("private_size", packet.private_segment_size)
        .set("uses_dynamic_stack", metadata && metadata->dynamic_stack);
}

Json process_of(const DispatchFacts& facts) {
    const Quiesce& quiesce = facts.quiesce;
    std::error_code error;
    const auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
    return Json::object()
        .set("pid", static_cast<std::int64_t>(getpid()))
        .set("executable", error ? Json() : Json(executable.filename().string()))
        .set("queue_count", quiesce.queue_count())
        .set("drained_queues", quiesce.drained())
        .set("held_queues", quiesce.held().size())
        .set("waited_ns", quiesce.waited_ns())
        .set("before_ns", facts.before_ns)
        .set("after_ns", facts.after_ns);
}

Json time_of(const hsa_amd_profiling_dispatch_time_t& time) {
    std::uint64_t frequency = 0;
    original().core.hsa_system_get_info_fn(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency);
    Json made = Json::object();
    const bool known = frequency != 0 && time.end > time.start;
    made.set("in_app_ns", known ? Json((time.end - time.start) * 1'000'000'000 / frequency) : Json())
        .set("start_tick", time.start)
        .set("end_tick", time.end);
    if (!known) made.set("missing", Json::object().set("in_app_ns", "the runtime gave no times for the dispatch"));
    return made;
}

}  // namespace

Json dispatch_document(const DispatchFacts& facts) {
    const auto packet = facts.target.packet.as<hsa_kernel_dispatch_packet_t>();
    return document()
        .set("tool", Json::object().set("name", "librocm-perf-capture").set("version", RPL_VERSION))
        .set("kernel", kernel_of(facts.target))
        .set("geometry", geometry_of(packet))
        .set("packet", packet_of(facts.target.packet))
        .set("segments", segments_of(packet, *facts.target.kernel))
        .set("arguments", facts.arguments)
        .set("agent", Agents::get().describe(facts.target.queue->agent))
        .set("runtime", describe_runtime())
        .set("time", time_of(facts.time))
        .set("process", process_of(facts))
        .set("verdict", facts.verdict.json());
}

Json regions_document(const Inventory& inventory) {
    Json regions = Json::array(), reservations = Json::array(), handles = Json::array();
    for (const Region& region : inventory.regions)
        regions.add(Json::object()
                        .set("base", Json::address(region.base))
                        .set("size", region.size)
                        .set("kind", region.kind)
                        .set("file", region.file.empty() ? Json() : Json(region.file))
                        .set("after", region.after_file.empty() ? Json() : Json(region.after_file))
                        .set("stored_bytes", region.stored_bytes)
                        .set("changed_pages", region.changed_pages)
                        .set("changed_bytes", region.changed_bytes)
                        .set("pool", region.pool)
                        .set("agent", region.gpu ? Json(*region.gpu) : Json())
                        .set("access", region.read_only ? "ro" : "rw")
                        .set("handle", region.handle ? Json(*region.handle) : Json())
                        .set("handle_offset", region.handle ? Json(region.handle_offset) : Json()));
    for (const Reservation& reservation : inventory.reservations)
        reservations.add(Json::object().set("base", Json::address(reservation.base)).set("size", reservation.size));
    for (const auto& handle : inventory.handles) {
        const PoolFacts pool = Agents::get().pool(handle->pool);
        const auto gpu = Agents::get().index_of(pool.owner);
        handles.add(Json::object()
                        .set("id", handle->id)
                        .set("size", handle->size)
                        .set("agent", gpu ? Json(*gpu) : Json())
                        .set("pool", pool_name(pool.flags))
                        .set("pinned", handle->pinned));
    }
    return document()
        .set("page_size", 4096)
        .set("regions", std::move(regions))
        .set("reservations", std::move(reservations))
        .set("handles", std::move(handles));
}

}  // namespace rpl::capture
