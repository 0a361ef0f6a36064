#include "capture/documents/documents.h"

#include <unistd.h>

#include <filesystem>

#include "capture/bookkeeping/agents.h"
#include "capture/calls/original.h"
#include "snapshot/capture_keys.h"
#include "snapshot/xxh64.h"

namespace rpl::capture {

using snapshot::Json;
namespace keys = snapshot::keys;

namespace {

Json document() {
    return Json::object()
        .set(keys::DispatchDocument::format, keys::kFormat)
        .set(keys::DispatchDocument::version, keys::kVersion);
}

Json kernel_of(const Target& target) {
    using K = keys::CapturedKernel;
    using C = keys::CapturedCodeObject;
    const Kernel& kernel = *target.kernel;
    const ObservedCode& code = *kernel.code;
    return Json::object()
        .set(K::name, kernel.name)
        .set(K::demangled, kernel.demangled)
        .set(K::object, Json::address(kernel.object))
        .set(K::dispatch_index, target.dispatch_index)
        .set(K::code_object, Json::object()
                                 .set(C::file, keys::kCodeObjectFile)
                                 .set(C::bytes, code.bytes.size())
                                 .set(C::xxh64, Json::address(snapshot::xxh64(code.bytes)))
                                 .set(C::load_base, Json::address(code.base))
                                 .set(C::load_size, code.size)
                                 .set(C::load_delta, Json::address(static_cast<std::uint64_t>(code.delta)))
                                 .set(C::uri, code.uri.empty() ? Json() : Json(code.uri)));
}

Json geometry_of(const hsa_kernel_dispatch_packet_t& packet) {
    using K = keys::DispatchGeometry;
    const unsigned dimensions = packet.setup >> HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS & 3;
    return Json::object()
        .set(K::dimensions, dimensions)
        .set(K::grid, Json::array().add(packet.grid_size_x).add(packet.grid_size_y).add(packet.grid_size_z))
        .set(K::workgroup, Json::array()
                               .add(unsigned{packet.workgroup_size_x})
                               .add(unsigned{packet.workgroup_size_y})
                               .add(unsigned{packet.workgroup_size_z}));
}

Json packet_of(const Packet& bytes) {
    using K = keys::DispatchPacket;
    const auto packet = bytes.as<hsa_kernel_dispatch_packet_t>();
    std::string digits;
    for (const std::uint8_t byte : bytes.bytes) {
        constexpr char kDigits[] = "0123456789abcdef";
        digits.push_back(kDigits[byte >> 4]);
        digits.push_back(kDigits[byte & 15]);
    }
    return Json::object()
        .set(K::header, unsigned{packet.header})
        .set(K::setup, unsigned{packet.setup})
        .set(K::private_segment_size, packet.private_segment_size)
        .set(K::group_segment_size, packet.group_segment_size)
        .set(K::kernarg_address, Json::address(reinterpret_cast<std::uint64_t>(packet.kernarg_address)))
        .set(K::completion_signal, Json::address(packet.completion_signal.handle))
        .set(K::bytes, digits);
}

Json segments_of(const hsa_kernel_dispatch_packet_t& packet, const Kernel& kernel) {
    using K = keys::DispatchSegments;
    const vrocm::codeobj::KernelMetadata* metadata = kernel.metadata;
    const std::uint32_t fixed = metadata ? metadata->group_size : packet.group_segment_size;
    return Json::object()
        .set(K::kernarg_size, metadata ? metadata->kernarg_size : 0)
        .set(K::static_group_size, fixed)
        .set(K::dynamic_group_size, packet.group_segment_size > fixed ? packet.group_segment_size - fixed : 0)
        .set(K::private_size, packet.private_segment_size)
        .set(K::uses_dynamic_stack, metadata && metadata->dynamic_stack);
}

Json process_of(const DispatchFacts& facts) {
    using K = keys::CapturedProcess;
    const Quiesce& quiesce = facts.quiesce;
    std::error_code error;
    const auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
    return Json::object()
        .set(K::pid, static_cast<std::int64_t>(getpid()))
        .set(K::executable, error ? Json() : Json(executable.filename().string()))
        .set(K::queue_count, quiesce.queue_count())
        .set(K::drained_queues, quiesce.drained())
        .set(K::held_queues, quiesce.held().size())
        .set(K::waited_ns, quiesce.waited_ns())
        .set(K::before_ns, facts.before_ns)
        .set(K::after_ns, facts.after_ns);
}

Json time_of(const hsa_amd_profiling_dispatch_time_t& time) {
    using K = keys::DispatchTime;
    std::uint64_t frequency = 0;
    original().core.hsa_system_get_info_fn(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency);
    Json made = Json::object();
    const bool known = frequency != 0 && time.end > time.start;
    made.set(K::in_app_ns, known ? Json((time.end - time.start) * 1'000'000'000 / frequency) : Json())
        .set(K::start_tick, time.start)
        .set(K::end_tick, time.end);
    if (!known)
        made.set(keys::Recorded::missing,
                 Json::object().set(K::in_app_ns, "the runtime gave no times for the dispatch"));
    return made;
}

}  // namespace

Json dispatch_document(const DispatchFacts& facts) {
    using K = keys::DispatchDocument;
    const auto packet = facts.target.packet.as<hsa_kernel_dispatch_packet_t>();
    return document()
        .set(K::tool,
             Json::object().set(keys::Writer::name, "librocm-perf-capture").set(keys::Writer::version, RPL_VERSION))
        .set(K::kernel, kernel_of(facts.target))
        .set(K::geometry, geometry_of(packet))
        .set(K::packet, packet_of(facts.target.packet))
        .set(K::segments, segments_of(packet, *facts.target.kernel))
        .set(K::arguments, facts.arguments)
        .set(K::agent, Agents::get().describe(facts.target.queue->agent))
        .set(K::runtime, describe_runtime())
        .set(K::time, time_of(facts.time))
        .set(K::process, process_of(facts))
        .set(K::verdict, facts.verdict.json());
}

Json regions_document(const Inventory& inventory) {
    using K = keys::MemoryRegionsDocument;
    using M = keys::MemoryRegion;
    using R = keys::Reservation;
    using H = keys::PhysicalHandle;
    Json regions = Json::array(), reservations = Json::array(), handles = Json::array();
    for (const Region& region : inventory.regions)
        regions.add(Json::object()
                        .set(M::base, Json::address(region.base))
                        .set(M::size, region.size)
                        .set(M::kind, region.kind)
                        .set(M::file, region.file.empty() ? Json() : Json(region.file))
                        .set(M::after, region.after_file.empty() ? Json() : Json(region.after_file))
                        .set(M::stored_bytes, region.stored_bytes)
                        .set(M::changed_pages, region.changed_pages)
                        .set(M::changed_bytes, region.changed_bytes)
                        .set(M::pool, region.pool)
                        .set(M::agent, region.gpu ? Json(*region.gpu) : Json())
                        .set(M::access, region.read_only ? "ro" : "rw")
                        .set(M::handle, region.handle ? Json(*region.handle) : Json())
                        .set(M::handle_offset, region.handle ? Json(region.handle_offset) : Json()));
    for (const Reservation& reservation : inventory.reservations)
        reservations.add(Json::object().set(R::base, Json::address(reservation.base)).set(R::size, reservation.size));
    for (const auto& handle : inventory.handles) {
        const PoolFacts pool = Agents::get().pool(handle->pool);
        const auto gpu = Agents::get().index_of(pool.owner);
        handles.add(Json::object()
                        .set(H::id, handle->id)
                        .set(H::size, handle->size)
                        .set(H::agent, gpu ? Json(*gpu) : Json())
                        .set(H::pool, pool_name(pool.flags))
                        .set(H::pinned, handle->pinned));
    }
    return document()
        .set(K::page_size, 4096)
        .set(K::regions, std::move(regions))
        .set(K::reservations, std::move(reservations))
        .set(K::handles, std::move(handles));
}

}  // namespace rpl::capture
