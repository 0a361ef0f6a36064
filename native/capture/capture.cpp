// The capture of the dispatch that the session was asked for, step by step.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "capture/bookkeeping/agents.h"
#include "capture/calls/gate.h"
#include "capture/calls/original.h"
#include "capture/calls/unknown_calls.h"
#include "capture/documents/capture_folder.h"
#include "capture/documents/documents.h"
#include "capture/memory/snapshot.h"
#include "capture/packets/quiesce.h"
#include "capture/session.h"
#include "snapshot/capture_keys.h"

namespace rpl::capture {

namespace keys = snapshot::keys;

namespace {

void fall(hsa_signal_t signal) {
    original().core.hsa_signal_store_screlease_fn(signal, 0);
}

// Whatever was stopped goes on when this ends, in the order in which it was stopped.
class Release {
  public:
    void gate_closed() { gate_closed_ = true; }
    ~Release() {
        fall(session().signals().go);
        fall(session().signals().done);
        fall(session().signals().resume);
        session().hold_back(false);
        const InterceptedQueue& queue = *session().target().queue;
        if (!queue.profiled) original().amd.hsa_amd_profiling_set_profiler_enabled_fn(queue.handle, 0);
        if (gate_closed_) gate().open();
    }

  private:
    bool gate_closed_ = false;
};

std::vector<std::uint8_t> read_kernarg(const Target& target, const Inventory& inventory, MemoryStream& stream,
                                       Verdict& verdict) {
    const auto address =
        reinterpret_cast<std::uint64_t>(target.packet.as<hsa_kernel_dispatch_packet_t>().kernarg_address);
    const std::uint32_t size = target.kernel->metadata ? target.kernel->metadata->kernarg_size : 0;
    std::vector<std::uint8_t> kernarg(size);
    if (size == 0) return kernarg;
    const Region* region = inventory.find(address);
    if (region && region->end() - address >= size) {
        if (!stream.read(*region, address, kernarg)) throw CaptureError("the kernel's arguments cannot be read");
        return kernarg;
    }
    Region outside;
    outside.base = outside.read_from = address;
    outside.size = size;
    outside.host_memory = outside.may_be_unmapped = true;
    if (!stream.read(outside, address, kernarg)) throw CaptureError("the kernel's arguments cannot be read");
    verdict.add({.what = "region",
                 .name = "kernarg segment",
                 .outcome = Outcome::Refused,
                 .reason = "it lies in memory that the runtime does not know",
                 .address = address,
                 .bytes = size});
    return kernarg;
}

void judge_code(const Kernel& kernel, Verdict& verdict) {
    VerdictItem item{.what = "code object", .name = kernel.name, .bytes = kernel.code->bytes.size()};
    if (kernel.code->bytes.empty()) {
        item.outcome = Outcome::Refused;
        item.reason = "its bytes were not to be had from the runtime";
    } else if (!kernel.metadata) {
        item.outcome = Outcome::Refused;
        item.reason = "it has no metadata for this kernel";
    }
    verdict.add(std::move(item));
}

const char* why_not(const Unreachable& range, bool refused) {
    if (refused) return ", and the kernel has a pointer into it";
    if (!range.within_reach) return "";
    if (range.pointed_at_by_other_arguments) return "; only arguments of other kernels point into it";
    return range.what == "code object" ? "; no argument points into it" : "; nothing that was captured points into it";
}

void judge_memory(const Inventory& inventory, const MemorySnapshot& snapshot, Verdict& verdict) {
    for (const Region& region : inventory.regions) {
        std::string note;
        if (!region.stored) note = "the same memory as another mapping of its handle";
        if (region.base != region.read_from)
            note = "the host has it at " + snapshot::Json::address(region.read_from).text() +
                   ": a replay needs a system that gives the GPU the host's addresses";
        verdict.add({.what = std::string(region.kind) == keys::RegionKind::globals ? "globals" : "region",
                     .name = region.kind,
                     .outcome = Outcome::Captured,
                     .reason = std::move(note),
                     .address = region.base,
                     .bytes = region.size});
    }
    for (const Region& region : snapshot.vanished())
        verdict.add({.what = "host memory",
                     .name = region.kind,
                     .outcome = Outcome::LeftOut,
                     .reason = "the application has given it back to the system",
                     .address = region.base,
                     .bytes = region.size});
    for (const Unreachable& range : inventory.unreachable) {
        const bool refused = range.within_reach && range.pointed_at;
        verdict.add({.what = range.what,
                     .name = range.name,
                     .outcome = refused ? Outcome::Refused : Outcome::LeftOut,
                     .reason = range.reason + why_not(range, refused),
                     .address = range.base,
                     .bytes = range.size});
    }
}

void judge_waiting(const Quiesce& quiesce, Verdict& verdict) {
    if (session().target().packet.as<hsa_kernel_dispatch_packet_t>().completion_signal.handle)
        verdict.add({.what = "queue",
                     .name = "completion signal",
                     .outcome = Outcome::Rebound,
                     .reason = "the replaying process has its own"});
    for (const InterceptedQueue* queue : quiesce.held())
        verdict.add({.what = "queue",
                     .name = queue->words(),
                     .outcome = Outcome::LeftOut,
                     .reason = "it stands at a barrier that the application had not opened"});
    if (quiesce.held_copies())
        verdict.add({.what = "copy",
                     .name = std::to_string(quiesce.held_copies()) + " asynchronous copies",
                     .outcome = Outcome::LeftOut,
                     .reason = "they wait for signals that the application had not set"});
}

void judge_host_changes(MemorySnapshot& snapshot, Verdict& verdict) {
    const std::vector<std::uint64_t> chunks = snapshot.changed_host_chunks();
    if (chunks.empty()) return;
    verdict.add({.what = "host memory",
                 .name = "written by the host meanwhile",
                 .outcome = Outcome::Captured,
                 .reason = "the application wrote to " + std::to_string(chunks.size()) +
                           " chunks of 64 KiB between the snapshot and the kernel: what the kernel saw there may " +
                           "differ, and so may what is recorded as changed by it",
                 .address = chunks.front(),
                 .bytes = chunks.size() * snapshot::kChunk});
}

using Clock = std::chrono::steady_clock;

std::uint64_t ns_since(Clock::time_point began) {
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - began).count());
}

// The kernel takes the time it takes; somebody who waits is told why.
void wait_for_kernel() {
    const InterceptedQueue& queue = *session().target().queue;
    auto told = Clock::now();
    auto pause = std::chrono::microseconds(50);
    while (peek(session().signals().written) > 0) {
        if (queue.faulted) throw CaptureError("the kernel failed while it was being captured");
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(1000));
        if (Clock::now() - told < std::chrono::seconds(60)) continue;
        told = Clock::now();
        std::fprintf(stderr, "rocm-perf capture: the kernel is still running\n");
    }
}

}  // namespace

void make_capture() {
    const Target& target = session().target();
    const hsa_agent_t agent = target.queue->agent;
    Release release;
    CaptureFolder folder(session().settings().folder);
    Quiesce quiesce;
    quiesce.wait_for_own_queue();
    if (!gate().close(session().settings().timeout_seconds))
        throw CaptureError("a copy or an allocation of another thread did not end in time");
    release.gate_closed();
    quiesce.wait_for_others();

    const auto before_began = Clock::now();
    Verdict verdict;
    judge_code(*target.kernel, verdict);
    judge_waiting(quiesce, verdict);
    Inventory inventory = Inventory::of(agent, *target.kernel->code);
    MemoryStream stream(agent);
    const std::vector<std::uint8_t> kernarg = read_kernarg(target, inventory, stream, verdict);
    inventory.follow(kernarg);
    MemorySnapshot snapshot(folder, stream, inventory);
    snapshot.take_before();
    quiesce.check_still_at_rest();
    judge_host_changes(snapshot, verdict);
    const std::uint64_t before_ns = ns_since(before_began);

    fall(session().signals().go);
    wait_for_kernel();
    hsa_amd_profiling_dispatch_time_t time{};
    original().amd.hsa_amd_profiling_get_dispatch_time_fn(agent, session().signals().kernel, &time);
    session().record_time(time);
    const auto after_began = Clock::now();
    snapshot.take_after();
    quiesce.check_still_at_rest();
    const std::uint64_t after_ns = ns_since(after_began);

    snapshot::Json arguments = describe_arguments(*target.kernel, kernarg, inventory, verdict);
    judge_memory(inventory, snapshot, verdict);
    judge_unknown_calls(verdict);
    folder.write(keys::kCodeObjectFile, target.kernel->code->bytes);
    folder.write(keys::kKernargFile, kernarg);
    folder.write(keys::kRegionsFile, regions_document(inventory));
    folder.write(keys::kDispatchFile,
                 dispatch_document({target, std::move(arguments), time, quiesce, verdict, before_ns, after_ns}));
    folder.finish();
}

}  // namespace rpl::capture
