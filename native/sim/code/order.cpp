#include "sim/code/order.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_set>
#include <vector>

#include "isa/flags.h"
#include "sim/code/lower.h"

namespace vrocm::sim {

namespace {

using isa::Format;
using isa::Inst;
using isa::Operand;

// Follows the addresses that code computes for calls: s_getpc_b64 plus constants, and loads of the global offset
// table through such an address.
class KnownScalars {
  public:
    void step(const CodeRegion& region, const Op& op) {
        const Inst& inst = *op.inst;
        std::optional<std::uint64_t> value;
        unsigned dwords = inst.dst.kind == Operand::Kind::Sgpr ? inst.dst.dwords : 0;
        switch (inst.op) {
            case isa::Op::s_getpc_b64:
                value = op.pc + inst.size;
                break;
            case isa::Op::s_mov_b32:
            case isa::Op::s_mov_b64:
                value = read(inst.src[0]);
                break;
            case isa::Op::s_add_u32:
            case isa::Op::s_addc_u32:
                value = sum(inst);
                break;
            case isa::Op::s_load_dwordx2:
                value = load(region, inst);
                break;
            default:
                break;
        }
        const bool adds = inst.op == isa::Op::s_add_u32 || inst.op == isa::Op::s_addc_u32;
        if (!adds && isa::has(inst.op, isa::flag::WritesScc)) carry_known_ = false;
        forget(inst.sdst);
        forget(inst.dst);
        if (value && dwords >= 1) set(inst.dst.reg, static_cast<std::uint32_t>(*value));
        if (value && dwords == 2) set(inst.dst.reg + 1, static_cast<std::uint32_t>(*value >> 32));
    }

    std::optional<std::uint64_t> read(const Operand& operand) const {
        if (operand.kind == Operand::Kind::Constant || operand.kind == Operand::Kind::Literal) return operand.value;
        if (operand.kind != Operand::Kind::Sgpr || !known_[operand.reg]) return std::nullopt;
        std::uint64_t value = value_[operand.reg];
        if (operand.dwords < 2) return value;
        if (operand.reg >= 127 || !known_[operand.reg + 1]) return std::nullopt;
        return value | std::uint64_t{value_[operand.reg + 1]} << 32;
    }

    void forget_all() { *this = KnownScalars(); }

  private:
    void set(unsigned reg, std::uint32_t value) {
        if (reg >= 128) return;
        known_[reg] = true;
        value_[reg] = value;
    }
    void forget(const Operand& operand) {
        if (operand.kind != Operand::Kind::Sgpr) return;
        for (unsigned r = operand.reg; r < operand.reg + std::max<unsigned>(operand.dwords, 1) && r < 128; ++r)
            known_[r] = false;
    }
    std::optional<std::uint64_t> sum(const Inst& inst) {
        const auto a = read(inst.src[0]), b = read(inst.src[1]);
        if (!a || !b || (inst.op == isa::Op::s_addc_u32 && !carry_known_)) {
            carry_known_ = false;
            return std::nullopt;
        }
        const std::uint64_t total = static_cast<std::uint32_t>(*a) + std::uint64_t{static_cast<std::uint32_t>(*b)} +
                                    (inst.op == isa::Op::s_addc_u32 ? carry_ : 0);
        carry_ = total >> 32;
        carry_known_ = true;
        return total & 0xffffffff;
    }
    std::optional<std::uint64_t> load(const CodeRegion& region, const Inst& inst) const {
        const auto base = read(inst.src[0]);
        if (!base || inst.src[1].is_register()) return std::nullopt;
        const std::uint64_t at = *base + static_cast<std::int64_t>(inst.offset);
        if (!region.contains(at) || !region.contains(at + 7)) return std::nullopt;
        std::uint64_t value;
        std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);
        return value;
    }

    bool known_[128] = {};
    std::uint32_t value_[128] = {};
    bool carry_known_ = false;
    std::uint64_t carry_ = 0;
};

class Scan {
  public:
    explicit Scan(CodeRegion& region) : region_(region) {}

    Dependence from(std::uint64_t entry) {
        todo_.push_back(entry);
        while (!todo_.empty()) {
            const std::uint64_t pc = todo_.back();
            todo_.pop_back();
            if (!follow_run(pc)) return Dependence::Waiting;
        }
        if (looks_.empty()) return order_matters_ ? Dependence::Order : Dependence::None;
        const bool waits =
            calls_ || std::any_of(loops_.begin(), loops_.end(), [&](const Loop& l) { return waits_in(l); });
        return waits ? Dependence::Waiting : Dependence::Seen;
    }

  private:
    struct Loop {
        std::uint64_t begin, end;
    };

    // False when it may lead anywhere.
    bool follow_run(std::uint64_t pc) {
        const Op* op = region_.at(pc);
        KnownScalars scalars;
        for (; op; ++op) {
            if (!op->inst) {  // connects to another run, or raises a fault
                if (op->target) todo_.push_back(op->target->pc);
                return true;
            }
            if (!seen_.insert(op->pc).second) return true;
            const Inst& inst = *op->inst;
            note(inst, op->pc);
            if (op->target) {
                todo_.push_back(op->target->pc);
                if (op->target->pc <= op->pc) loops_.push_back({op->target->pc, op->pc});
            }
            if (inst.op == isa::Op::s_swappc_b64 || inst.op == isa::Op::s_setpc_b64) {
                if (!follow(scalars.read(inst.src[0]), inst)) return false;
            }
            if (forks(inst)) return false;
            if (ends_run(inst)) return true;
            if (inst.op == isa::Op::s_swappc_b64 || inst.op == isa::Op::s_call_b64) {
                calls_ = true;
                scalars.forget_all();
            } else {
                scalars.step(region_, *op);
            }
        }
        return true;
    }

    static bool forks(const Inst& inst) {
        return inst.op == isa::Op::s_cbranch_g_fork || inst.op == isa::Op::s_cbranch_i_fork ||
               inst.op == isa::Op::s_cbranch_join;
    }

    // A call or jump through registers. False when it may lead anywhere.
    bool follow(std::optional<std::uint64_t> target, const Inst& inst) {
        constexpr unsigned kReturnAddress = 30;  // AMDGPUUsage, calling convention: s[30:31]
        if (target && region_.executable(*target)) {
            todo_.push_back(*target);
            return true;
        }
        return inst.op == isa::Op::s_setpc_b64 && inst.src[0].reg == kReturnAddress;
    }

    void note(const Inst& inst, std::uint64_t pc) {
        if (inst.format == Format::DS) return;
        if (observes_other_groups(inst)) looks_.push_back(pc);
        if (isa::has(inst.op, isa::flag::Atomic)) {
            const isa::AtomicKind kind = isa::atomic_kind(inst.op);
            order_matters_ |= isa::order_sensitive(kind) || (kind_ != isa::AtomicKind::None && kind_ != kind);
            kind_ = kind;
        } else if (isa::has(inst.op, isa::flag::Store) && inst.format != Format::SCRATCH) {
            stores_.push_back(pc);
        }
    }

    bool waits_in(const Loop& loop) const {
        const auto inside = [&](std::uint64_t pc) { return loop.begin <= pc && pc <= loop.end; };
        return std::any_of(looks_.begin(), looks_.end(), inside) &&
               std::none_of(stores_.begin(), stores_.end(), inside);
    }

    CodeRegion& region_;
    std::vector<std::uint64_t> todo_;
    std::unordered_set<std::uint64_t> seen_;
    isa::AtomicKind kind_ = isa::AtomicKind::None;
    bool order_matters_ = false, calls_ = false;
    std::vector<std::uint64_t> looks_, stores_;
    std::vector<Loop> loops_;
};

}  // namespace

Dependence dependence_of_groups(CodeRegion& region, std::uint64_t entry) {
    return Scan(region).from(entry);
}

}  // namespace vrocm::sim
