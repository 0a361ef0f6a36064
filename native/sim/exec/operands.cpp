// What handlers of every room share: EXEC as lanes, and wave-uniform sources.
#include "sim/code/op.h"

namespace vrocm::sim {

void Wave::expand_exec() {
    const std::uint64_t mask = exec();
    for (unsigned half = 0; half < 2; ++half) {
        const std::uint32_t bits = static_cast<std::uint32_t>(mask >> (32 * half));
        for (unsigned i = 0; i < 32; ++i) lanes_.lane[32 * half + i] = 0u - (bits >> i & 1u);
    }
    lanes_for_ = mask;
}

namespace {

std::uint64_t special(const Wave& wave, unsigned number) {
    using isa::Operand;
    switch (number) {
        case Operand::SharedBase:
            return kSharedAperture;
        case Operand::SharedLimit:
            return kSharedAperture + kApertureSize - 1;
        case Operand::PrivateBase:
            return kPrivateAperture;
        case Operand::PrivateLimit:
            return kPrivateAperture + kApertureSize - 1;
        case Operand::Vccz:
            return wave.vcc() == 0;
        case Operand::Execz:
            return wave.exec() == 0;
        case Operand::Scc:
            return wave.scc;
        default:
            return 0;  // the code cache rejects the others
    }
}

}  // namespace

std::uint32_t read_scalar32(const Wave& wave, const Src& src) {
    switch (src.kind) {
        case Src::Kind::Sgpr:
            return wave.s[src.reg];
        case Src::Kind::Const:
            return static_cast<std::uint32_t>(src.imm);
        case Src::Kind::Special:
            return static_cast<std::uint32_t>(special(wave, src.reg));
        default:
            return 0;
    }
}

std::uint64_t read_scalar64(const Wave& wave, const Src& src) {
    switch (src.kind) {
        case Src::Kind::Sgpr:
            return wave.read_s64(src.reg);
        case Src::Kind::Const:
            return src.imm;
        case Src::Kind::Special:
            return special(wave, src.reg);
        default:
            return 0;
    }
}

}  // namespace vrocm::sim
