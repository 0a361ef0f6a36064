#include "sim/touched_lines.h"

#include <bit>

#include "isa/flags.h"

namespace vrocm::sim {

void TouchedLines::add(const Op* op, const MemoryAccess& access) {
    if (access.lanes == 0) return;
    const isa::Inst& inst = *op->inst;
    using isa::Format;
    if (inst.format != Format::FLAT && inst.format != Format::GLOBAL && inst.format != Format::MUBUF &&
        inst.format != Format::MTBUF)
        return;
    const std::uint64_t first = access.address[std::countr_zero(access.lanes)];
    if (first - kSharedAperture < kApertureSize || first - kPrivateAperture < kApertureSize) return;
    const bool writes = isa::has(inst.op, isa::flag::Store) || isa::has(inst.op, isa::flag::Atomic);
    const unsigned half = line_bytes_ / 2;
    std::uint64_t last = ~std::uint64_t{0};  // half of a line: neighbouring lanes often share it
    for (std::uint64_t left = access.lanes; left; left &= left - 1) {
        const std::uint64_t address = access.address[std::countr_zero(left)];
        for (std::uint64_t h = address / half; h <= (address + access.bytes - 1) / half; ++h) {
            if (h == last) continue;
            const std::uint64_t written = writes ? 1u << (h & 1) : 0;
            if (h / 2 == last / 2 && !touches_.empty())
                touches_.back().written |= written;
            else
                touches_.push_back({h / 2, written});
            last = h;
        }
    }
}

}  // namespace vrocm::sim
