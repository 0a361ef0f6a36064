// Barriers that not all threads of a workgroup come to: some lanes of a wave are masked off there and go on to do
// something afterwards, or waves wait at different barriers for each other. Threads that have returned are not missed.
#include <array>

#include "isa/flags.h"
#include "sim/checkers/checker.h"
#include "sim/checkers/group_states.h"

namespace vrocm::sim::checkers {

namespace {

using isa::Format;

struct WaveState {
    std::uint64_t barrier = 0;  // pc of the last one
    std::uint64_t missing = 0;  // lanes that were masked off there
    bool whole = false;         // the compiler has switched all lanes on for its own purposes
};

struct GroupBarriers {
    std::array<WaveState, 16> waves;
    void begin(const Workgroup&) { waves.fill({}); }
};

std::uint64_t lanes_of(const Wave& wave) {
    const Workgroup& group = *wave.group;
    const std::uint32_t left = group.size[0] * group.size[1] * group.size[2] - wave.index_in_group * kLanes;
    return left >= kLanes ? ~0ull : (1ull << left) - 1;
}

// What threads do that others may see. Where threads that have returned join the others, before the wave ends,
// unoptimised code still tidies up in registers and private memory.
bool is_visible(const isa::Inst& inst) {
    return inst.format == Format::GLOBAL || inst.format == Format::FLAT ||
           (inst.format == Format::DS && !isa::has(inst.op, isa::flag::CrossLane));
}

class DivergentBarrierChecker final : public Checker {
  public:
    explicit DivergentBarrierChecker(FindingTable& findings) : findings_(findings) {}

    bool wants_instructions() const override { return true; }
    void instruction(const Wave& wave, const Op& op) override {
        const isa::Inst& inst = *op.inst;
        const bool barrier = inst.op == isa::Op::s_barrier;
        if (inst.op == isa::Op::s_or_saveexec_b64) {
            states_.of(*wave.group).waves[wave.index_in_group].whole = op.src[0].kind == Src::Kind::Const;
            return;
        }
        WaveState& state = states_.of(*wave.group).waves[wave.index_in_group];
        // However EXEC is written next, the compiler's own work is over.
        if (state.whole && writes_exec(op)) state.whole = false;
        if (!barrier && !is_visible(inst)) return;
        if (const std::uint64_t back = wave.exec() & state.missing; back && !state.whole)
            report_skipped(wave, state, back);
        if (!barrier) return;
        state.barrier = op.pc;
        state.missing = lanes_of(wave) & ~wave.exec();
    }
    void barrier(const Workgroup& group) override {
        GroupBarriers& barriers = states_.of(group);
        const Wave* first = nullptr;
        for (unsigned i = 0; i < group.wave_count; ++i) {
            const Wave& wave = group.waves[i];
            if (wave.state != sim::WaveState::AtBarrier) continue;
            if (!first) {
                first = &wave;
            } else if (barriers.waves[i].barrier != barriers.waves[first->index_in_group].barrier) {
                report(wave, barriers.waves[i].barrier, lanes_of(wave),
                       "waves of the workgroup wait for each other at different barriers", first,
                       barriers.waves[first->index_in_group].barrier);
                return;
            }
        }
    }
    void group_ended(const Workgroup& group) override { states_.end(group); }

  private:
    void report_skipped(const Wave& wave, WaveState& state, std::uint64_t lanes) {
        report(wave, state.barrier, lanes,
               "these threads were masked off at the barrier and went on after it: __syncthreads() in a branch or loop "
               "that not all threads of the workgroup take");
        state.missing = 0;
    }
    static bool writes_exec(const Op& op) {
        const bool scalar = op.inst->dst.kind == isa::Operand::Kind::Sgpr;
        return isa::has(op.inst->op, isa::flag::WritesExec) || (scalar && op.dst == isa::sreg::exec_lo);
    }

    void report(const Wave& wave, std::uint64_t pc, std::uint64_t lanes, const char* why, const Wave* other = nullptr,
                std::uint64_t other_pc = 0) {
        findings_.add(Class::DivergentBarrier, pc, wave.group->index, 1, [&] {
            Finding finding;
            finding.of = Class::DivergentBarrier;
            finding.place = place_of(wave, pc, lanes);
            if (other) finding.other = place_of(*other, other_pc, lanes_of(*other));
            finding.explanation = why;
            return finding;
        });
    }

    FindingTable& findings_;
    GroupStates<GroupBarriers> states_;
};

}  // namespace

std::unique_ptr<Checker> check_barriers(FindingTable& findings) {
    return std::make_unique<DivergentBarrierChecker>(findings);
}

}  // namespace vrocm::sim::checkers
