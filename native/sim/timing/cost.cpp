#include "sim/timing/cost.h"

#include <algorithm>

#include "isa/flags.h"
#include "isa/traits.h"
#include "sim/timing/units/vector_memory.h"

namespace vrocm::sim::timing {

namespace {

using isa::Format;
namespace flag = isa::flag;

unsigned matrix_passes(isa::Arch arch, isa::Op op) {
    switch (op) {
#define PASSES(mnemonic, on_gfx90a, on_gfx942) \
    case isa::Op::mnemonic:                    \
        return arch == isa::Arch::gfx90a ? on_gfx90a : on_gfx942;
#include "sim/timing/matrix_passes.def"
#undef PASSES
        default:
            return 0;
    }
}

// Integer multiplications of 32 bits run at a quarter of the rate (CDNA3 ISA, "VALU instruction rates"; as LLVM's
// scheduling model of gfx940).
bool quarter_rate(isa::Op op) {
    switch (op) {
        case isa::Op::v_mul_lo_u32:
        case isa::Op::v_mul_hi_u32:
        case isa::Op::v_mul_hi_i32:
        case isa::Op::v_mad_u64_u32:
        case isa::Op::v_mad_i64_i32:
            return true;
        default:
            return isa::has(op, flag::Transcendental);
    }
}

Cost vector_cost(const Op& op, const Parameters& p) {
    const auto flags = isa::info(op.inst->op).flags;
    Cost cost;
    cost.unit = Unit::Valu;
    cost.kind = Class::Valu;
    cost.cycles = static_cast<std::uint16_t>(quarter_rate(op.inst->op) ? p.quarter_rate : p.issue);
    // Double-precision transcendentals take twice as long as those of single precision (CDNA3 ISA: quarter and
    // eighth rate).
    if (flags & flag::Transcendental && flags & flag::Double) cost.cycles *= 2;
    cost.writes_scalar = (flags & (flag::ScalarDst | flag::WritesVcc)) != 0 || op.inst->format == Format::VOPC;
    if (flags & flag::Matrix) {
        const unsigned passes = std::max(matrix_passes(op.arch, op.inst->op), 1u);
        cost.unit = Unit::Matrix;
        cost.kind = Class::Matrix;
        cost.cycles = static_cast<std::uint16_t>(4 * passes);
        cost.result = static_cast<std::uint16_t>(cost.cycles + p.matrix_result);
    }
    return cost;
}

Class memory_class(const Op& op, bool flat) {
    const auto flags = isa::info(op.inst->op).flags;
    if (flags & flag::Atomic) return flat ? Class::FlatAtomic : Class::VmemAtomic;
    if (flags & flag::Store) return flat ? Class::FlatWrite : Class::VmemWrite;
    return flat ? Class::FlatRead : Class::VmemRead;
}

Cost memory_cost(const Op& op) {
    const isa::Inst& inst = *op.inst;
    const auto flags = isa::info(inst.op).flags;
    Cost cost;
    cost.unit = Unit::Vmem;
    cost.flat = inst.format == Format::FLAT;
    cost.kind = memory_class(op, cost.flat);
    using Kind = VectorMemory::Kind;
    const Kind kind = flags & flag::Atomic ? Kind::Atomic : flags & flag::Store ? Kind::Write : Kind::Read;
    cost.memory_kind = static_cast<std::uint8_t>(kind);
    // LLVM AMDGPUUsage, memory model: device scope is sc1 on gfx942 and glc on gfx90a.
    cost.around_l1 = isa::traits(op.arch).scope_bits ? inst.sc1 : inst.sc0;
    if (flags & flag::CacheControl) {
        cost.unit = Unit::Internal;
        cost.kind = Class::VmemRead;
        cost.invalidates_l1 = inst.op == isa::Op::buffer_inv || inst.op == isa::Op::buffer_wbinvl1 ||
                              inst.op == isa::Op::buffer_wbinvl1_vol;
    }
    return cost;
}

Cost lds_cost(const Op& op) {
    const isa::Inst& inst = *op.inst;
    const auto flags = isa::info(inst.op).flags;
    Cost cost;
    cost.unit = Unit::Lds;
    cost.kind = inst.gds ? Class::Gds : Class::Lds;
    if (flags & flag::TwoOffsets) {
        const isa::Type type = flags & flag::Load ? inst.dst.type : inst.src[1].type;
        const unsigned both = isa::dwords(type) * 4 * (flags & flag::Load ? 1 : 2);
        const std::string_view name = isa::info(inst.op).mnemonic;
        const unsigned scale = both / 2 * (name.find("st64") != std::string_view::npos ? 64 : 1);
        cost.places = 2;
        cost.second = (inst.offset1 - (inst.offset & 0xff)) * scale;
    }
    return cost;
}

Cost program_cost(const Op& op, const Parameters& p) {
    const isa::Inst& inst = *op.inst;
    const auto flags = isa::info(inst.op).flags;
    Cost cost;
    cost.cycles = static_cast<std::uint16_t>(p.issue);
    if (flags & flag::Wait) {
        cost.unit = Unit::Wait;
        // vmcnt [15:14][3:0], lgkmcnt [11:8] (CDNA3 ISA, S_WAITCNT).
        cost.wait_vm = static_cast<std::uint8_t>((inst.imm & 15) | (inst.imm >> 14 & 3) << 4);
        cost.wait_lgkm = static_cast<std::uint8_t>(inst.imm >> 8 & 15);
        if (inst.op != isa::Op::s_waitcnt) cost.wait_vm = cost.wait_lgkm = 0;
    } else if (flags & flag::Barrier) {
        cost.unit = Unit::Barrier;
    } else if (flags & flag::EndsWave) {
        cost.unit = Unit::End;
        cost.kind = Class::Message;
    } else if (flags & flag::Branch) {
        cost.unit = Unit::Branch;
        cost.kind = Class::Branch;
        cost.reads_scalar = true;
    } else if (inst.op == isa::Op::s_nop) {
        cost.unit = Unit::Nop;
        cost.cycles = static_cast<std::uint16_t>(p.issue * ((inst.imm & 15) + 1));
    } else if (inst.op == isa::Op::s_sleep) {
        cost.unit = Unit::Nop;
        cost.cycles = static_cast<std::uint16_t>(64 * (inst.imm & 127) + p.issue);
    } else if (flags & flag::Message) {
        cost.unit = Unit::Message;
        cost.kind = Class::Message;
    }
    return cost;
}

}  // namespace

Cost cost_of(const Op& op, const Parameters& p) {
    const isa::Inst& inst = *op.inst;
    const auto flags = isa::info(inst.op).flags;
    switch (inst.format) {
        case Format::SOPP:
            return program_cost(op, p);
        case Format::SOP1:
        case Format::SOP2:
        case Format::SOPK:
        case Format::SOPC: {
            if (flags & flag::Wait) return program_cost(op, p);
            Cost cost;
            cost.unit = flags & flag::Branch ? Unit::Branch : Unit::Salu;
            cost.kind = flags & flag::Branch ? Class::Branch : Class::Salu;
            cost.cycles = static_cast<std::uint16_t>(p.issue);
            cost.reads_scalar = true;
            return cost;
        }
        case Format::SMEM: {
            Cost cost;
            cost.unit = Unit::Smem;
            cost.kind = Class::Smem;
            cost.clock = (flags & flag::Clock) != 0;
            return cost;
        }
        case Format::VOP1:
        case Format::VOP2:
        case Format::VOPC:
        case Format::VOP3:
        case Format::VOP3P:
        case Format::MFMA:
            return vector_cost(op, p);
        case Format::DS:
            return lds_cost(op);
        case Format::FLAT:
        case Format::GLOBAL:
        case Format::SCRATCH:
        case Format::MUBUF:
        case Format::MTBUF:
            return memory_cost(op);
    }
    return {};
}

}  // namespace vrocm::sim::timing
