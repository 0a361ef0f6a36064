#include "sim/timing/units/vector_memory.h"

#include <algorithm>
#include <bit>

namespace vrocm::sim::timing {

namespace {

constexpr unsigned kLanesPerClock = 16;  // addresses that are processed at a time
constexpr unsigned kWriteRequest = 64;   // bytes of a request that writes

// The largest number of lanes that use one dword of a line; lanes that do are served one after another.
unsigned most_on_one_dword(const MemoryAccess& access, std::uint64_t line, unsigned line_bytes) {
    std::uint8_t on[32] = {};
    unsigned most = 1;
    for (std::uint64_t left = access.lanes; left; left &= left - 1) {
        const std::uint64_t address = access.address[std::countr_zero(left)];
        if (address / line_bytes != line) continue;
        most = std::max<unsigned>(most, ++on[address % line_bytes / 4]);
    }
    return most;
}

// What the address unit makes of a wave: one access for four neighbouring lanes whose addresses are equal or follow
// each other, one for each lane or run of lanes otherwise.
unsigned count_accesses(const MemoryAccess& access) {
    unsigned accesses = 0;
    for (unsigned first = 0; first < kLanes; first += 4) {
        const unsigned lanes = access.lanes >> first & 15;
        if (!lanes) continue;
        unsigned runs = 1;
        unsigned last = first + static_cast<unsigned>(std::countr_zero(lanes));
        for (unsigned lane = last + 1; lane < first + 4; ++lane) {
            if (!(access.lanes >> lane & 1)) continue;
            const std::uint64_t step = access.address[lane] - access.address[last];
            if (step != 0 && step != access.bytes * (lane - last)) ++runs;
            last = lane;
        }
        accesses += runs;
    }
    return accesses;
}

}  // namespace

VectorMemory::VectorMemory(const Parameters& parameters, L2& l2)
    : p_(parameters),
      l2_(l2),
      translation_(parameters),
      tags_(parameters.l1),
      reads_(parameters.l1_misses),
      stores_(parameters.l1_stores) {}

void VectorMemory::begin_dispatch() {
    if (!used_) return;  // most units of a GPU see nothing of a small kernel
    used_ = false;
    tags_.clear();
    translation_.begin_dispatch();
    addresses_.reset();
    counts_ = {};
    last_start_ = 0;
    to_l2_.reset();
    from_l2_.reset();
    reads_ = OnTheirWay(p_.l1_misses);
    stores_ = OnTheirWay(p_.l1_stores);
}

VectorMemory::Touched& VectorMemory::touch(std::uint64_t line) {
    if (count_ && touched_[count_ - 1].line == line) return touched_[count_ - 1];
    for (unsigned at = (line ^ line >> 8) & 255;; at = (at + 1) & 255) {
        if (stamp_[at] != now_) {
            stamp_[at] = now_;
            index_[at] = static_cast<std::uint16_t>(count_);
            touched_[count_] = {line, 0, 0, 1};
            return touched_[count_++];
        }
        if (touched_[index_[at]].line == line) return touched_[index_[at]];
    }
}

unsigned VectorMemory::coalesce(const MemoryAccess& access, bool atomic) {
    count_ = 0;
    ++now_;
    const unsigned shift = static_cast<unsigned>(std::countr_zero(p_.l1.line));
    for (std::uint64_t left = access.lanes; left; left &= left - 1) {
        const std::uint64_t first = access.address[std::countr_zero(left)], last = first + access.bytes - 1;
        for (std::uint64_t line = first >> shift; line <= last >> shift; ++line) {
            Touched& t = touch(line);
            ++t.lanes;
            const std::uint64_t begin = std::max(first, line << shift), end = std::min(last, ((line + 1) << shift) - 1);
            for (std::uint64_t half = begin / kWriteRequest; half <= end / kWriteRequest; ++half)
                t.halves |= static_cast<std::uint8_t>(1u << (half & (p_.l1.line / kWriteRequest - 1)));
        }
    }
    if (atomic)
        for (unsigned i = 0; i < count_; ++i)
            touched_[i].serial = static_cast<std::uint16_t>(most_on_one_dword(access, touched_[i].line, p_.l1.line));
    return count_;
}

// Requests leave in order: while one waits, the unit takes no others.
void VectorMemory::wait_for_room(Request& request, OnTheirWay& list) {
    const Cycle at = request.issue + request.delay, room = list.done[list.oldest];
    if (room <= at) return;
    request.delay += room - at;
    addresses_.hold(room);
}

void VectorMemory::remember(OnTheirWay& list, Cycle done) {
    list.done[list.oldest] = done;
    list.oldest = (list.oldest + 1) % list.done.size();
}

Cycle VectorMemory::read_line(Request request, const Touched& touched, bool around_l1, bool next_to_last,
                              Counts& counts) {
    if (!around_l1)
        if (Tags::Line* hit = tags_.find(touched.line)) {
            ++counts_.hits;
            return std::max<Cycle>(request.done(p_.l1_latency), hit->ready);
        }
    ++counts_.misses;
    ++counts_.read_requests;
    wait_for_room(request, reads_);
    request.pass(to_l2_, p_.l1_latency / 2, next_to_last ? p_.l1_request : p_.l1_request_apart);
    Cycle ready = l2_.read(request, l2_line(touched.line), counts);
    ready = from_l2_.take(ready, static_cast<unsigned>(std::popcount(touched.halves)) * kOne);
    counts_.read_latency += ready - request.issue;
    remember(reads_, ready);
    Tags::Evicted evicted;
    if (!around_l1) tags_.insert(touched.line, ready, evicted);
    return ready;
}

VectorMemory::Timing VectorMemory::access(Cycle issue, const MemoryAccess& access, Kind kind, bool around_l1,
                                          Counts& counts) {
    const auto lanes = static_cast<unsigned>(std::popcount(access.lanes));
    used_ = true;
    const unsigned lines = coalesce(access, kind == Kind::Atomic);
    counts_.tag_lookups += lines;
    const unsigned accesses = count_accesses(access), bytes = lanes * access.bytes;
    unsigned clocks = std::max({kLanes / kLanesPerClock, bytes / p_.l1_bytes_per_clock, lines});
    if (accesses > kLanes / 4) clocks = std::max(clocks, accesses);
    const Cycle start = addresses_.take(issue, clocks * kOne);
    counts_.stalled += start - std::min(start, std::max(issue, last_start_));
    last_start_ = start;
    Cycle done = start + (kind == Kind::Read ? p_.l1_latency : p_.store_latency);
    for (unsigned i = 0; i < lines; ++i) {
        const Touched& t = touched_[i];
        Request request{start, i};
        translation_.pass(request, t.line * p_.l1.line);
        if (kind == Kind::Read) {
            const bool next_to_last = i != 0 && t.line - touched_[i - 1].line == 1;
            done = std::max(done, read_line(request, t, around_l1, next_to_last || lines == 1, counts));
            continue;
        }
        // Writes and atomics go through: the line in the L1, if any, is old then.
        if (Tags::Line* stale = tags_.find(t.line)) tags_.remove(stale);
        if (kind == Kind::Write) {
            const auto halves = static_cast<unsigned>(std::popcount(t.halves));
            wait_for_room(request, stores_);
            request.pass(to_l2_, p_.l1_latency / 2, halves * kOne);
            const Cycle acknowledged = l2_.write(request, l2_line(t.line), l2_halves(t), counts);
            counts_.write_latency += acknowledged - issue;
            remember(stores_, acknowledged);
            done = std::max(done, acknowledged);
        } else {
            request.pass(to_l2_, p_.l1_latency / 2, static_cast<unsigned>(std::popcount(t.halves)) * kOne);
            done = std::max(done, l2_.atomic(request, l2_line(t.line), l2_halves(t), t.serial, counts));
        }
    }
    // The data of a wide load takes the way to the registers for as long as the unit works on it.
    if (kind == Kind::Read && clocks > kLanes / kLanesPerClock) done += clocks - kLanes / kLanesPerClock;
    return {start + clocks, done};
}

}  // namespace vrocm::sim::timing
