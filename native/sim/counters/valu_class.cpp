#include "sim/counters/valu_class.h"

#include <array>
#include <initializer_list>
#include <string_view>

#include "isa/flags.h"
#include "sim/exec/matrix/table.h"

namespace vrocm::sim::counters {

namespace {

namespace flag = isa::flag;
using Field = std::uint64_t Mix::*;
using std::string_view;

constexpr std::uint64_t kOperationsPerCount = 512;

// The parts of a name between underscores, without the v.
struct Words {
    std::array<string_view, 8> word;
    unsigned count = 0;
    explicit Words(string_view name) {
        while (!name.empty() && count < word.size()) {
            const std::size_t end = name.find('_');
            word[count++] = name.substr(0, end);
            name.remove_prefix(end == string_view::npos ? name.size() : end + 1);
        }
    }
    string_view operator[](unsigned i) const { return i < count ? word[i] : string_view(); }
    string_view last() const { return count ? word[count - 1] : string_view(); }
};

// Three fields of one operation by type.
Field by_type(string_view type, Field f16, Field f32, Field f64) {
    return type == "f16" ? f16 : type == "f32" ? f32 : type == "f64" ? f64 : nullptr;
}

bool is_any(string_view word, std::initializer_list<string_view> names) {
    for (const string_view name : names)
        if (word == name) return true;
    return false;
}

ValuClass matrix_class(const MatrixInst& inst) {
    const std::uint64_t operations = 2ull * inst.m * inst.n * inst.k * inst.blocks / kOperationsPerCount;
    switch (inst.a) {
        case Element::F32:
            return {&Mix::mfma_f32, &Mix::mops_f32, operations};
        case Element::Xf32:
            return {&Mix::mfma_xf32, &Mix::mops_xf32, operations};
        case Element::F16:
            return {&Mix::mfma_f16, &Mix::mops_f16, operations};
        case Element::Bf16:
            return {&Mix::mfma_bf16, &Mix::mops_bf16, operations};
        case Element::Fp8:
        case Element::Bf8:
            return {&Mix::mfma_f8, &Mix::mops_f8, operations};
        case Element::I8:
            return {&Mix::mfma_i8, &Mix::mops_i8, operations};
        case Element::F64:
            return {&Mix::mfma_f64, &Mix::mops_f64, operations};
    }
    return {};
}

// The type of an integer instruction is the first in its name (v_mad_u64_u32 is of 64 bits). Instructions on bits
// (v_and_b32, v_lshlrev_b64, v_mov_b32) have no type: on MI300X the copy kernel's v_add_u32, v_cmp_gt_i32 and
// v_ashrrev_i32 count as INT32, its two v_lshl_add_u64 as INT64 and its v_lshlrev_b64 as neither.
Field integer_class(const Words& name) {
    if (is_any(name.last(), {"f16", "f32", "f64"})) return nullptr;  // v_frexp_exp_i32_f64
    for (unsigned i = 1; i < name.count; ++i) {
        if (is_any(name[i], {"i32", "u32", "i24", "u24"})) return &Mix::valu_int32;
        if (is_any(name[i], {"i64", "u64"})) return &Mix::valu_int64;
    }
    return nullptr;
}

}  // namespace

ValuClass valu_class(isa::Op op) {
    const isa::InstInfo& info = isa::info(op);
    if (const MatrixInst* matrix = matrix_inst(op)) return matrix_class(*matrix);
    const Words name(info.mnemonic);
    const string_view operation = name[1] == "pk" ? name[2] : name[1], type = name.last();
    if (operation == "cvt") return {&Mix::valu_cvt};
    if (info.flags & flag::Transcendental)
        return {by_type(type, &Mix::valu_trans_f16, &Mix::valu_trans_f32, &Mix::valu_trans_f64)};
    if (is_any(operation, {"add", "sub", "subrev"}))
        if (const Field field = by_type(type, &Mix::valu_add_f16, &Mix::valu_add_f32, &Mix::valu_add_f64))
            return {field};
    if (operation == "mul")
        if (const Field field = by_type(type, &Mix::valu_mul_f16, &Mix::valu_mul_f32, &Mix::valu_mul_f64))
            return {field};
    if (is_any(operation, {"fma", "fmac", "fmamk", "fmaak", "mad", "mac", "madmk", "madak"}))
        if (const Field field = by_type(type, &Mix::valu_fma_f16, &Mix::valu_fma_f32, &Mix::valu_fma_f64))
            return {field};
    return {integer_class(name)};
}

}  // namespace vrocm::sim::counters
