// Matrix multiplication (v_mfma_*, v_smfmac_*) and moves between the register files.
//
// Layouts (AMD matrix instruction calculator; g counts groups of lanes, e elements within a lane):
//   A[i][k] of block b: lane i + m * (b + blocks * (k / per_lane)), element k % per_lane; B the same with j.
//   D[i][j] of block b, 32-bit: rows come four registers tall and n lanes wide,
//       register b * (m*n/64) + i / (4 * 64/n) * 4 + i % 4, lane (i / 4 % (64/n)) * n + j;
//       4x4: register i, lane 4 * b + j.   64-bit: register pair i / 4 and lane (i % 4) * 16 + j;
//       4x4: lane 16 * i + 4 * b + j.
//
// Arithmetic: EXEC and MODE are ignored. Each element of D starts as C and takes the products in ascending k, each
// with one rounding to nearest even (fused). Hardware does not document its order; this one is fixed. 16-bit and
// 8-bit products are exact in f32. Denormals are kept, but on gfx90a the F16 and BF16 instructions flush those of
// inputs and results (PyTorch, "Numerical accuracy": MI200). A NaN result is the canonical quiet NaN. Integers wrap.
#include <immintrin.h>

#include <cmath>
#include <cstring>

#include "isa/flags.h"
#include "isa/traits.h"
#include "sim/code/op.h"
#include "sim/exec/matrix/table.h"
#include "sim/exec/matrix/unpack.h"

namespace vrocm::sim {

namespace {

const MatrixInst& shape_of(const Op* op) {
    const MatrixInst* inst;
    std::memcpy(&inst, &op->src[3].imm, sizeof inst);
    return *inst;
}

// Inline constants as an f32 or integer matrix sees them, from their encoding (ISA, "scalar source operands").
std::uint64_t inline_constant(unsigned encoding, bool is_double) {
    if (encoding >= 128 && encoding <= 192) return encoding - 128;
    if (encoding >= 193 && encoding <= 208)
        return static_cast<std::uint64_t>(192 - static_cast<std::int64_t>(encoding));
    constexpr double values[] = {0.5, -0.5, 1, -1, 2, -2, 4, -4, 0.15915494309189532};
    if (encoding < 240 || encoding > 248) return 0;
    const double value = values[encoding - 240];
    std::uint64_t bits = 0;
    if (is_double) {
        std::memcpy(&bits, &value, 8);
    } else {
        const float single = static_cast<float>(value);
        std::memcpy(&bits, &single, 4);
    }
    return bits;
}

// Puts C where D will be and gives that place: the sums then run there. A and B have been read before.
VReg* place_c(Wave& wave, const Op* op, const MatrixInst& inst) {
    VReg* d = wave.v + op->dst;
    const Src& c = op->src[2];
    if (inst.sparse) return d;  // accumulates in place; src[2] is the index
    const unsigned dwords = inst.d_dwords();
    if (c.kind == Src::Kind::Vgpr) {
        if (c.reg != op->dst) std::memmove(d, wave.v + c.reg, dwords * sizeof(VReg));
        return d;
    }
    const bool is_double = inst.a == Element::F64;
    const std::uint64_t value = inline_constant(op->inst->src[2].reg, is_double);
    for (unsigned r = 0; r < dwords; ++r) {
        const auto dword = static_cast<std::uint32_t>(is_double && r % 2 ? value >> 32 : value);
        for (std::uint32_t& lane : d[r].lane) lane = dword;
    }
    return d;
}

// CBSZ: blocks of A in groups of 2^CBSZ all use block ABID of their group.
template <typename T>
void broadcast_a(const MatrixInst& inst, const isa::Inst& modifiers, Lanes<T>& a) {
    if (modifiers.cbsz == 0 || inst.blocks == 1 || inst.sparse) return;
    const unsigned group = 1u << modifiers.cbsz;
    for (unsigned e = 0; e < inst.a_per_lane(); ++e) {
        T from[kLanes];
        std::memcpy(from, a.at[e], sizeof from);
        for (unsigned lane = 0; lane < kLanes; ++lane) {
            const unsigned block = lane / inst.m % inst.blocks;
            const unsigned source = (block / group * group + modifiers.abid) % inst.blocks;
            a.at[e][lane] = from[lane + source * inst.m - block * inst.m];
        }
    }
}

// BLGP: the lane of B that a lane's place is filled from.
unsigned blgp_source(unsigned blgp, unsigned lane) {
    switch (blgp) {
        case 1:
            return lane % 32;
        case 2:
            return lane % 32 + 32;
        case 3:
            return (lane + 16) % 64;
        case 4:
        case 5:
        case 6:
        case 7:
            return lane % 16 + 16 * (blgp - 4);
        default:
            return lane;
    }
}

template <typename T>
void permute_b(const MatrixInst& inst, const isa::Inst& modifiers, Lanes<T>& b) {
    if (modifiers.blgp == 0) return;
    for (unsigned e = 0; e < inst.b_per_lane(); ++e) {
        T from[kLanes];
        std::memcpy(from, b.at[e], sizeof from);
        for (unsigned lane = 0; lane < kLanes; ++lane) b.at[e][lane] = from[blgp_source(modifiers.blgp, lane)];
    }
}

// Eight lanes of 32 bits, and what a multiply-add does to them.
struct FloatVector {
    using Scalar = float;
    __m256 v;
    static FloatVector load(const void* p) { return {_mm256_load_ps(static_cast<const float*>(p))}; }
    void store(void* p) const {  // any NaN as the canonical one
        const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));
        _mm256_store_ps(static_cast<float*>(p), _mm256_blendv_ps(v, nan, _mm256_cmp_ps(v, v, _CMP_UNORD_Q)));
    }
    static FloatVector splat(float x) { return {_mm256_set1_ps(x)}; }
    template <int i>
    FloatVector quad_broadcast() const {
        return {_mm256_permute_ps(v, i * 0x55)};
    }
    void add_product(FloatVector a, FloatVector b) { v = _mm256_fmadd_ps(a.v, b.v, v); }
};

struct IntVector {
    using Scalar = std::int32_t;
    __m256i v;
    static IntVector load(const void* p) { return {_mm256_load_si256(static_cast<const __m256i*>(p))}; }
    void store(void* p) const { _mm256_store_si256(static_cast<__m256i*>(p), v); }
    static IntVector splat(std::int32_t x) { return {_mm256_set1_epi32(x)}; }
    template <int i>
    IntVector quad_broadcast() const {
        return {_mm256_shuffle_epi32(v, i * 0x55)};
    }
    void add_product(IntVector a, IntVector b) { v = _mm256_add_epi32(v, _mm256_mullo_epi32(a.v, b.v)); }
};

template <typename V>
using Inputs = Lanes<typename V::Scalar>;

// Where row i of a block of D begins: a run of n lanes of one register.
template <unsigned n>
std::uint32_t* d_row(VReg* acc, unsigned block, unsigned i) {
    constexpr unsigned strips = 64 / n;  // four-row strips beside each other in a register
    const unsigned reg = block * (n * n / 64) + i / (4 * strips) * 4 + i % 4;
    return acc[reg].lane + i / 4 % strips * n;
}

// Blocks of 16 or 32 columns, `rows` rows at a time so that the running sums stay in host registers.
template <typename V, unsigned n, unsigned rows>
void multiply_wide(const MatrixInst inst, const Inputs<V>& a, const Inputs<V>& b, VReg* acc) {
    constexpr unsigned vectors = n / 8, most_k = 32;
    const unsigned per_lane = inst.a_per_lane();
    for (unsigned block = 0; block < inst.blocks; ++block) {
        const typename V::Scalar *row_of_b[most_k], *column_of_a[most_k];
        for (unsigned k = 0; k < inst.k; ++k) {
            const unsigned group = block + inst.blocks * (k / per_lane);
            row_of_b[k] = &b.at[k % per_lane][n * group];
            column_of_a[k] = &a.at[k % per_lane][inst.m * group];
        }
        for (unsigned i = 0; i < inst.m; i += rows) {
            std::uint32_t* to[rows];
            V sum[rows][vectors];
            for (unsigned r = 0; r < rows; ++r) {
                to[r] = d_row<n>(acc, block, i + r);
                for (unsigned x = 0; x < vectors; ++x) sum[r][x] = V::load(to[r] + 8 * x);
            }
            for (unsigned k = 0; k < inst.k; ++k)
                for (unsigned x = 0; x < vectors; ++x) {
                    const V right = V::load(row_of_b[k] + 8 * x);
                    for (unsigned r = 0; r < rows; ++r) sum[r][x].add_product(V::splat(column_of_a[k][i + r]), right);
                }
            for (unsigned r = 0; r < rows; ++r)
                for (unsigned x = 0; x < vectors; ++x) sum[r][x].store(to[r] + 8 * x);
        }
    }
}

template <typename V, int i>
void multiply_quad_row(const MatrixInst& inst, const Inputs<V>& a, const Inputs<V>& b, VReg* acc) {
    for (unsigned lane = 0; lane < kLanes; lane += 8) {
        V sum = V::load(acc[i].lane + lane);
        for (unsigned k = 0; k < inst.k; ++k)
            sum.add_product(V::load(&a.at[k][lane]).template quad_broadcast<i>(), V::load(&b.at[k][lane]));
        sum.store(acc[i].lane + lane);
    }
}

// Sixteen 4x4 blocks side by side: row i of all of them is register i.
template <typename V>
void multiply_quads(const MatrixInst& inst, const Inputs<V>& a, const Inputs<V>& b, VReg* acc) {
    multiply_quad_row<V, 0>(inst, a, b, acc);
    multiply_quad_row<V, 1>(inst, a, b, acc);
    multiply_quad_row<V, 2>(inst, a, b, acc);
    multiply_quad_row<V, 3>(inst, a, b, acc);
}

// The index set of a lane: two bits for each stored element of A say which of its four places it has. A register
// holds four sets of 8 bits (16-bit elements) or two of 16 bits; ABID chooses one when CBSZ is 0.
std::uint32_t index_set(const isa::Inst& modifiers, std::uint32_t indices, unsigned stored) {
    const unsigned bits = 2 * stored;
    const unsigned set = modifiers.cbsz == 0 ? modifiers.abid % (32 / bits) : 0;
    return indices >> (set * bits);
}

template <typename V, unsigned n>
void multiply_sparse(const MatrixInst& inst, const isa::Inst& modifiers, const VReg& indices, const Inputs<V>& a,
                     const Inputs<V>& b, VReg* acc) {
    constexpr unsigned vectors = n / 8;
    const unsigned stored = inst.a_per_lane();
    for (unsigned i = 0; i < inst.m; ++i) {
        std::uint32_t* row = d_row<n>(acc, 0, i);
        V sum[vectors];
        for (unsigned x = 0; x < vectors; ++x) sum[x] = V::load(row + 8 * x);
        for (unsigned group = 0; group < 64 / inst.m; ++group) {
            const unsigned lane = inst.m * group + i;
            const std::uint32_t set = index_set(modifiers, indices.lane[lane], stored);
            for (unsigned e = 0; e < stored; ++e) {
                const unsigned place = e / 2 * 4 + (set >> (2 * e) & 3);  // among the elements of B in its lanes
                const V left = V::splat(a.at[e][lane]);
                for (unsigned x = 0; x < vectors; ++x)
                    sum[x].add_product(left, V::load(&b.at[place][n * group + 8 * x]));
            }
        }
        for (unsigned x = 0; x < vectors; ++x) sum[x].store(row + 8 * x);
    }
}

template <typename V>
void multiply(const Wave& wave, const Op* op, const MatrixInst& inst, Inputs<V>& a, Inputs<V>& b, VReg* acc) {
    broadcast_a(inst, *op->inst, a);
    if (inst.sparse) {
        const VReg& indices = wave.v[op->src[2].reg];
        if (inst.n == 32) return multiply_sparse<V, 32>(inst, *op->inst, indices, a, b, acc);
        return multiply_sparse<V, 16>(inst, *op->inst, indices, a, b, acc);
    }
    permute_b(inst, *op->inst, b);
    if (inst.n == 32) return multiply_wide<V, 32, 2>(inst, a, b, acc);
    if (inst.n == 16) return multiply_wide<V, 16, 4>(inst, a, b, acc);
    multiply_quads<V>(inst, a, b, acc);
}

void flush_denormals(VReg* regs, unsigned count) {
    for (unsigned r = 0; r < count; ++r)
        for (std::uint32_t& x : regs[r].lane)
            if ((x & 0x7f800000) == 0) x &= 0x80000000;
}

const Op* multiply_floats(Wave& wave, const Op* op) {
    const MatrixInst& inst = shape_of(op);
    const bool half = inst.a == Element::F16 || inst.a == Element::Bf16;
    const bool flush = half && isa::traits(op->arch).flushes_matrix_halves;
    Lanes<float> a, b;
    unpack(inst.a, wave.v + op->src[0].reg, inst.a_per_lane(), flush, a);
    unpack(inst.b, wave.v + op->src[1].reg, inst.b_per_lane(), flush, b);
    VReg* acc = place_c(wave, op, inst);
    if (flush) flush_denormals(acc, inst.d_dwords());
    multiply<FloatVector>(wave, op, inst, a, b, acc);
    if (flush) flush_denormals(acc, inst.d_dwords());
    return op + 1;
}

const Op* multiply_integers(Wave& wave, const Op* op) {
    const MatrixInst& inst = shape_of(op);
    Lanes<std::int32_t> a, b;
    unpack(wave.v + op->src[0].reg, inst.a_per_lane(), a);
    unpack(wave.v + op->src[1].reg, inst.b_per_lane(), b);
    multiply<IntVector>(wave, op, inst, a, b, place_c(wave, op, inst));
    return op + 1;
}

void join_doubles(const VReg* regs, bool negate, double* out) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        const std::uint64_t bits = regs[0].lane[lane] | std::uint64_t{regs[1].lane[lane]} << 32;
        std::memcpy(&out[lane], &bits, 8);
        if (negate) out[lane] = -out[lane];
    }
}

void split_doubles(const double* in, VReg* regs) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        std::uint64_t bits;
        std::memcpy(&bits, &in[lane], 8);
        if (std::isnan(in[lane])) bits = 0x7ff8000000000000;
        regs[0].lane[lane] = static_cast<std::uint32_t>(bits);
        regs[1].lane[lane] = static_cast<std::uint32_t>(bits >> 32);
    }
}

// Both shapes hold A[i][k] of block b in lane 16 * k + m * b + i, and have four k.
const Op* multiply_doubles(Wave& wave, const Op* op) {
    const MatrixInst& inst = shape_of(op);
    const unsigned negate = op->inst->blgp;  // F64: BLGP negates A, B, C
    const unsigned pairs = inst.d_dwords() / 2;
    alignas(64) double a[kLanes], b[kLanes], d[4][kLanes];
    join_doubles(wave.v + op->src[0].reg, negate & 1, a);
    join_doubles(wave.v + op->src[1].reg, negate >> 1 & 1, b);
    const VReg* acc = place_c(wave, op, inst);
    for (unsigned p = 0; p < pairs; ++p) join_doubles(acc + 2 * p, negate >> 2 & 1, d[p]);
    // Row i of D: lanes 16 * (i % 4) .. + 15 of pair i / 4, all blocks beside each other.
    for (unsigned i = 0; i < inst.m; ++i)
        for (unsigned k = 0; k < inst.k; ++k)
            for (unsigned x = 0; x < 16; ++x) {
                const unsigned block = x / inst.n;
                double& sum = d[i / 4 * (pairs > 1)][16 * (i % 4) + x];
                sum = __builtin_fma(a[16 * k + inst.m * block + i], b[16 * k + x], sum);
            }
    for (unsigned p = 0; p < pairs; ++p) split_doubles(d[p], wave.v + op->dst + 2 * p);
    return op + 1;
}

// v_accvgpr_read/write/mov: an ordinary masked move.
const Op* move_register(Wave& wave, const Op* op) {
    const Src& src = op->src[0];
    VReg uniform;
    const VReg* from = src.kind == Src::Kind::Vgpr ? wave.v + src.reg : src.splat;
    if (!from) {
        const std::uint32_t value = read_scalar32(wave, src);
        for (std::uint32_t& lane : uniform.lane) lane = value;
        from = &uniform;
    }
    VReg& to = wave.v[op->dst];
    if (wave.exec() == ~0ull) {
        to = *from;
        return op + 1;
    }
    const VReg& mask = wave.exec_lanes();
    for (unsigned lane = 0; lane < kLanes; ++lane)
        to.lane[lane] = (from->lane[lane] & mask.lane[lane]) | (to.lane[lane] & ~mask.lane[lane]);
    return op + 1;
}

}  // namespace

Handler lower_mfma(Op& op) {
    if (isa::has(op.inst->op, isa::flag::AccMove)) return move_register;
    const MatrixInst* inst = matrix_inst(op.inst->op);
    if (!inst) return nullptr;
    std::memcpy(&op.src[3].imm, &inst, sizeof inst);
    if (inst->a == Element::F64) return multiply_doubles;
    return inst->a == Element::I8 ? multiply_integers : multiply_floats;
}

}  // namespace vrocm::sim
