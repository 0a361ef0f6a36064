#include "sim/code/lower.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "isa/flags.h"

namespace vrocm::sim {

using isa::Format;
using isa::Inst;
using isa::Operand;

namespace {

std::uint16_t register_number(const Operand& operand) {
    return operand.kind == Operand::Kind::Agpr ? operand.reg + 256 : operand.reg;
}

Src resolve(const Operand& operand, ConstantPool& constants) {
    Src src;
    switch (operand.kind) {
        case Operand::Kind::None:
        case Operand::Kind::Off:
            break;
        case Operand::Kind::Sgpr:
            src.kind = Src::Kind::Sgpr;
            src.reg = operand.reg;
            break;
        case Operand::Kind::Vgpr:
        case Operand::Kind::Agpr:
            src.kind = Src::Kind::Vgpr;
            src.reg = register_number(operand);
            break;
        case Operand::Kind::Constant:
        case Operand::Kind::Literal:
            src.kind = Src::Kind::Const;
            src.imm = operand.value;
            src.splat = constants.splat(operand.value);
            break;
        case Operand::Kind::Special:
            src.kind = Src::Kind::Special;
            src.reg = operand.reg;
            break;
    }
    return src;
}

const Op* raise_unsupported(Wave& wave, const Op* op) {
    Fault fault;
    fault.kind = Fault::Kind::Unsupported;
    fault.text = "instruction " + isa::disassemble(op->arch, *op->inst);
    return raise(wave, op, std::move(fault));
}

// src[0].imm holds the bytes and src[0].reg their count.
const Op* raise_illegal(Wave& wave, const Op* op) {
    Fault fault;
    fault.kind = Fault::Kind::IllegalInstruction;
    fault.text = "bytes";
    char byte[8];
    for (unsigned i = 0; i < op->src[0].reg; ++i) {
        std::snprintf(byte, sizeof byte, " %02x", static_cast<unsigned>(op->src[0].imm >> (8 * i) & 0xff));
        fault.text += byte;
    }
    return raise(wave, op, std::move(fault));
}

bool reads_undefined_special(const Inst& inst) {
    return std::any_of(inst.src.begin(), inst.src.end(), [](const Operand& o) {
        return o.kind == Operand::Kind::Special && (o.reg == Operand::LdsDirect || o.reg == Operand::PopsExitingWaveId);
    });
}

Handler room_handler(Op& op) {
    if (isa::has(op.inst->op, isa::flag::AccMove)) return lower_mfma(op);
    switch (op.inst->format) {
        case Format::SOP1:
        case Format::SOP2:
        case Format::SOPK:
        case Format::SOPC:
        case Format::SOPP:
            return lower_scalar(op);
        case Format::SMEM:
            return lower_smem(op);
        case Format::VOP1:
        case Format::VOP2:
        case Format::VOPC:
        case Format::VOP3:
        case Format::VOP3P:
            return lower_valu(op);
        case Format::MFMA:
            return lower_mfma(op);
        case Format::DS:
            return lower_lds(op);
        case Format::FLAT:
        case Format::GLOBAL:
        case Format::SCRATCH:
            return lower_flat(op);
        case Format::MUBUF:
        case Format::MTBUF:
            return lower_buffer(op);
    }
    return nullptr;
}

const Op* branch_and_yield(Wave& wave, const Op* op) {
    const Op* next = op->base(wave, op);
    if (next != op->target) return next;
    wave.next = next;
    return nullptr;
}

}  // namespace

void resolve_operands(Op& op, ConstantPool& constants) {
    op.dst = register_number(op.inst->dst);
    op.sdst = register_number(op.inst->sdst);
    for (unsigned i = 0; i < 4; ++i) op.src[i] = resolve(op.inst->src[i], constants);
}

void choose_handler(Op& op) {
    op.fn = reads_undefined_special(*op.inst) ? nullptr : room_handler(op);
    if (!op.fn) op.fn = raise_unsupported;
}

void make_illegal(Op& op, std::uint64_t end) {
    const unsigned count = static_cast<unsigned>(std::min<std::uint64_t>(8, end - op.pc));
    op.src[0].reg = static_cast<std::uint16_t>(count);
    std::memcpy(&op.src[0].imm, reinterpret_cast<const void*>(op.pc), count);
    op.fn = raise_illegal;
}

const Op* raise_left_code(Wave& wave, const Op* op) {
    Fault fault;
    fault.kind = Fault::Kind::BadBranch;
    fault.address = op->inst ? branch_target(*op->inst, op->pc) : op->pc;
    return raise(wave, op, std::move(fault));
}

bool observes_other_groups(const Inst& inst) {
    switch (inst.format) {
        case Format::FLAT:
        case Format::GLOBAL:
        case Format::MUBUF:
        case Format::MTBUF:
        case Format::SMEM:
            break;
        default:
            return false;
    }
    if (isa::has(inst.op, isa::flag::Atomic)) return inst.sc0;
    // Loads of any scope wider than a wave, and volatile ones (AMDGPUUsage memory model: sc0 and sc1 on gfx942, glc on
    // gfx90a). Those of workgroup scope too: hipCUB's grid barrier looks at other workgroups with them.
    return isa::has(inst.op, isa::flag::Load) && (inst.sc0 || inst.sc1);
}

void end_turn_when_taken(Op& branch) {
    branch.base = branch.fn;
    branch.fn = branch_and_yield;
}

}  // namespace vrocm::sim
