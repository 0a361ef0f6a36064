// Poison: bytes that the kernel is to overwrite are filled with a pattern before it runs, so that output it does not
// write cannot pass for right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replay/device/copy_lane.h"
#include "replay/memory/dirty_pages.h"
#include "replay/memory/placed_region.h"

namespace rpl::replay {

class Poison {
  public:
    // Reads the file (docs/reference/capture-format.md); an empty path is no poison. Throws Failure for a file that is
    // not right and for ranges outside captured memory.
    Poison(const std::string& path, const std::vector<PlacedRegion>& regions);
    bool empty() const { return ranges_.empty(); }
    std::uint64_t bytes() const;
    // To be restored before every iteration.
    void mark(DirtyPages& dirty) const;
    void apply(CopyLanes& lanes) const;

  private:
    struct Range {
        std::size_t region;
        std::uint64_t offset, size;
    };
    const std::vector<PlacedRegion>& regions_;
    std::uint64_t seed_ = 0;
    std::vector<Range> ranges_;
};

}  // namespace rpl::replay
