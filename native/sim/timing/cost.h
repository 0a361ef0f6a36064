// What an instruction costs, whatever its data: which unit, for how long, and how tools class it.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/code/op.h"
#include "sim/timing/counts.h"
#include "sim/timing/parameters.h"

namespace vrocm::sim::timing {

enum class Unit : std::uint8_t {
    Valu,
    Matrix,
    Salu,
    Smem,
    Vmem,
    Lds,
    Branch,
    Wait,     // s_waitcnt
    Barrier,  // s_barrier
    Nop,      // s_nop, s_sleep: a known number of clocks
    Internal,
    Message,
    End,
};

struct Cost {
    Unit unit = Unit::Internal;
    Class kind = Class::Internal;
    std::uint16_t cycles = 4;    // that the unit is taken
    std::uint16_t result = 0;    // clocks after issue at which a long result is there; 0: in time for the next
    bool writes_scalar = false;  // vector instruction with a scalar result
    bool reads_scalar = false;   // scalar instruction or branch that may read one
    bool flat = false;           // may touch LDS as well as memory
    bool clock = false;          // reads a clock: is told what time it is
    bool around_l1 = false;      // asks for a scope wider than the compute unit
    bool invalidates_l1 = false;
    std::uint8_t memory_kind = 0;  // VectorMemory::Kind
    std::uint8_t places = 1;       // LDS: places per lane
    std::uint32_t second = 0;      // bytes from the first place to the second
    std::uint8_t wait_vm = 63, wait_lgkm = 15;
};

Cost cost_of(const Op& op, const Parameters& parameters);

// Costs by Op::index, worked out on first use.
class CostTable {
  public:
    explicit CostTable(const Parameters& parameters) : p_(parameters) {}
    const Cost& operator[](const Op* op) {
        if (op->index >= known_.size()) grow(op->index);
        if (!known_[op->index]) {
            costs_[op->index] = cost_of(*op, p_);
            known_[op->index] = true;
        }
        return costs_[op->index];
    }

  private:
    void grow(std::uint32_t index) {
        known_.resize(index + index / 2 + 256);
        costs_.resize(known_.size());
    }
    const Parameters& p_;
    std::vector<Cost> costs_;
    std::vector<std::uint8_t> known_;
};

}  // namespace vrocm::sim::timing
