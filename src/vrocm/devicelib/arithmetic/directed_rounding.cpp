// Addition, multiplication and fused multiply-add in the other rounding modes.
//
// The mode register is set around the one instruction, in one piece of assembly so that the compiler moves
// nothing in between. Bits 0-1 of MODE are the rounding of f32, bits 2-3 that of f64 and f16: 0 to nearest
// even, 1 towards +infinity, 2 towards -infinity, 3 towards zero.
#include "common/hardware.h"

#define IN_MODE(first_bit, mode, instruction)                                             \
    "s_setreg_imm32_b32 hwreg(HW_REG_MODE, " #first_bit ", 2), " #mode "\n\t" instruction \
    "\n\ts_setreg_imm32_b32 hwreg(HW_REG_MODE, " #first_bit ", 2), 0"

#define BINARY(name, type, first_bit, mode, instruction, b_expression)                        \
    EXPORT type name(type a, type b) {                                                        \
        type r;                                                                               \
        b = b_expression;                                                                     \
        asm(IN_MODE(first_bit, mode, instruction " %0, %1, %2") : "=&v"(r) : "v"(a), "v"(b)); \
        return r;                                                                             \
    }

#define TERNARY(name, type, first_bit, mode, instruction)                                                 \
    EXPORT type name(type a, type b, type c) {                                                            \
        type r;                                                                                           \
        asm(IN_MODE(first_bit, mode, instruction " %0, %1, %2, %3") : "=&v"(r) : "v"(a), "v"(b), "v"(c)); \
        return r;                                                                                         \
    }

BINARY(__ocml_add_rtp_f32, f32, 0, 1, "v_add_f32", b)
BINARY(__ocml_add_rtn_f32, f32, 0, 2, "v_add_f32", b)
BINARY(__ocml_add_rtz_f32, f32, 0, 3, "v_add_f32", b)
BINARY(__ocml_sub_rtp_f32, f32, 0, 1, "v_add_f32", -b)
BINARY(__ocml_sub_rtn_f32, f32, 0, 2, "v_add_f32", -b)
BINARY(__ocml_sub_rtz_f32, f32, 0, 3, "v_add_f32", -b)
BINARY(__ocml_mul_rtp_f32, f32, 0, 1, "v_mul_f32", b)
BINARY(__ocml_mul_rtn_f32, f32, 0, 2, "v_mul_f32", b)
BINARY(__ocml_mul_rtz_f32, f32, 0, 3, "v_mul_f32", b)
TERNARY(__ocml_fma_rtp_f32, f32, 0, 1, "v_fma_f32")
TERNARY(__ocml_fma_rtn_f32, f32, 0, 2, "v_fma_f32")
TERNARY(__ocml_fma_rtz_f32, f32, 0, 3, "v_fma_f32")

BINARY(__ocml_add_rtp_f64, f64, 2, 1, "v_add_f64", b)
BINARY(__ocml_add_rtn_f64, f64, 2, 2, "v_add_f64", b)
BINARY(__ocml_add_rtz_f64, f64, 2, 3, "v_add_f64", b)
BINARY(__ocml_sub_rtp_f64, f64, 2, 1, "v_add_f64", -b)
BINARY(__ocml_sub_rtn_f64, f64, 2, 2, "v_add_f64", -b)
BINARY(__ocml_sub_rtz_f64, f64, 2, 3, "v_add_f64", -b)
BINARY(__ocml_mul_rtp_f64, f64, 2, 1, "v_mul_f64", b)
BINARY(__ocml_mul_rtn_f64, f64, 2, 2, "v_mul_f64", b)
BINARY(__ocml_mul_rtz_f64, f64, 2, 3, "v_mul_f64", b)
TERNARY(__ocml_fma_rtp_f64, f64, 2, 1, "v_fma_f64")
TERNARY(__ocml_fma_rtn_f64, f64, 2, 2, "v_fma_f64")
TERNARY(__ocml_fma_rtz_f64, f64, 2, 3, "v_fma_f64")
