#include "sim/memory/touched_lines.h"

#include <bit>

#include "isa/flags.h"

namespace vrocm::sim {

bool TouchedLines::concerns(const isa::Inst& inst) {
    using isa::Format;
    return inst.format == Format::FLAT || inst.format == Format::GLOBAL || inst.format == Format::MUBUF ||
           inst.format == Format::MTBUF || inst.format == Format::SCRATCH;
}

void TouchedLines::touch(std::uint64_t line, unsigned written) {
    std::uint64_t& recent = recent_[line % kRecent];
    const std::uint64_t now = line << 2 | written;
    if (recent >> 2 == line && (recent | now) == recent) return;
    recent = recent >> 2 == line ? recent | now : now;
    touches_.push_back({line, written});
}

void TouchedLines::add(const Op* op, const MemoryAccess& access) {
    ++instructions_;
    const isa::Inst& inst = *op->inst;
    if (access.lanes == 0 || inst.format == isa::Format::SCRATCH) return;
    const std::uint64_t first = access.address[std::countr_zero(access.lanes)];
    if (first - kSharedAperture < kApertureSize || first - kPrivateAperture < kApertureSize) return;
    const bool writes = isa::has(inst.op, isa::flag::Store) || isa::has(inst.op, isa::flag::Atomic);
    const unsigned half = line_bytes_ / 2;
    std::uint64_t last = ~std::uint64_t{0};  // half of a line: neighbouring lanes often share it
    for (std::uint64_t left = access.lanes; left; left &= left - 1) {
        const std::uint64_t address = access.address[std::countr_zero(left)];
        for (std::uint64_t h = address / half; h <= (address + access.bytes - 1) / half; ++h) {
            if (h == last) continue;
            last = h;
            touch(h / 2, writes ? 1u << (h & 1) : 0);
        }
    }
}

}  // namespace vrocm::sim
