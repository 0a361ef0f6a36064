// What lies in the memory of a loaded code object: its sections, and of those with variables each variable by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/memory/address_space.h"

namespace vrocm::sim::checkers {

// The parts of a code object that kernels may touch, sorted by address. The whole of it when it does not say.
std::vector<Allocation> parts_of_code(const Allocation& code);
// The variable that an address in a code object belongs to or follows.
std::optional<Allocation> variable_near(std::uint64_t address);

}  // namespace vrocm::sim::checkers
