// Lanes whose addresses follow each other, taken together: most accesses of a wave are one block of memory.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/observe/observer.h"

namespace vrocm::sim::observe {

// Calls f(begin, end) for blocks of addresses that together are those of the access. Lanes that touch the same
// bytes as their predecessor add nothing.
template <typename F>
void for_each_run(const Access& access, F&& f) {
    std::uint64_t left = access.lanes;
    std::uint64_t begin = access.address[std::countr_zero(left)], end = begin + access.bytes;
    for (left &= left - 1; left; left &= left - 1) {
        const std::uint64_t at = access.address[std::countr_zero(left)];
        if (at == end) {
            end += access.bytes;
        } else if (at < begin || at + access.bytes > end) {
            f(begin, end);
            begin = at;
            end = at + access.bytes;
        }
    }
    f(begin, end);
}

}  // namespace vrocm::sim::observe
