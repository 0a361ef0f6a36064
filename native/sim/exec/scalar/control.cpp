// Where a wave goes next: branches, calls, barriers, traps, program end; and the instructions that only
// matter to time or to hardware the simulator does not have.
#include <bit>

#include "sim/exec/scalar/operand.h"

namespace vrocm::sim::scalar {
namespace {

using isa::Operand;

const Op* skip(Wave&, const Op* op) {
    return op + 1;
}

const Op* take(Wave& wave, const Op* op) {
    if (op->target) return op->target;
    return raise(wave, op, Fault{.kind = Fault::Kind::BadBranch, .address = op->pc + 4 + op->inst->imm * 4ll});
}

template <auto condition>
const Op* branch_if(Wave& wave, const Op* op) {
    return condition(wave) ? take(wave, op) : op + 1;
}
bool scc_clear(const Wave& wave) {
    return !wave.scc;
}
bool scc_set(const Wave& wave) {
    return wave.scc;
}
bool vcc_zero(const Wave& wave) {
    return wave.vcc() == 0;
}
bool vcc_nonzero(const Wave& wave) {
    return wave.vcc() != 0;
}
bool exec_zero(const Wave& wave) {
    return wave.exec() == 0;
}
bool exec_nonzero(const Wave& wave) {
    return wave.exec() != 0;
}

std::uint64_t next_pc(const Op* op) {
    return op->pc + op->inst->size;
}

const Op* get_pc(Wave& wave, const Op* op) {
    wave.write_s64(op->dst, next_pc(op));
    return op + 1;
}

const Op* jump(Wave& wave, const Op* op, std::uint64_t pc) {
    const Op* target = op_at(wave, pc);
    if (!target && wave.state == WaveState::Faulted) {
        wave.fault.pc = op->pc;  // the branch is what went wrong, not the place it points to
        wave.next = op;
    }
    return target;
}

const Op* set_pc(Wave& wave, const Op* op) {
    return jump(wave, op, read_scalar64(wave, op->src[0]));
}

const Op* swap_pc(Wave& wave, const Op* op) {
    const std::uint64_t target = read_scalar64(wave, op->src[0]);
    wave.write_s64(op->dst, next_pc(op));
    return jump(wave, op, target);
}

const Op* call(Wave& wave, const Op* op) {
    wave.write_s64(op->dst, next_pc(op));
    if (op->target) return op->target;
    return jump(wave, op, next_pc(op) + static_cast<std::int16_t>(op->inst->imm) * 4ll);
}

// Fork and join: lanes go separate ways, the fewer ones first. The others wait on a stack in scalar registers, four for
// each entry, whose height is in MODE: with the fewer lanes first it is never more than six (CDNA3 ISA, "Branching").
constexpr unsigned kStackShift = 29;  // MODE.CSP
unsigned stack_height(const Wave& wave) {
    return wave.mode.bits >> kStackShift;
}
void set_stack_height(Wave& wave, unsigned height) {
    wave.mode.bits = (wave.mode.bits & ((1u << kStackShift) - 1)) | height << kStackShift;
}

const Op* fork(Wave& wave, const Op* op, std::uint64_t mask, std::uint64_t target) {
    const std::uint64_t exec = wave.exec(), pass = mask & exec, fail = ~mask & exec;
    if (pass == exec) return jump(wave, op, target);
    if (fail == exec) return jump(wave, op, next_pc(op));
    const bool fail_first = std::popcount(fail) < std::popcount(pass);
    const unsigned height = stack_height(wave);
    wave.write_s64(4 * height, fail_first ? pass : fail);
    wave.write_s64(4 * height + 2, fail_first ? target : next_pc(op));
    set_stack_height(wave, height + 1);
    wave.set_exec(fail_first ? fail : pass);
    return jump(wave, op, fail_first ? next_pc(op) : target);
}

const Op* fork_to_register(Wave& wave, const Op* op) {
    return fork(wave, op, read_scalar64(wave, op->src[0]), read_scalar64(wave, op->src[1]));
}

const Op* fork_to_immediate(Wave& wave, const Op* op) {
    const std::uint64_t target = next_pc(op) + static_cast<std::int16_t>(op->inst->imm) * 4ll;
    return fork(wave, op, read_scalar64(wave, op->src[0]), target);
}

// The height before the fork is given, so that whoever comes second goes on.
const Op* join(Wave& wave, const Op* op) {
    const unsigned height = stack_height(wave);
    if (read_scalar32(wave, op->src[0]) == height || height == 0) return jump(wave, op, next_pc(op));
    set_stack_height(wave, height - 1);
    wave.set_exec(wave.read_s64(4 * (height - 1)));
    return jump(wave, op, wave.read_s64(4 * (height - 1) + 2));
}

const Op* end_program(Wave& wave, const Op* op) {
    wave.state = WaveState::Done;
    wave.next = op;
    return nullptr;
}

const Op* barrier(Wave& wave, const Op* op) {
    wave.state = WaveState::AtBarrier;
    wave.next = op + 1;
    return nullptr;
}

// Programs that spin call it between looks; ending the turn lets the wave they wait for run.
const Op* sleep(Wave& wave, const Op* op) {
    wave.next = op + 1;
    return nullptr;
}

const Op* trap(Wave& wave, const Op* op) {
    const std::uint64_t id = static_cast<std::uint64_t>(op->inst->imm) & 0xff, exec = wave.exec();
    const auto first_active = static_cast<std::uint8_t>(exec ? std::countr_zero(exec) : 0);
    return raise(wave, op, Fault{.kind = Fault::Kind::Trap, .address = id, .lane = first_active});
}

const Op* halt(Wave& wave, const Op* op) {
    return raise(wave, op, Fault{.kind = Fault::Kind::Trap, .text = "the wave halted itself (s_sethalt)"});
}

Handler lower_branch(const Op& op) {
    switch (op.inst->op) {
        case isa::Op::s_branch:
            return take;
        case isa::Op::s_cbranch_scc0:
            return branch_if<scc_clear>;
        case isa::Op::s_cbranch_scc1:
            return branch_if<scc_set>;
        case isa::Op::s_cbranch_vccz:
            return branch_if<vcc_zero>;
        case isa::Op::s_cbranch_vccnz:
            return branch_if<vcc_nonzero>;
        case isa::Op::s_cbranch_execz:
            return branch_if<exec_zero>;
        case isa::Op::s_cbranch_execnz:
            return branch_if<exec_nonzero>;
        // The conditional-debug flags are set by a debugger alone.
        case isa::Op::s_cbranch_cdbgsys:
        case isa::Op::s_cbranch_cdbguser:
        case isa::Op::s_cbranch_cdbgsys_or_user:
        case isa::Op::s_cbranch_cdbgsys_and_user:
            return skip;
        case isa::Op::s_getpc_b64:
            return get_pc;
        case isa::Op::s_setpc_b64:
            return set_pc;
        case isa::Op::s_swappc_b64:
            return swap_pc;
        case isa::Op::s_call_b64:
            return call;
        case isa::Op::s_cbranch_g_fork:
            return fork_to_register;
        case isa::Op::s_cbranch_i_fork:
            return fork_to_immediate;
        case isa::Op::s_cbranch_join:
            return join;
        default:
            return nullptr;
    }
}

// Trap 3 is the debugger's breakpoint, which does nothing when no debugger is attached
// (LLVM AMDGPU usage guide, "Trap Handler ABI").
constexpr int kDebugTrap = 3;

}  // namespace

Handler lower_control(Op& op) {
    if (Handler handler = lower_branch(op)) return handler;
    switch (op.inst->op) {
        case isa::Op::s_nop:
        case isa::Op::s_wakeup:
        case isa::Op::s_waitcnt:
        case isa::Op::s_setprio:
        case isa::Op::s_sendmsg:
        case isa::Op::s_icache_inv:
        case isa::Op::s_incperflevel:
        case isa::Op::s_decperflevel:
        case isa::Op::s_ttracedata:
            return skip;
        case isa::Op::s_sleep:
            return sleep;
        case isa::Op::s_barrier:
            return barrier;
        case isa::Op::s_endpgm:
        case isa::Op::s_endpgm_saved:
        case isa::Op::s_endpgm_ordered_ps_done:
            return end_program;
        case isa::Op::s_setkill:
            return op.inst->imm & 1 ? end_program : skip;
        case isa::Op::s_sethalt:
            return op.inst->imm & 1 ? halt : skip;
        case isa::Op::s_sendmsghalt:
            return halt;
        case isa::Op::s_trap:
            return (op.inst->imm & 0xff) == kDebugTrap ? skip : trap;
        default:
            return nullptr;  // s_rfe_*: trap handlers
    }
}

}  // namespace vrocm::sim::scalar
