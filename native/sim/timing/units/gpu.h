// The units of a whole GPU, put together. Caches keep their contents from dispatch to dispatch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/gpu_model.h"
#include "sim/timing/cost.h"
#include "sim/timing/parameters.h"
#include "sim/timing/units/front_caches.h"
#include "sim/timing/units/l2.h"
#include "sim/timing/units/lds.h"
#include "sim/timing/units/memory_side.h"
#include "sim/timing/units/pipe.h"
#include "sim/timing/units/vector_memory.h"

namespace vrocm::sim::timing {

// For how long a part of the GPU had work.
class Occupied {
  public:
    void enter(Cycle at) {
        if (inside_++ == 0) since_ = at;
    }
    void leave(Cycle at) {
        if (--inside_ == 0 && at > since_) busy_ += at - since_;
    }
    // Clocks so far, at a time when some may be inside.
    std::uint64_t busy(Cycle now) const { return busy_ + (inside_ && now > since_ ? now - since_ : 0); }

  private:
    unsigned inside_ = 0;
    Cycle since_ = 0;
    std::uint64_t busy_ = 0;
};

inline constexpr unsigned kSimds = 4;  // of a compute unit

struct Simd {
    Pipe valu, matrix, salu;
    unsigned waves = 0;
    std::uint32_t slots_taken = 0;  // a bit for each wave slot
};

struct ComputeUnit {
    ComputeUnit(const Parameters& p, L2& l2, FrontCaches& front) : front(front), vector_memory(p, l2), lds(p) {}
    FrontCaches& front;
    VectorMemory vector_memory;
    Lds lds;
    Simd simds[kSimds];
    unsigned xcd = 0, engine = 0, number = 0;  // die, shader engine of the die, unit of the engine
    unsigned groups = 0;
    unsigned rotation = 0;  // the SIMD that is tried first
    std::uint32_t lds_used = 0;
    Occupied occupied;
    // Since a mark: instructions, and clocks of waves that have ended.
    std::uint64_t executed = 0, wave_clocks = 0;
};

// One accelerator die.
struct Xcd {
    std::unique_ptr<L2> l2;
    std::vector<std::unique_ptr<FrontCaches>> front;
    std::vector<std::unique_ptr<ComputeUnit>> units;
    std::vector<Pipe> launchers;  // one per shader engine
    std::vector<Occupied> engines;
};

struct Gpu {
    explicit Gpu(const GpuModel& model);
    void begin_dispatch();
    // The next cache that the dispatch will have filled once it has run `expected` instructions, but not after the
    // `done` ones that it has: it is made full now. When that would have been, in instructions; 0: none is left.
    std::uint64_t fill_next_cache(std::uint64_t done, std::uint64_t expected);
    // What a part of a dispatch that is not simulated leaves in the caches, `parts` to what the simulated `of` did.
    void pass_unseen(std::uint64_t parts, std::uint64_t of);
    std::uint64_t cache_bytes() const;  // of the largest level
    bool cold_caches = false;           // kernels start with an empty L2, as under rocprofv3's counter collection

    const GpuModel& model;
    const Parameters& p;
    MemorySide memory;
    std::vector<Xcd> xcds;
    CostTable costs;

  private:
    bool l2_filled_ = false, memory_filled_ = false;  // by fill_next_cache
};

}  // namespace vrocm::sim::timing
