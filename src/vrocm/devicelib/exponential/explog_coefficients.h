// Exponentials, logarithms and their constants.
// Written by derive/explog.py; change that, not this.
#pragma once

#include "common/hardware.h"

namespace explog_coefficients {

// (exp(r) - 1 - r - r^2/2) / r^3 for |r| <= ln(2)/2; error relative to exp(r)
constexpr f64 kExpTailF64[] = {  // largest error 2^-57.4
    0x1.5555555555501p-3,
    0x1.5555555553208p-5,
    0x1.111111112892fp-7,
    0x1.6c16c17cc277fp-10,
    0x1.a01a011c0e0adp-13,
    0x1.a019ab2fe645ap-16,
    0x1.71df5511a11c9p-19,
    0x1.289f88107a239p-22,
    0x1.ad20f70d577dp-26,
};
// the same with the accuracy that an f32 result needs
constexpr f64 kExpTailForF32[] = {  // largest error 2^-28.0
    0x1.5554a366d18c2p-3,
    0x1.555688193f2b9p-5,
    0x1.122f73f3ccd4p-7,
    0x1.6b6e0fcc0d57ep-10,
};
// (exp(r) - 1 - r) / r^2 for |r| <= ln(2)/2 in f32; error relative to exp(r) - 1
constexpr f32 kExpm1TailF32[] = {  // largest error 2^-26.0
    0x1.fffffep-2f,
    0x1.5554aap-3f,
    0x1.5556d6p-5f,
    0x1.122c38p-7f,
    0x1.6bf186p-10f,
};

// log((1 + s) / (1 - s)) = 2 s + s z P(z), z = s^2, |s| <= 1/5; error relative to the logarithm
constexpr f64 kLogTailF64[] = {  // largest error 2^-62.7
    0x1.555555555554fp-1,
    0x1.999999999c17dp-2,
    0x1.24924921e3f1ep-2,
    0x1.c71c7490267a5p-3,
    0x1.745c4abf50e4p-3,
    0x1.3b35c4db2d101p-3,
    0x1.0dcb4afc2449fp-3,
    0x1.1b83b3892f097p-3,
};
constexpr f64 kLogTailForF32[] = {  // largest error 2^-35.3
    0x1.55555420ce26ep-1,
    0x1.999bde28b736dp-2,
    0x1.23e91cc6f87b5p-2,
    0x1.ed9ce8e7b4c14p-3,
};
// for double-double: log = 2 s + 2/3 s^3 + s^5 P(z)
constexpr f64 kLogTailExtended[] = {  // largest error 2^-75.6
    0x1.999999999999ap-2,
    0x1.2492492492357p-2,
    0x1.c71c71c74828ep-3,
    0x1.745d172d30555p-3,
    0x1.3b13b9496df93p-3,
    0x1.110f72065f233p-3,
    0x1.e24a0f5ecbeap-4,
    0x1.a73d4d50fe574p-4,
    0x1.da81541aabc15p-4,
};

constexpr f64 kLn2Hi = 0x1.62e42fefa39efp-1;
constexpr f64 kLn2Lo = 0x1.abc9e3b39803fp-56;
constexpr f64 kLn2Lo2 = 0x1.7b57a079a1934p-111;
constexpr f64 kLog2EHi = 0x1.71547652b82fep+0;
constexpr f64 kLog2ELo = 0x1.777d0ffda0d24p-56;
constexpr f64 kLn10Hi = 0x1.26bb1bbb55516p+1;
constexpr f64 kLn10Lo = -0x1.f48ad494ea3e9p-53;
constexpr f64 kLog2Of10Hi = 0x1.a934f0979a371p+1;
constexpr f64 kLog2Of10Lo = 0x1.7f2495fb7fa6dp-53;
constexpr f64 kLog10Of2Hi = 0x1.34413509f79ffp-2;
constexpr f64 kLog10Of2Lo = -0x1.9dc1da994fd21p-59;
constexpr f64 kLog10OfEHi = 0x1.bcb7b1526e50ep-2;
constexpr f64 kLog10OfELo = 0x1.95355baaafad3p-57;
// ln(2) and log10(2) with trailing zeros: times an exponent of 11 bits is exact
constexpr f64 kLn2Short = 0x1.62e42fefa4p-1;
constexpr f64 kLn2ShortRest = -0x1.8432a1b0e2634p-43;
constexpr f64 kLog10Of2Short = 0x1.34413509f8p-2;
constexpr f64 kLog10Of2ShortRest = -0x1.80433b83b532ap-44;

constexpr f32 kLn2F32Hi = 0x1.62e43p-1f;
constexpr f32 kLn2F32Lo = -0x1.05c61p-29f;
constexpr f32 kLog2EF32Hi = 0x1.715476p+0f;
constexpr f32 kLog2EF32Lo = 0x1.4ae0cp-26f;
constexpr f32 kLog2Of10F32Hi = 0x1.a934fp+1f;
constexpr f32 kLog2Of10F32Lo = 0x1.2f346ep-24f;
constexpr f32 kLog10Of2F32Hi = 0x1.344136p-2f;
constexpr f32 kLog10Of2F32Lo = -0x1.ec10cp-27f;
// ln(2) with trailing zeros for f32: times an exponent of 8 bits is exact
constexpr f32 kLn2ShortF32 = 0x1.62e4p-1f;
constexpr f32 kLn2ShortRestF32 = 0x1.7f7d1cp-20f;

// 2^f for |f| <= 1/2, for f32 results; error relative
constexpr f64 kExp2ForF32[] = {  // largest error 2^-29.0
    0x1.00000002605d3p+0,
    0x1.62e430c7e93fp-1,
    0x1.ebfbdade338c9p-3,
    0x1.c6aed4b97668ap-5,
    0x1.3b2dbab75339bp-7,
    0x1.5f456ac31cb29p-10,
    0x1.41d3e59a78daap-13,
};
// log2((1 + s) / (1 - s)) = s P(z), z = s^2, |s| <= 1/5, for f32 powers; error relative
constexpr f64 kLog2ForF32[] = {  // largest error 2^-42.4
    0x1.71547652b7e8ap+1,
    0x1.ec709dcb67affp-1,
    0x1.2776bc428c105p-1,
    0x1.a61ea61b668cbp-2,
    0x1.46f1a85a2c148p-2,
    0x1.29dad6c6d6395p-2,
};

}  // namespace explog_coefficients
