// Pages that a kernel changes, by region, and the runs they form.
#pragma once

#include <cstdint>
#include <vector>

#include "replay/memory/placed_region.h"

namespace rpl::replay {

struct PageRun {
    std::size_t region = 0;
    std::uint64_t offset = 0, bytes = 0;  // in the region; the last page may be short
};

class DirtyPages {
  public:
    explicit DirtyPages(const std::vector<PlacedRegion>& regions);

    std::uint16_t mask(std::size_t region, std::uint64_t chunk) const { return masks_[region][chunk]; }
    void add(std::size_t region, std::uint64_t chunk, std::uint16_t pages) { masks_[region][chunk] |= pages; }
    void add_bytes(std::size_t region, std::uint64_t offset, std::uint64_t size);
    // Those that the captured execution changed.
    void add_captured_changes();
    void add_everything();  // that kernels can change
    std::uint64_t count() const;
    // In order, none longer than `most` bytes.
    std::vector<PageRun> runs(std::uint64_t most) const;

  private:
    const std::vector<PlacedRegion>& regions_;
    std::vector<std::vector<std::uint16_t>> masks_;  // by region and chunk
};

}  // namespace rpl::replay
