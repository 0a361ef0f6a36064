// How the typed instruction counters class a vector ALU instruction: by the operation and the type in its name.
#pragma once

#include <cstdint>

#include "isa/inst.h"
#include "sim/counters/mix.h"

namespace vrocm::sim::counters {

struct ValuClass {
    std::uint64_t Mix::* count = nullptr;       // null: none of the typed counters
    std::uint64_t Mix::* operations = nullptr;  // of a matrix instruction
    std::uint64_t operations_each = 0;          // in units of 512, on all of a wave's lanes together
};

ValuClass valu_class(isa::Op op);

}  // namespace vrocm::sim::counters
