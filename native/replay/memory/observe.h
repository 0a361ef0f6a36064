// Memory after a replay against memory after the captured execution: how much differs, and the pages that do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replay/memory/restore.h"

namespace rpl::replay {

struct DifferingChunk {
    std::size_t region = 0;
    std::uint64_t chunk = 0;
    std::uint16_t pages = 0;
};

struct Agreement {
    std::uint64_t iteration = 0;
    std::uint64_t differing_pages = 0, differing_bytes = 0;
    std::vector<DifferingChunk> chunks;  // in order
};

// Compares the dirty pages; every other page is as before the kernel, in both.
Agreement compare_with_captured(const Restore& restore, CopyLanes& lanes, const std::vector<PlacedRegion>& regions,
                                std::uint64_t iteration);

// Writes differing pages as FOLDER/iteration_<k>/after_<base>.bin.
class Observer {
  public:
    // Makes the folder; throws Failure when it holds results already.
    explicit Observer(std::string folder);
    void write(const Agreement& agreement, CopyLanes& lanes, const std::vector<PlacedRegion>& regions) const;
    // Removes what was written, to begin again.
    void discard(std::uint64_t iterations) const;

  private:
    std::string iteration_folder(std::uint64_t iteration) const;
    std::string folder_;
};

}  // namespace rpl::replay
