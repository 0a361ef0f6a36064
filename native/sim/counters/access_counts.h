// What the lanes of memory instructions touch, as far as it does not depend on what caches hold: exact for every
// dispatch, because it is counted also where nothing is simulated in time.
#pragma once

#include <cstdint>

#include "sim/code/op.h"

namespace vrocm::sim::counters {

struct AccessCounts {
#define ACCESS(name) std::uint64_t name = 0;
#include "sim/counters/access_fields.def"
#undef ACCESS

    // `l1_line`: bytes of a line of the L1.
    void add(const Op* op, const MemoryAccess& access, unsigned l1_line);
    void add(const AccessCounts& other);

  private:
    void add_lds(const Op* op, const MemoryAccess& access);
    void add_vector_memory(const Op* op, const MemoryAccess& access, unsigned l1_line);
};

}  // namespace vrocm::sim::counters
