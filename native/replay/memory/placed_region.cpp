#include "replay/memory/placed_region.h"

#include <algorithm>
#include <cstring>

namespace rpl::replay {

using snapshot::kChunk;
using snapshot::RegionState;

std::size_t PlacedRegion::chunk_bytes(std::uint64_t chunk) const {
    return static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, size() - chunk * kChunk));
}

void PlacedRegion::contents(RegionState state, std::uint64_t chunk, std::span<std::uint8_t, kChunk> into) const {
    constexpr std::uint16_t kAllPages = 0xFFFF;
    if (captured->before->pages(chunk) != kAllPages) std::memset(into.data(), 0, kChunk);
    captured->before->read_chunk(chunk, into);
    if (state == RegionState::After && captured->after) captured->after->read_chunk(chunk, into);
    patch(chunk, into);
}

void PlacedRegion::patch(std::uint64_t chunk, std::span<std::uint8_t, kChunk> memory) const {
    if (moved_by) {
        // Pointers are aligned in memory, not in the region.
        const std::uint64_t start = captured->base + chunk * kChunk;
        for (std::size_t at = (8 - start % 8) % 8; at + 8 <= memory.size(); at += 8) {
            std::uint64_t word;
            std::memcpy(&word, memory.data() + at, sizeof word);
            if (word - moved_from.base >= moved_from.size) continue;
            word += moved_by;
            std::memcpy(memory.data() + at, &word, sizeof word);
        }
    }
    const std::uint64_t begin = chunk * kChunk, end = begin + kChunk;
    for (const Patch& p : patches) {
        const std::uint64_t from = std::max(begin, p.offset), to = std::min(end, p.offset + p.bytes.size());
        if (from < to) std::memcpy(memory.data() + (from - begin), p.bytes.data() + (from - p.offset), to - from);
    }
}

template <typename F>
void PlacedRegion::for_pieces(std::uint64_t offset, std::size_t size, F&& f) const {
    for (const Piece& piece : pieces) {
        const std::uint64_t from = std::max(offset, piece.offset);
        const std::uint64_t to = std::min(offset + size, piece.offset + piece.size);
        if (from < to) f(piece.address + (from - piece.offset), from - offset, static_cast<std::size_t>(to - from));
    }
}

void PlacedRegion::write(CopyLane& lane, std::uint64_t offset, const std::uint8_t* bytes, std::size_t size,
                         bool pinned) const {
    for_pieces(offset, size, [&](std::uint64_t address, std::uint64_t at, std::size_t count) {
        if (host)
            std::memcpy(reinterpret_cast<void*>(address), bytes + at, count);
        else
            lane.to_device(address, bytes + at, count, pinned);
    });
}

void PlacedRegion::read(CopyLane& lane, std::uint64_t offset, std::uint8_t* bytes, std::size_t size,
                        bool pinned) const {
    for_pieces(offset, size, [&](std::uint64_t address, std::uint64_t at, std::size_t count) {
        if (host)
            std::memcpy(bytes + at, reinterpret_cast<const void*>(address), count);
        else
            lane.from_device(bytes + at, address, count, pinned);
    });
}

void PlacedRegion::zero(CopyLane& lane, std::uint64_t offset, std::size_t size) const {
    for_pieces(offset, size, [&](std::uint64_t address, std::uint64_t, std::size_t count) {
        if (host)
            std::memset(reinterpret_cast<void*>(address), 0, count);
        else
            lane.zero_device(address, count);
    });
}

std::vector<PlacedRegion> place_regions(const Capture& capture) {
    std::vector<PlacedRegion> placed;
    for (const CapturedRegion& region : capture.regions) {
        if (!region.before) continue;
        PlacedRegion place;
        place.captured = &region;
        place.host = is_host(region.kind);
        if (region.kind != RegionKind::Globals) place.pieces.push_back({0, region.size, region.base});
        placed.push_back(std::move(place));
    }
    return placed;
}

}  // namespace rpl::replay
