// Elements of A and B in every lane, widened to what the multiplication works on.
#pragma once

#include <cstdint>

#include "sim/exec/matrix/table.h"
#include "sim/wave/wave.h"

namespace vrocm::sim {

inline constexpr unsigned kMostPerLane = 16;  // elements a lane holds: v_smfmac_*x64_*8 has sixteen of B

template <typename T>
struct Lanes {
    alignas(64) T at[kMostPerLane][kLanes];  // [element][lane]
};

// `flush`: 16-bit denormals count as zero (gfx90a).
void unpack(Element type, const VReg* regs, unsigned elements, bool flush, Lanes<float>& out);
void unpack(const VReg* regs, unsigned elements, Lanes<std::int32_t>& out);  // I8

}  // namespace vrocm::sim
