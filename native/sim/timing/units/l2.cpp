#include "sim/timing/units/l2.h"

#include <algorithm>
#include <bit>

namespace vrocm::sim::timing {

namespace {
constexpr unsigned kHalf = 64;  // bytes; the fabric carries whole lines as two of these, writes singly
}

L2::L2(const Parameters& parameters, MemorySide& memory) : p_(parameters), memory_(memory), translation_(parameters) {
    channels_.resize(p_.l2_channels);
    const CacheShape part{p_.l2.bytes / p_.l2_channels, p_.l2.line, p_.l2.ways};
    for (Channel& channel : channels_) channel.tags = Tags(part);
}

L2::Channel& L2::channel_of(std::uint64_t line) {
    const std::uint64_t block = line * p_.l2.line / p_.l2_interleave;
    const std::uint64_t hash = block ^ block >> 4 ^ block >> 8 ^ block >> 12 ^ block >> 16;
    return channels_[hash % channels_.size()];
}

void L2::begin_dispatch(bool invalidate) {
    for (Channel& channel : channels_) {
        channel.pipe.reset();
        channel.fabric.reset();
        channel.inserted = 0;
        channel.owed = 0;
        channel.counts = {};
        if (invalidate)
            channel.tags.clear();
        else
            channel.tags.settle();
    }
    translation_.begin_dispatch();
    written_ = soiled_halves_ = evicted_halves_ = 0;
    filled_ = false;
}

void L2::evict(const Tags::Evicted& line, Channel& channel, Request& request, Counts& counts) {
    const unsigned halves = static_cast<unsigned>(std::popcount(line.dirty));
    if (line.number < Tags::kNowhere) {
        ++channel.counts.evictions;
        channel.counts.fabric_writes_64 += halves;
    }
    evicted_halves_ += halves;
    Request out = request;
    out.pass(channel.fabric, p_.l2_latency / 2, p_.fabric_write * halves);
    request.follow(memory_.write(out, line.number, counts), p_.write_buffer);
}

Cycle L2::fill(Channel& channel, Request request, std::uint64_t line, Counts& counts, unsigned parts) {
    ++channel.counts.misses;
    if (parts == 0 && p_.l2.line == 2 * kHalf)
        ++channel.counts.fabric_reads_128;
    else
        channel.counts.fabric_reads_64 += std::max(parts, 1u);
    Tags::Evicted evicted;
    Tags::Line* place = channel.tags.insert(line, 0, evicted);
    ++channel.inserted;
    if (evicted.dirty) evict(evicted, channel, request, counts);
    request.pass(channel.fabric, p_.l2_latency / 2, p_.fabric_read * (p_.l2.line / kHalf));
    const Cycle ready = memory_.read(request, line, counts);
    place->ready = static_cast<std::uint32_t>(ready);
    channel.counts.fabric_read_latency += ready - request.issue - p_.l2_latency / 2;
    return ready;
}

Cycle L2::read(Request request, std::uint64_t line, Counts& counts, unsigned parts) {
    translation_.pass(request, line * p_.l2.line, counts);
    Channel& channel = channel_of(line);
    channel.counts.reads += std::max(parts, 1u);
    request.pass(channel.pipe, p_.l2_latency * 4 / 10, p_.l2_read);
    if (Tags::Line* hit = channel.tags.find(line)) {
        channel.counts.hits += std::max(parts, 1u);
        return std::max<Cycle>(request.done(p_.l2_latency), hit->ready);
    }
    if (parts > 1) channel.counts.hits += parts - 1;  // the first part brought the line
    return fill(channel, request, line, counts, parts);
}

Cycle L2::write(Request request, std::uint64_t line, std::uint8_t halves, Counts& counts) {
    const unsigned count = static_cast<unsigned>(std::popcount(halves));
    translation_.pass(request, line * p_.l2.line, counts);
    Channel& channel = channel_of(line);
    channel.counts.writes += count;
    request.pass(channel.pipe, p_.l2_latency * 4 / 10, p_.l2_write * count);
    Tags::Line* place = channel.tags.find(line);
    if (place) {
        channel.counts.write_hits += count;
    } else {
        // Bytes have masks: a line that is only written is not fetched.
        ++channel.counts.write_misses;
        channel.counts.write_hits += count - 1;
        Tags::Evicted evicted;
        place = channel.tags.insert(line, 0, evicted);
        ++channel.inserted;
        ++written_;
        if (evicted.dirty) evict(evicted, channel, request, counts);
    }
    soil(channel, place, halves);
    return request.done(p_.store_latency);
}

Cycle L2::atomic(Request request, std::uint64_t line, std::uint8_t halves, unsigned serial, Counts& counts) {
    translation_.pass(request, line * p_.l2.line, counts);
    Channel& channel = channel_of(line);
    ++channel.counts.atomics;
    request.pass(channel.pipe, p_.l2_latency * 4 / 10, p_.l2_read + p_.l2_atomic * serial);
    Tags::Line* place = channel.tags.find(line);
    Cycle ready;
    if (place) {
        ++channel.counts.hits;
        ready = std::max<Cycle>(request.done(p_.l2_latency), place->ready);
    } else {
        ready = fill(channel, request, line, counts, 0);
        place = channel.tags.find(line);
    }
    if (place) soil(channel, place, halves);
    return ready;
}

void L2::soil(Channel& channel, Tags::Line* line, std::uint8_t halves) {
    soiled_halves_ += static_cast<unsigned>(std::popcount(static_cast<unsigned>(halves & ~channel.tags.dirty(line))));
    channel.tags.soil(line, halves);
}

void L2::write_back(Cycle now, Counts& counts) {
    for (Channel& channel : channels_) {
        channel.tags.clean([&](std::uint64_t line, std::uint8_t halves) {
            if (line < Tags::kNowhere) {
                channel.counts.fabric_writes_64 += static_cast<unsigned>(std::popcount(halves));
                ++channel.counts.writebacks;
            }
            memory_.write({now, 0}, line, counts);
        });
        // What was not simulated is not counted.
        const auto owed = static_cast<std::uint64_t>(std::max<std::int64_t>(channel.owed, 0));
        channel.counts.fabric_writes_64 -= std::min(channel.counts.fabric_writes_64, owed);
        channel.counts.writebacks -= std::min(channel.counts.writebacks, owed / 2);
    }
}

void L2::count(std::vector<L2Counts>& channels) const {
    for (const Channel& channel : channels_) channels.push_back(channel.counts);
}

std::uint64_t L2::inserted() const {
    std::uint64_t sum = 0;
    for (const Channel& channel : channels_) sum += channel.inserted;
    return sum;
}

void L2::fill_up(unsigned dirty_share) {
    filled_ = true;
    for (Channel& channel : channels_) channel.tags.fill_up(dirty_share);
}

void L2::touch(std::uint64_t line, std::uint8_t written) {
    Channel& channel = channel_of(line);
    Tags::Line* place = channel.tags.find(line);
    if (!place) {
        Tags::Evicted evicted;
        place = channel.tags.insert(line, 0, evicted);
        ++channel.inserted;
        if (written) ++written_;
        if (evicted.dirty) memory_.touch(evicted.number, true);
        channel.owed -= std::popcount(evicted.dirty);
        if (!written) memory_.touch(line, false);
    }
    if (!written) return;
    channel.owed += std::popcount(static_cast<unsigned>(written & ~channel.tags.dirty(place)));
    channel.tags.soil(place, written);
}

void L2::pass_unseen(std::uint64_t parts, std::uint64_t of) {
    const std::uint64_t capacity = p_.l2.bytes / p_.l2.line / p_.l2_channels;
    for (Channel& channel : channels_)
        if (static_cast<unsigned __int128>(channel.inserted) * (parts + of) >
            static_cast<unsigned __int128>(capacity) * of)
            channel.tags.clear();
}

void L2::report(DieProgress& progress) const {
    const auto clocks = [&](std::uint64_t halves) { return halves * p_.fabric_write / kOne / channels_.size(); };
    progress.l2 = busy();
    progress.writes = clocks(evicted_halves_);
    progress.reads = fabric_busy() - std::min(fabric_busy(), progress.writes);
    progress.owed = clocks(soiled_halves_);
    progress.l2_full = filled_ || inserted() >= capacity();
}

std::uint64_t L2::busy() const {
    std::uint64_t sum = 0;
    for (const Channel& channel : channels_) sum += channel.pipe.busy();
    return sum / channels_.size();
}

std::uint64_t L2::fabric_busy() const {
    std::uint64_t sum = 0;
    for (const Channel& channel : channels_) sum += channel.fabric.busy();
    return sum / channels_.size();
}

}  // namespace vrocm::sim::timing
