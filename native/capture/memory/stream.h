// Memory of the device and of the host, read chunk by chunk by several threads into staging buffers of fixed size.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "abi/hsa/hsa.h"
#include "capture/memory/region.h"
#include "snapshot/region_file.h"

namespace rpl::capture {

class MemoryStream {
  public:
    using Chunk = std::span<const std::uint8_t, snapshot::kChunk>;
    // Called by any of the threads, for chunks in any order; what it throws ends the pass and comes out of it.
    using Work = std::function<void(std::uint64_t index, Chunk chunk)>;

    explicit MemoryStream(hsa_agent_t agent);
    ~MemoryStream();

    // Every chunk of a region; the last is filled up with zeros. False when the memory is not there any more.
    bool pass(const Region& region, const Work& work);
    // Some bytes at once; false when they cannot be read.
    bool read(const Region& region, std::uint64_t address, std::span<std::uint8_t> bytes);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace rpl::capture
