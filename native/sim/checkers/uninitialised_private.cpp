// Variables of a thread that were never set: private memory (stack) that is read before the thread has written it, and
// vector registers that no instruction has written when they give the address of a memory access or the data of a
// store to memory that others see. Registers are not followed through arithmetic: compilers make use of values that do
// not matter.
#include <array>
#include <vector>

#include "isa/flags.h"
#include "sim/checkers/checker.h"
#include "sim/checkers/group_states.h"

namespace vrocm::sim::checkers {

namespace {

namespace flag = isa::flag;
using isa::Format;
using isa::Operand;
using observe::Access;
using observe::Kind;

constexpr unsigned kRegisters = 512;

struct WavePrivate {
    bool started = false;
    bool lost = false;                            // registers were addressed indirectly: nothing is known any more
    std::array<std::uint64_t, kRegisters> unset;  // lanes of each register
    std::vector<std::uint64_t> written;           // lanes that have written each dword of scratch
    void start(const Wave& wave) {
        started = true;
        lost = false;
        unset.fill(~0ull);
        unset[0] = 0;  // the ids of the work-items
        written.assign(wave.scratch_per_lane / 4 + 1, 0);
    }
};

struct GroupPrivate {
    std::vector<WavePrivate> waves;
    void begin(const Workgroup& group) {
        waves.resize(group.wave_count);
        for (WavePrivate& wave : waves) wave.started = false;
    }
};

class UninitialisedPrivateChecker final : public Checker {
  public:
    explicit UninitialisedPrivateChecker(FindingTable& findings) : findings_(findings) {}

    bool wants_instructions() const override { return true; }

    void instruction(const Wave& wave, const Op& op) override {
        WavePrivate& state = of(wave);
        if (state.lost) return;
        const isa::Inst& inst = *op.inst;
        const std::uint64_t flags = isa::info(inst.op).flags;
        if (flags & flag::IndexedReg) {
            state.lost = true;
            return;
        }
        if (is_memory(inst.format)) look(wave, op, state);
        // Lanes that exchange values, and matrix instructions, write also where EXEC says nothing of it.
        const bool every = inst.format == Format::VOP3P || flags & (flag::Matrix | flag::CrossLane);
        const std::uint64_t lanes = every ? ~0ull : wave.exec();
        define(state, inst.dst, lanes);
        if (flags & flag::ReadsDst || inst.op == isa::Op::v_swap_b32) define(state, inst.src[0], lanes);
        if (inst.op == isa::Op::v_writelane_b32) define(state, inst.dst, ~0ull);
    }

    void access(const Access& access) override {
        if (access.space != observe::Space::Scratch || !access.completed) return;
        WavePrivate& state = of(access.wave);
        if (access.kind != Kind::Write) read_scratch(access, state);
        if (access.kind == Kind::Read) return;
        for (std::uint64_t left = access.lanes; left; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            for (std::uint64_t at = access.address[lane] & ~3ull; at < access.address[lane] + access.bytes; at += 4)
                if (at / 4 < state.written.size()) state.written[at / 4] |= std::uint64_t{1} << lane;
        }
    }
    void group_ended(const Workgroup& group) override { states_.end(group); }

  private:
    WavePrivate& of(const Wave& wave) {
        WavePrivate& state = states_.of(*wave.group).waves[wave.index_in_group];
        if (!state.started) state.start(wave);
        return state;
    }
    static bool is_memory(Format format) {
        return format == Format::FLAT || format == Format::GLOBAL || format == Format::SCRATCH ||
               format == Format::MUBUF || format == Format::MTBUF || format == Format::DS;
    }
    static unsigned register_of(const Operand& operand) {
        return operand.reg + (operand.kind == Operand::Kind::Agpr ? 256u : 0u);
    }
    static bool is_vector(const Operand& operand) {
        return operand.kind == Operand::Kind::Vgpr || operand.kind == Operand::Kind::Agpr;
    }
    static void define(WavePrivate& state, const Operand& operand, std::uint64_t lanes) {
        if (!is_vector(operand)) return;
        for (unsigned i = 0; i < std::max<unsigned>(operand.dwords, 1); ++i)
            if (const unsigned at = register_of(operand) + i; at < kRegisters) state.unset[at] &= ~lanes;
    }
    // Lanes for which no register of the operand has ever been written.
    static std::uint64_t unset(const WavePrivate& state, const Operand& operand, std::uint64_t lanes) {
        if (!is_vector(operand)) return 0;
        for (unsigned i = 0; i < std::max<unsigned>(operand.dwords, 1); ++i)
            if (const unsigned at = register_of(operand) + i; at < kRegisters) lanes &= state.unset[at];
        return lanes;
    }

    void look(const Wave& wave, const Op& op, const WavePrivate& state) {
        const isa::Inst& inst = *op.inst;
        if (inst.format == Format::DS && isa::has(inst.op, flag::CrossLane)) return;
        if (const std::uint64_t lanes = unset(state, inst.src[0], wave.exec()))
            return report(wave, op, lanes, "the address comes from a register that nothing has written");
        if (inst.format == Format::SCRATCH || !isa::has(inst.op, flag::Store | flag::Atomic)) return;
        if (inst.format == Format::MUBUF || inst.format == Format::FLAT)
            return;  // may be private memory: spilled registers
        if (const std::uint64_t lanes = unset(state, inst.src[1], wave.exec()))
            report(wave, op, lanes, "the value that is stored comes from a register that nothing has written");
    }

    void report(const Wave& wave, const Op& op, std::uint64_t lanes, const char* why) {
        findings_.add(Class::UninitialisedRegister, op.pc, wave.group->index,
                      static_cast<std::uint64_t>(std::popcount(lanes)), [&] {
                          Finding finding;
                          finding.of = Class::UninitialisedRegister;
                          finding.place = place_of(wave, op.pc, lanes);
                          finding.space = op.inst->format == Format::DS ? observe::Space::Lds : observe::Space::Global;
                          finding.kind = isa::has(op.inst->op, flag::Store) ? Kind::Write : Kind::Read;
                          finding.explanation = why;
                          return finding;
                      });
    }

    void read_scratch(const Access& access, const WavePrivate& state) {
        std::uint64_t never = 0;
        for (std::uint64_t left = access.lanes; left; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            for (std::uint64_t at = access.address[lane] & ~3ull; at < access.address[lane] + access.bytes; at += 4)
                if (at / 4 < state.written.size() && !(state.written[at / 4] >> lane & 1))
                    never |= std::uint64_t{1} << lane;
        }
        if (!never) return;
        add_lanes(findings_, Class::UninitialisedRegister, access, never, [](Finding& finding) {
            finding.explanation =
                "the thread has not written this private memory: a variable or an element of a local "
                "array that was never set";
        });
    }

    FindingTable& findings_;
    GroupStates<GroupPrivate> states_;
};

}  // namespace

std::unique_ptr<Checker> check_uninitialised_private(FindingTable& findings) {
    return std::make_unique<UninitialisedPrivateChecker>(findings);
}

}  // namespace vrocm::sim::checkers
