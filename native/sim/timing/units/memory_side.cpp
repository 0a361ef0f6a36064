#include "sim/timing/units/memory_side.h"

#include <algorithm>

#include "sim/memory/address_space.h"

namespace vrocm::sim::timing {

namespace {
constexpr std::uint64_t kPage = 2u << 20;
}

MemorySide::MemorySide(const GpuModel&, const Parameters& parameters)
    : p_(parameters), cache_(parameters.infinity_cache), channels_(parameters.memory_channels) {}

void MemorySide::begin_dispatch() {
    for (Channel& channel : channels_) {
        channel.pipe.reset();
        channel.writes = false;
    }
    host_link_.reset();
    cache_.settle();
    inserted_ = driven_out_ = 0;
    last_page_ = ~0ull;
    pages_.clear();
}

bool MemorySide::on_host(std::uint64_t address) const {
    if (host_.empty()) return false;
    const auto it = std::upper_bound(host_.begin(), host_.end(), address,
                                     [](std::uint64_t a, const HostRange& range) { return a < range.end; });
    return it != host_.end() && address >= it->begin;
}

MemorySide::Channel& MemorySide::channel_of(std::uint64_t line) {
    const std::uint64_t block = line * p_.l2.line / p_.memory_interleave;
    // Folding in higher bits spreads strides over the channels, as the address hash of the hardware does.
    const std::uint64_t hash = block ^ block >> 7 ^ block >> 14 ^ block >> 21;
    return channels_[hash % channels_.size()];
}

void MemorySide::use_memory(Request& request, std::uint64_t line, bool write, Counts& counts) {
    ++(write ? counts.memory_writes : counts.memory_reads);
    Channel& channel = channel_of(line);
    std::uint32_t cost = write ? p_.memory_write : p_.memory_read;
    if (channel.writes != write) cost += p_.memory_turnaround;
    channel.writes = write;
    request.pass(channel.pipe, p_.memory_latency * 6 / 10, cost);
}

Cycle MemorySide::read(Request request, std::uint64_t line, Counts& counts) {
    if (on_host(line * p_.l2.line)) {
        ++counts.host_reads;
        request.pass(host_link_, p_.host_latency / 2, p_.host_line);
        return request.done(p_.host_latency);
    }
    if (!cache_.present()) {
        use_memory(request, line, false, counts);
        return request.done(p_.memory_latency);
    }
    if (Tags::Line* hit = cache_.find(line)) {
        ++counts.far_hits;
        return std::max<Cycle>(request.done(p_.far_latency), hit->ready);
    }
    ++counts.far_misses;
    Tags::Evicted evicted;
    Tags::Line* place = cache_.insert(line, 0, evicted);
    note_insertion(line);
    if (evicted.dirty) evict(request, evicted, counts);
    use_memory(request, line, false, counts);
    const Cycle ready = request.done(p_.memory_latency);
    place->ready = static_cast<std::uint32_t>(ready);
    return ready;
}

void MemorySide::evict(Request& request, const Tags::Evicted& line, Counts& counts) {
    ++driven_out_;
    Request out = request;
    use_memory(out, line.number, true, counts);
    request.follow(out, p_.write_buffer);
}

Request MemorySide::write(Request request, std::uint64_t line, Counts& counts) {
    if (on_host(line * p_.l2.line)) {
        ++counts.host_writes;
        request.pass(host_link_, p_.host_latency / 2, p_.host_line);
        return request;
    }
    if (!cache_.present()) {
        use_memory(request, line, true, counts);
        return request;
    }
    Tags::Line* place = cache_.find(line);
    if (!place) {
        Tags::Evicted evicted;
        place = cache_.insert(line, 0, evicted);
        note_insertion(line);
        if (evicted.dirty) evict(request, evicted, counts);
    }
    cache_.dirty(place) = 3;
    return request;
}

void MemorySide::touch(std::uint64_t line, bool write) {
    if (!cache_.present() || on_host(line * p_.l2.line)) return;
    Tags::Line* place = cache_.find(line);
    if (!place) {
        Tags::Evicted evicted;
        place = cache_.insert(line, 0, evicted);
        note_insertion(line);
        driven_out_ += evicted.dirty != 0;
    }
    if (write) cache_.dirty(place) = 3;
}

void MemorySide::note_insertion(std::uint64_t line) {
    ++inserted_;
    const std::uint64_t page = line * p_.l2.line / kPage;
    if (page == last_page_) return;
    last_page_ = page;
    pages_.insert(page);
}

// A stream that does not fit leaves only its end behind, which the next kernel does not start with.
void MemorySide::pass_unseen(std::uint64_t parts, std::uint64_t of) {
    if (!cache_.present() || of == 0) return;
    const auto unseen = static_cast<std::uint64_t>(static_cast<unsigned __int128>(inserted_) * parts / of);
    const std::uint64_t capacity = p_.infinity_cache.bytes / p_.infinity_cache.line;
    if (inserted_ + unseen > capacity) {
        cache_.clear();
        return;
    }
    AddressSpace::process().for_each([&](const Allocation& allocation) {
        const auto touched = pages_.lower_bound(allocation.base / kPage);
        if (touched != pages_.end() && *touched * kPage < allocation.end())
            stream(allocation.base, allocation.accessible);
    });
}

void MemorySide::stream(std::uint64_t begin, std::uint64_t bytes) {
    if (!cache_.present()) return;
    const std::uint64_t first = begin / p_.l2.line, lines = bytes / p_.l2.line;
    const std::uint64_t capacity = p_.infinity_cache.bytes / p_.infinity_cache.line;
    for (std::uint64_t i = lines > capacity ? lines - capacity : 0; i < lines; ++i) {
        if (cache_.find(first + i)) continue;
        Tags::Evicted evicted;
        cache_.insert(first + i, 0, evicted);
    }
}

std::uint64_t MemorySide::busy() const {
    std::uint64_t sum = 0;
    for (const Channel& channel : channels_) sum += channel.pipe.busy();
    return sum / channels_.size();
}

}  // namespace vrocm::sim::timing
