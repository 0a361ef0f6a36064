#include "sim/exec/matrix/table.h"

#include <algorithm>
#include <iterator>

namespace vrocm::sim {

namespace {

using enum Element;
using isa::Op;

constexpr MatrixInst kMatrixInsts[] = {
    {Op::v_mfma_f32_32x32x1_2b_f32, 32, 32, 1, 2, F32, F32, false},
    {Op::v_mfma_f32_16x16x1_4b_f32, 16, 16, 1, 4, F32, F32, false},
    {Op::v_mfma_f32_4x4x1_16b_f32, 4, 4, 1, 16, F32, F32, false},
    {Op::v_mfma_f32_32x32x2_f32, 32, 32, 2, 1, F32, F32, false},
    {Op::v_mfma_f32_16x16x4_f32, 16, 16, 4, 1, F32, F32, false},
    {Op::v_mfma_f32_16x16x8_xf32, 16, 16, 8, 1, Xf32, Xf32, false},
    {Op::v_mfma_f32_32x32x4_xf32, 32, 32, 4, 1, Xf32, Xf32, false},
    {Op::v_mfma_f32_32x32x4_2b_f16, 32, 32, 4, 2, F16, F16, false},
    {Op::v_mfma_f32_16x16x4_4b_f16, 16, 16, 4, 4, F16, F16, false},
    {Op::v_mfma_f32_4x4x4_16b_f16, 4, 4, 4, 16, F16, F16, false},
    {Op::v_mfma_f32_32x32x8_f16, 32, 32, 8, 1, F16, F16, false},
    {Op::v_mfma_f32_16x16x16_f16, 16, 16, 16, 1, F16, F16, false},
    {Op::v_mfma_f32_32x32x4_2b_bf16, 32, 32, 4, 2, Bf16, Bf16, false},
    {Op::v_mfma_f32_16x16x4_4b_bf16, 16, 16, 4, 4, Bf16, Bf16, false},
    {Op::v_mfma_f32_4x4x4_16b_bf16, 4, 4, 4, 16, Bf16, Bf16, false},
    {Op::v_mfma_f32_32x32x8_bf16, 32, 32, 8, 1, Bf16, Bf16, false},
    {Op::v_mfma_f32_16x16x16_bf16, 16, 16, 16, 1, Bf16, Bf16, false},
    {Op::v_mfma_f32_32x32x2bf16, 32, 32, 2, 2, Bf16, Bf16, false},
    {Op::v_mfma_f32_16x16x2bf16, 16, 16, 2, 4, Bf16, Bf16, false},
    {Op::v_mfma_f32_4x4x2bf16, 4, 4, 2, 16, Bf16, Bf16, false},
    {Op::v_mfma_f32_32x32x4bf16, 32, 32, 4, 1, Bf16, Bf16, false},
    {Op::v_mfma_f32_16x16x8bf16, 16, 16, 8, 1, Bf16, Bf16, false},
    {Op::v_mfma_i32_32x32x4_2b_i8, 32, 32, 4, 2, I8, I8, false},
    {Op::v_mfma_i32_16x16x4_4b_i8, 16, 16, 4, 4, I8, I8, false},
    {Op::v_mfma_i32_4x4x4_16b_i8, 4, 4, 4, 16, I8, I8, false},
    {Op::v_mfma_i32_32x32x8i8, 32, 32, 8, 1, I8, I8, false},
    {Op::v_mfma_i32_16x16x16i8, 16, 16, 16, 1, I8, I8, false},
    {Op::v_mfma_i32_32x32x16_i8, 32, 32, 16, 1, I8, I8, false},
    {Op::v_mfma_i32_16x16x32_i8, 16, 16, 32, 1, I8, I8, false},
    {Op::v_mfma_f32_16x16x32_bf8_bf8, 16, 16, 32, 1, Bf8, Bf8, false},
    {Op::v_mfma_f32_16x16x32_bf8_fp8, 16, 16, 32, 1, Bf8, Fp8, false},
    {Op::v_mfma_f32_16x16x32_fp8_bf8, 16, 16, 32, 1, Fp8, Bf8, false},
    {Op::v_mfma_f32_16x16x32_fp8_fp8, 16, 16, 32, 1, Fp8, Fp8, false},
    {Op::v_mfma_f32_32x32x16_bf8_bf8, 32, 32, 16, 1, Bf8, Bf8, false},
    {Op::v_mfma_f32_32x32x16_bf8_fp8, 32, 32, 16, 1, Bf8, Fp8, false},
    {Op::v_mfma_f32_32x32x16_fp8_bf8, 32, 32, 16, 1, Fp8, Bf8, false},
    {Op::v_mfma_f32_32x32x16_fp8_fp8, 32, 32, 16, 1, Fp8, Fp8, false},
    {Op::v_mfma_f64_16x16x4_f64, 16, 16, 4, 1, F64, F64, false},
    {Op::v_mfma_f64_4x4x4_4b_f64, 4, 4, 4, 4, F64, F64, false},
    {Op::v_smfmac_f32_16x16x32_f16, 16, 16, 32, 1, F16, F16, true},
    {Op::v_smfmac_f32_32x32x16_f16, 32, 32, 16, 1, F16, F16, true},
    {Op::v_smfmac_f32_16x16x32_bf16, 16, 16, 32, 1, Bf16, Bf16, true},
    {Op::v_smfmac_f32_32x32x16_bf16, 32, 32, 16, 1, Bf16, Bf16, true},
    {Op::v_smfmac_i32_16x16x64_i8, 16, 16, 64, 1, I8, I8, true},
    {Op::v_smfmac_i32_32x32x32_i8, 32, 32, 32, 1, I8, I8, true},
    {Op::v_smfmac_f32_16x16x64_bf8_bf8, 16, 16, 64, 1, Bf8, Bf8, true},
    {Op::v_smfmac_f32_16x16x64_bf8_fp8, 16, 16, 64, 1, Bf8, Fp8, true},
    {Op::v_smfmac_f32_16x16x64_fp8_bf8, 16, 16, 64, 1, Fp8, Bf8, true},
    {Op::v_smfmac_f32_16x16x64_fp8_fp8, 16, 16, 64, 1, Fp8, Fp8, true},
    {Op::v_smfmac_f32_32x32x32_bf8_bf8, 32, 32, 32, 1, Bf8, Bf8, true},
    {Op::v_smfmac_f32_32x32x32_bf8_fp8, 32, 32, 32, 1, Bf8, Fp8, true},
    {Op::v_smfmac_f32_32x32x32_fp8_bf8, 32, 32, 32, 1, Fp8, Bf8, true},
    {Op::v_smfmac_f32_32x32x32_fp8_fp8, 32, 32, 32, 1, Fp8, Fp8, true},
};

}  // namespace

const MatrixInst* matrix_inst(isa::Op op) {
    const auto* it = std::find_if(std::begin(kMatrixInsts), std::end(kMatrixInsts),
                                  [op](const MatrixInst& m) { return m.op == op; });
    return it == std::end(kMatrixInsts) ? nullptr : it;
}

}  // namespace vrocm::sim
