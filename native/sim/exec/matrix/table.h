// The matrix instructions: shape and element types of each.
#pragma once

#include <cstdint>

#include "isa/inst.h"

namespace vrocm::sim {

enum class Element : std::uint8_t { F32, Xf32, F16, Bf16, Fp8, Bf8, I8, F64 };

// D (m x n) = A (m x k) * B (k x n) + C (m x n), `blocks` times. A sparse A stores two of every four elements.
struct MatrixInst {
    isa::Op op;
    std::uint8_t m, n, k, blocks;
    Element a, b;
    bool sparse;

    // Elements of A and of B that a lane holds.
    unsigned a_per_lane() const { return m * k * blocks / 64u / (sparse ? 2 : 1); }
    unsigned b_per_lane() const { return n * k * blocks / 64u; }
    // Registers of C and D, counted in dwords.
    unsigned d_dwords() const { return m * n * blocks / 64u * (a == Element::F64 ? 2 : 1); }
};

// Null when the instruction is not a matrix multiplication.
const MatrixInst* matrix_inst(isa::Op op);

}  // namespace vrocm::sim
