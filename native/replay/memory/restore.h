// Puts memory into its captured state: all of it once, then only the pages that a replay dirtied.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "replay/device/copy_lane.h"
#include "replay/memory/dirty_pages.h"
#include "replay/memory/placed_region.h"

namespace rpl::replay {

// Words of the captured memory that point into a range: found while memory is restored.
class PointerSearch {
  public:
    static constexpr std::size_t kMost = 4096;  // distinct values that are kept

    explicit PointerSearch(AddressRange range) : range_(range) {}
    void look_at(std::uint64_t address, const std::uint8_t* bytes, std::size_t size);

    // Where each value is, at its lowest address.
    const std::map<std::uint64_t, std::uint64_t>& found() const { return found_; }
    bool complete() const { return complete_; }

  private:
    AddressRange range_;
    std::mutex mutex_;
    std::map<std::uint64_t, std::uint64_t> found_;
    bool complete_ = true;  // every value is kept
};

class Restore {
  public:
    Restore(const HsaLibrary& hsa, const ReplayDevice& device, CopyLanes& lanes, std::vector<PlacedRegion>& regions);

    // Every byte of the regions of that kind, or of all others. Fresh host memory is zero, so zeros are not written
    // there. Throws snapshot::FileError and Failure, as all below.
    void globals();
    void all_but_globals(PointerSearch* search);

    DirtyPages& dirty() { return dirty_; }
    // To be called when pages were added: reads the captured contents of the dirty pages, as many as are worth
    // keeping.
    void prepare();
    // The dirty pages, as captured before the kernel.
    void dirty_pages();

    // The runs of dirty pages, with their captured contents after the kernel; `scratch` is used where they are not
    // kept.
    const std::vector<PageRun>& runs() const { return runs_; }
    const std::uint8_t* after(std::size_t run, std::vector<std::uint8_t>& scratch) const;

    // Looks at every page outside the dirty ones and adds those that are not as captured; how many.
    std::uint64_t find_changes();

    std::uint64_t bytes() const;  // of all regions

  private:
    struct Batch {
        std::size_t region;
        std::uint64_t first_chunk, chunks;
    };
    std::vector<Batch> batches(bool globals) const;
    void restore_batch(CopyLane& lane, const Batch& batch, PointerSearch* search) const;
    std::uint64_t compare_batch(CopyLane& lane, const Batch& batch);
    void run_contents(snapshot::RegionState state, const PageRun& run, std::uint8_t* into) const;
    bool kept(std::size_t run) const { return run < kept_.size() && kept_[run].has_value(); }

    const HsaLibrary& hsa_;
    const ReplayDevice& device_;
    CopyLanes& lanes_;
    std::vector<PlacedRegion>& regions_;
    DirtyPages dirty_;
    std::vector<PageRun> runs_;
    std::vector<std::optional<std::size_t>> kept_;  // where a run's contents are in both caches
    std::unique_ptr<PinnedMemory> before_cache_;
    std::vector<std::uint8_t> after_cache_;
};

}  // namespace rpl::replay
