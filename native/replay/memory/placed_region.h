// A captured region where it is in this process: its captured contents as they belong here, and copies to and from
// its memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "replay/captured/folder.h"
#include "replay/device/copy_lane.h"

namespace rpl::replay {

// Part of a region that has memory. An ordinary region is one piece at its own address.
struct Piece {
    std::uint64_t offset = 0, size = 0, address = 0;
};

// Bytes that differ in this process on purpose, before and after the kernel: rebound arguments.
struct Patch {
    std::uint64_t offset = 0;
    std::vector<std::uint8_t> bytes;
};

struct PlacedRegion {
    const CapturedRegion* captured = nullptr;
    bool host = false;  // can be read and written in place
    std::vector<Piece> pieces;
    std::vector<Patch> patches;
    // Globals whose code object is elsewhere: words that point into `moved_from` point `moved_by` further.
    AddressRange moved_from;
    std::uint64_t moved_by = 0;

    std::uint64_t size() const { return captured->size; }
    std::uint64_t chunk_count() const { return captured->chunk_count(); }
    // Bytes of a chunk that belong to the region.
    std::size_t chunk_bytes(std::uint64_t chunk) const;

    // The captured contents of a chunk, before or after the kernel. Throws snapshot::FileError.
    void contents(snapshot::RegionState state, std::uint64_t chunk,
                  std::span<std::uint8_t, snapshot::kChunk> into) const;

    // Bytes without memory (between pieces) are left alone. `pinned`: the host bytes are memory of a lane or cache.
    void write(CopyLane& lane, std::uint64_t offset, const std::uint8_t* bytes, std::size_t size, bool pinned) const;
    void read(CopyLane& lane, std::uint64_t offset, std::uint8_t* bytes, std::size_t size, bool pinned) const;
    void zero(CopyLane& lane, std::uint64_t offset, std::size_t size) const;

  private:
    void patch(std::uint64_t chunk, std::span<std::uint8_t, snapshot::kChunk> memory) const;
    template <typename F>
    void for_pieces(std::uint64_t offset, std::size_t size, F&& f) const;
};

// Every region that has contents of its own, each one piece at its captured address. Globals are placed later, with
// the code, and have no piece yet.
std::vector<PlacedRegion> place_regions(const Capture& capture);

}  // namespace rpl::replay
