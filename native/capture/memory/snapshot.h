// The regions of a capture on their way to files: all of it before the kernel, what changed after it.
#pragma once

#include <cstdint>
#include <vector>

#include "capture/documents/capture_folder.h"
#include "capture/memory/inventory.h"
#include "capture/memory/stream.h"
#include "snapshot/chunk_digest.h"

namespace rpl::capture {

class MemorySnapshot {
  public:
    MemorySnapshot(CaptureFolder& folder, MemoryStream& stream, Inventory& inventory)
        : folder_(folder), stream_(stream), inventory_(inventory), states_(inventory.regions.size()) {}

    // Reads and stores every region, and looks for pointers into memory that cannot be captured. False for regions of
    // the application's own memory that is not there any more; they are taken out of the inventory.
    void take_before();
    // Chunks that hosts write to (host memory, kernel arguments) and that are no longer as they were stored: the host's
    // threads go on all the time.
    std::vector<std::uint64_t> changed_host_chunks();
    void take_after();

    const std::vector<Region>& vanished() const { return vanished_; }

  private:
    struct State {
        std::vector<snapshot::ChunkDigest> digests;
        bool gone = false;
    };
    static bool same(MemoryStream::Chunk chunk, const snapshot::ChunkDigest& digest);
    void before(Region& region, State& state);
    void after(Region& region, const State& state);
    void look_for_pointers(MemoryStream::Chunk chunk, const Region& region);

    CaptureFolder& folder_;
    MemoryStream& stream_;
    Inventory& inventory_;
    std::vector<State> states_;
    std::vector<Region> vanished_;
    std::uint64_t lowest_ = ~std::uint64_t{0}, highest_ = 0;  // of memory that cannot be captured
};

}  // namespace rpl::capture
