// Handlers of scalar instructions that compute, built from the functions in alu.h.
#include "sim/exec/scalar/alu.h"

#include "sim/exec/scalar/operand.h"

namespace vrocm::sim::scalar {
namespace {

template <auto function, class Signature>
struct TwoSources;
template <auto function, class R, class A, class B>
struct TwoSources<function, R (*)(A, B, bool&)> {
    template <Read a, Read b>
    static const Op* run(Wave& wave, const Op* op) {
        bool scc = wave.scc;
        const R result = function(read<a, A>(wave, op->src[0]), read<b, B>(wave, op->src[1]), scc);
        write_sgpr(wave, op->dst, result);
        wave.scc = scc;
        return op + 1;
    }
};
// A comparison: its result is SCC alone.
template <auto function, class A, class B>
struct TwoSources<function, bool (*)(A, B)> {
    template <Read a, Read b>
    static const Op* run(Wave& wave, const Op* op) {
        wave.scc = function(read<a, A>(wave, op->src[0]), read<b, B>(wave, op->src[1]));
        return op + 1;
    }
};

template <auto function, class Signature>
struct OneSource;
template <auto function, class R, class A>
struct OneSource<function, R (*)(A, bool&)> {
    template <Read a>
    static const Op* run(Wave& wave, const Op* op) {
        bool scc = wave.scc;
        const R result = function(read<a, A>(wave, op->src[0]), scc);
        write_sgpr(wave, op->dst, result);
        wave.scc = scc;
        return op + 1;
    }
};
// Changes bits of its destination.
template <auto function, class R, class A>
struct OneSource<function, R (*)(A, R)> {
    template <Read a>
    static const Op* run(Wave& wave, const Op* op) {
        write_sgpr(wave, op->dst, function(read<a, A>(wave, op->src[0]), read_sgpr<R>(wave, op->dst)));
        return op + 1;
    }
};

// EXEC and a source make the new EXEC; the destination gets the old one (saveexec) or the new one (wrexec).
template <auto function, bool save_old>
struct ExecUpdate {
    template <Read a>
    static const Op* run(Wave& wave, const Op* op) {
        const std::uint64_t old = wave.exec();
        const std::uint64_t exec = function(read<a, std::uint64_t>(wave, op->src[0]), old);
        write_sgpr(wave, op->dst, save_old ? old : exec);
        wave.set_exec(exec);
        wave.scc = exec != 0;
        return op + 1;
    }
};

template <class T>
struct ConditionalMove {
    template <Read a>
    static const Op* run(Wave& wave, const Op* op) {
        if (wave.scc) write_sgpr(wave, op->dst, read<a, T>(wave, op->src[0]));
        return op + 1;
    }
};

Read how(const Src& src) {
    switch (src.kind) {
        case Src::Kind::Sgpr:
            return Read::Sgpr;
        case Src::Kind::Const:
            return Read::Const;
        default:
            return Read::Any;
    }
}

template <class Form>
Handler by_source(const Op& op) {
    switch (how(op.src[0])) {
        case Read::Sgpr:
            return &Form::template run<Read::Sgpr>;
        case Read::Const:
            return &Form::template run<Read::Const>;
        default:
            return &Form::template run<Read::Any>;
    }
}

template <class Form>
Handler by_sources(const Op& op) {
    const Read a = how(op.src[0]), b = how(op.src[1]);
    if (a == Read::Sgpr && b == Read::Sgpr) return &Form::template run<Read::Sgpr, Read::Sgpr>;
    if (a == Read::Sgpr && b == Read::Const) return &Form::template run<Read::Sgpr, Read::Const>;
    if (a == Read::Const && b == Read::Sgpr) return &Form::template run<Read::Const, Read::Sgpr>;
    return &Form::template run<Read::Any, Read::Any>;
}

template <auto function>
Handler two_sources(const Op& op) {
    return by_sources<TwoSources<function, decltype(function)>>(op);
}
template <auto function>
Handler one_source(const Op& op) {
    return by_source<OneSource<function, decltype(function)>>(op);
}

// SOPK compares and moves are SOP1, SOP2 and SOPC with the immediate as a source. Signed ones extend it.
void immediate_source(Op& op, unsigned index, bool is_signed) {
    const std::int32_t value = is_signed ? static_cast<std::int16_t>(op.inst->imm) : op.inst->imm & 0xffff;
    op.src[index] = {.kind = Src::Kind::Const, .imm = static_cast<std::uint32_t>(value)};
}

// clang-format off: lists of instructions
Handler lower_one_source(Op& op) {
    switch (op.inst->op) {
#define ONE(name) \
    case isa::Op::name: return one_source<alu::name>(op);
        ONE(s_mov_b32) ONE(s_mov_b64) ONE(s_not_b32) ONE(s_not_b64) ONE(s_wqm_b32) ONE(s_wqm_b64)
        ONE(s_brev_b32) ONE(s_brev_b64) ONE(s_bcnt0_i32_b32) ONE(s_bcnt0_i32_b64) ONE(s_bcnt1_i32_b32)
        ONE(s_bcnt1_i32_b64) ONE(s_ff0_i32_b32) ONE(s_ff0_i32_b64) ONE(s_ff1_i32_b32) ONE(s_ff1_i32_b64)
        ONE(s_flbit_i32_b32) ONE(s_flbit_i32_b64) ONE(s_flbit_i32) ONE(s_flbit_i32_i64) ONE(s_sext_i32_i8)
        ONE(s_sext_i32_i16) ONE(s_bitset0_b32) ONE(s_bitset0_b64) ONE(s_bitset1_b32) ONE(s_bitset1_b64)
        ONE(s_quadmask_b32) ONE(s_quadmask_b64) ONE(s_abs_i32) ONE(s_bitreplicate_b64_b32)
#undef ONE
        case isa::Op::s_cmov_b32: return by_source<ConditionalMove<std::uint32_t>>(op);
        case isa::Op::s_cmov_b64: return by_source<ConditionalMove<std::uint64_t>>(op);
        default: return nullptr;
    }
}

Handler lower_exec_update(Op& op) {
    switch (op.inst->op) {
#define SAVE(name) \
    case isa::Op::name: return by_source<ExecUpdate<alu::name, true>>(op);
        SAVE(s_and_saveexec_b64) SAVE(s_or_saveexec_b64) SAVE(s_xor_saveexec_b64) SAVE(s_andn2_saveexec_b64)
        SAVE(s_orn2_saveexec_b64) SAVE(s_nand_saveexec_b64) SAVE(s_nor_saveexec_b64) SAVE(s_xnor_saveexec_b64)
        SAVE(s_andn1_saveexec_b64) SAVE(s_orn1_saveexec_b64)
#undef SAVE
        case isa::Op::s_andn1_wrexec_b64: return by_source<ExecUpdate<alu::s_andn1_wrexec_b64, false>>(op);
        case isa::Op::s_andn2_wrexec_b64: return by_source<ExecUpdate<alu::s_andn2_wrexec_b64, false>>(op);
        default: return nullptr;
    }
}

Handler lower_two_sources(Op& op) {
    switch (op.inst->op) {
#define TWO(name) \
    case isa::Op::name: return two_sources<alu::name>(op);
        TWO(s_add_u32) TWO(s_sub_u32) TWO(s_add_i32) TWO(s_sub_i32) TWO(s_addc_u32) TWO(s_subb_u32)
        TWO(s_min_i32) TWO(s_min_u32) TWO(s_max_i32) TWO(s_max_u32) TWO(s_cselect_b32) TWO(s_cselect_b64)
        TWO(s_and_b32) TWO(s_and_b64) TWO(s_or_b32) TWO(s_or_b64) TWO(s_xor_b32) TWO(s_xor_b64)
        TWO(s_andn2_b32) TWO(s_andn2_b64) TWO(s_orn2_b32) TWO(s_orn2_b64) TWO(s_nand_b32) TWO(s_nand_b64)
        TWO(s_nor_b32) TWO(s_nor_b64) TWO(s_xnor_b32) TWO(s_xnor_b64) TWO(s_lshl_b32) TWO(s_lshl_b64)
        TWO(s_lshr_b32) TWO(s_lshr_b64) TWO(s_ashr_i32) TWO(s_ashr_i64) TWO(s_bfm_b32) TWO(s_bfm_b64)
        TWO(s_mul_i32) TWO(s_bfe_u32) TWO(s_bfe_i32) TWO(s_bfe_u64) TWO(s_bfe_i64) TWO(s_absdiff_i32)
        TWO(s_mul_hi_u32) TWO(s_mul_hi_i32) TWO(s_lshl1_add_u32) TWO(s_lshl2_add_u32) TWO(s_lshl3_add_u32)
        TWO(s_lshl4_add_u32) TWO(s_pack_ll_b32_b16) TWO(s_pack_lh_b32_b16) TWO(s_pack_hh_b32_b16)
        TWO(s_cmp_eq_i32) TWO(s_cmp_lg_i32) TWO(s_cmp_gt_i32) TWO(s_cmp_ge_i32) TWO(s_cmp_lt_i32)
        TWO(s_cmp_le_i32) TWO(s_cmp_eq_u32) TWO(s_cmp_lg_u32) TWO(s_cmp_gt_u32) TWO(s_cmp_ge_u32)
        TWO(s_cmp_lt_u32) TWO(s_cmp_le_u32) TWO(s_bitcmp0_b32) TWO(s_bitcmp1_b32) TWO(s_bitcmp0_b64)
        TWO(s_bitcmp1_b64) TWO(s_cmp_eq_u64) TWO(s_cmp_lg_u64)
#undef TWO
        default: return nullptr;
    }
}

Handler lower_immediate(Op& op) {
    switch (op.inst->op) {
#define COMPARE(name, function, is_signed) \
    case isa::Op::name: immediate_source(op, 1, is_signed); return two_sources<alu::function>(op);
        COMPARE(s_cmpk_eq_i32, s_cmp_eq_i32, true) COMPARE(s_cmpk_lg_i32, s_cmp_lg_i32, true)
        COMPARE(s_cmpk_gt_i32, s_cmp_gt_i32, true) COMPARE(s_cmpk_ge_i32, s_cmp_ge_i32, true)
        COMPARE(s_cmpk_lt_i32, s_cmp_lt_i32, true) COMPARE(s_cmpk_le_i32, s_cmp_le_i32, true)
        COMPARE(s_cmpk_eq_u32, s_cmp_eq_u32, false) COMPARE(s_cmpk_lg_u32, s_cmp_lg_u32, false)
        COMPARE(s_cmpk_gt_u32, s_cmp_gt_u32, false) COMPARE(s_cmpk_ge_u32, s_cmp_ge_u32, false)
        COMPARE(s_cmpk_lt_u32, s_cmp_lt_u32, false) COMPARE(s_cmpk_le_u32, s_cmp_le_u32, false)
#undef COMPARE
        case isa::Op::s_movk_i32: immediate_source(op, 0, true); return one_source<alu::s_mov_b32>(op);
        case isa::Op::s_cmovk_i32:
            immediate_source(op, 0, true);
            return by_source<ConditionalMove<std::uint32_t>>(op);
        case isa::Op::s_addk_i32:
        case isa::Op::s_mulk_i32:
            op.src[0] = {.kind = Src::Kind::Sgpr, .reg = op.dst};
            immediate_source(op, 1, true);
            return op.inst->op == isa::Op::s_addk_i32 ? two_sources<alu::s_add_i32>(op)
                                                      : two_sources<alu::s_mul_i32>(op);
        default: return nullptr;
    }
}

// clang-format on

}  // namespace

Handler lower_scalar_alu(Op& op) {
    switch (op.inst->format) {
        case isa::Format::SOP1:
            if (Handler handler = lower_one_source(op)) return handler;
            return lower_exec_update(op);
        case isa::Format::SOP2:
        case isa::Format::SOPC:
            return lower_two_sources(op);
        case isa::Format::SOPK:
            return lower_immediate(op);
        default:
            return nullptr;
    }
}

}  // namespace vrocm::sim::scalar
