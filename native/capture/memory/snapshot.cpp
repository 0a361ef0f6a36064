#include "capture/memory/snapshot.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "capture/calls/original.h"
#include "snapshot/region_file.h"

namespace rpl::capture {

using snapshot::kChunk;
using snapshot::kPage;
using snapshot::kPagesPerChunk;

namespace {

std::string file_name(const char* prefix, std::uint64_t base) {
    char name[64];
    std::snprintf(name, sizeof name, "memory/%s_%016llx.bin", prefix, static_cast<unsigned long long>(base));
    return name;
}

std::uint64_t differing_bytes(const std::uint8_t* a, const std::uint8_t* b) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < kPage; ++i) count += a[i] != b[i];
    return count;
}

}  // namespace

bool MemorySnapshot::same(MemoryStream::Chunk chunk, const snapshot::ChunkDigest& digest) {
    return (snapshot::nonzero_pages(chunk) == 0 ? snapshot::ChunkDigest{} : snapshot::chunk_digest(chunk)) == digest;
}

void MemorySnapshot::take_before() {
    for (const Unreachable& range : inventory_.unreachable) {
        if (!range.within_reach || range.what == "code object") continue;
        lowest_ = std::min(lowest_, range.base);
        highest_ = std::max(highest_, range.base + range.size);
    }
    for (std::size_t i = 0; i < states_.size(); ++i)
        if (inventory_.regions[i].stored) before(inventory_.regions[i], states_[i]);
    // Regions that are gone leave the lists together with their states.
    std::vector<Region> regions;
    std::vector<State> states;
    for (std::size_t i = 0; i < states_.size(); ++i) {
        if (states_[i].gone) {
            vanished_.push_back(std::move(inventory_.regions[i]));
            continue;
        }
        regions.push_back(std::move(inventory_.regions[i]));
        states.push_back(std::move(states_[i]));
    }
    inventory_.regions = std::move(regions);
    states_ = std::move(states);
}

void MemorySnapshot::before(Region& region, State& state) {
    region.file = file_name("region", region.base);
    state.digests.resize((region.size + kChunk - 1) / kChunk);
    snapshot::RegionWriter writer;
    writer.open(folder_.path_of(region.file), snapshot::RegionState::Before, region.base, region.size);
    const bool there = stream_.pass(region, [&](std::uint64_t index, MemoryStream::Chunk chunk) {
        static thread_local snapshot::PackedChunk packed;
        const std::uint16_t pages = snapshot::nonzero_pages(chunk);
        if (pages == 0) return;  // the digest of zeros is zero
        if (lowest_ < highest_) look_for_pointers(chunk, region);
        snapshot::pack_chunk(chunk, pages, packed);
        writer.add(index, packed);
        state.digests[index] = snapshot::chunk_digest(chunk);
    });
    if (!there) {
        if (!region.may_be_unmapped)
            throw CaptureError("the memory at " + snapshot::Json::address(region.base).text() + " cannot be read");
        std::remove(folder_.path_of(region.file).c_str());
        region.file.clear();
        state.gone = true;
        return;
    }
    region.file_checksum = writer.finish();
    region.stored_bytes = writer.stored_bytes();
    folder_.note(region.file, region.file_checksum);
}

void MemorySnapshot::look_for_pointers(MemoryStream::Chunk chunk, const Region& region) {
    for (std::size_t at = 0; at < kChunk; at += 8) {
        std::uint64_t word;
        std::memcpy(&word, chunk.data() + at, sizeof word);
        if (word < lowest_ || word >= highest_) continue;
        for (Unreachable& range : inventory_.unreachable)
            if (range.within_reach && range.what != "code object" && range.contains(word))
                std::atomic_ref(region.foreign_arguments ? range.pointed_at_by_other_arguments : range.pointed_at)
                    .store(true, std::memory_order_relaxed);
    }
}

std::vector<std::uint64_t> MemorySnapshot::changed_host_chunks() {
    std::vector<std::uint64_t> addresses;
    std::mutex mutex;
    for (std::size_t i = 0; i < states_.size(); ++i) {
        const Region& region = inventory_.regions[i];
        if (!region.written_by_host() || !region.stored) continue;
        stream_.pass(region, [&](std::uint64_t index, MemoryStream::Chunk chunk) {
            if (same(chunk, states_[i].digests[index])) return;
            std::lock_guard lock(mutex);
            addresses.push_back(region.base + index * kChunk);
        });
    }
    return addresses;
}

void MemorySnapshot::take_after() {
    for (std::size_t i = 0; i < states_.size(); ++i)
        if (inventory_.regions[i].stored) after(inventory_.regions[i], states_[i]);
}

void MemorySnapshot::after(Region& region, const State& state) {
    // Opened for the first chunk that changed: most regions have none.
    snapshot::RegionReader stored;
    snapshot::RegionWriter writer;
    std::mutex mutex;
    bool opened = false;
    const auto open_once = [&] {
        std::lock_guard lock(mutex);
        if (opened) return;
        stored.open(folder_.path_of(region.file), snapshot::RegionState::Before);
        region.after_file = file_name("after", region.base);
        writer.open(folder_.path_of(region.after_file), snapshot::RegionState::After, region.base, region.size);
        opened = true;
    };
    std::atomic<std::uint64_t> pages{0}, bytes{0};
    const bool there = stream_.pass(region, [&](std::uint64_t index, MemoryStream::Chunk chunk) {
        if (same(chunk, state.digests[index])) return;
        open_once();
        static thread_local snapshot::PackedChunk packed;
        static thread_local std::vector<std::uint8_t> was;
        was.assign(kChunk, 0);
        stored.read_chunk(index, std::span<std::uint8_t, kChunk>(was.data(), kChunk));
        unsigned changed = 0;
        for (std::size_t page = 0; page < kPagesPerChunk; ++page) {
            const std::uint64_t count = differing_bytes(was.data() + page * kPage, chunk.data() + page * kPage);
            if (count == 0) continue;
            changed |= 1u << page;
            pages += 1;
            bytes += count;
        }
        snapshot::pack_chunk(chunk, static_cast<std::uint16_t>(changed), packed);
        writer.add(index, packed);
    });
    if (!there)
        throw CaptureError("the memory at " + snapshot::Json::address(region.base).text() +
                           " cannot be read after the kernel");
    region.changed_pages = pages;
    region.changed_bytes = bytes;
    if (!opened) return;
    region.after_checksum = writer.finish();
    folder_.note(region.after_file, region.after_checksum);
}

}  // namespace rpl::capture
