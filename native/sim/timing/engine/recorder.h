// Who wants to know about every instruction of some waves (thread traces).
#pragma once

#include <cstdint>

#include "sim/code/op.h"
#include "sim/timing/cost.h"

namespace vrocm::sim::timing {

// Where a wave runs.
struct WavePlace {
    unsigned xcd, engine, unit, simd, slot;
};

class Recorder {
  public:
    // Asked once for each wave; false: its instructions are not reported.
    virtual bool wants(const WavePlace& place) = 0;
    virtual std::uint32_t begin_wave(const WavePlace& place, const Wave& wave, Cycle at) = 0;
    // `attempt`: when the wave first tried; `issue`: when it went; `next`: when the wave may try its next one.
    virtual void instruction(std::uint32_t wave, const Op* op, const Cost& cost, Cycle attempt, Cycle issue, Cycle next,
                             bool taken) = 0;
    virtual void end_wave(std::uint32_t wave, Cycle at) = 0;
    // Whether to go on in detail for it after so many instructions, though the time is known well enough.
    virtual bool wants_more(std::uint64_t instructions) const = 0;

  protected:
    ~Recorder() = default;
};

}  // namespace vrocm::sim::timing
