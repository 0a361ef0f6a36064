// Sine and cosine on [-pi/4, pi/4], and pi in pieces.
// Written by derive/trig.py; change that, not this.
#pragma once

#include "common/hardware.h"

namespace trig_coefficients {

constexpr f32 kSinF32[] = {  // largest error 2^-27.9
    -0x1.555546p-3f,
    0x1.110778p-7f,
    -0x1.995406p-13f,
};
constexpr f32 kCosF32[] = {  // largest error 2^-33.0
    0x1.55554ap-5f,
    -0x1.6c0c28p-10f,
    0x1.99e83cp-16f,
};
constexpr f64 kSinF64[] = {  // largest error 2^-57.9
    -0x1.5555555555548p-3,
    0x1.111111110f765p-7,
    -0x1.a01a019bf33f9p-13,
    0x1.71de355ffbed9p-19,
    -0x1.ae5e5534169c5p-26,
    0x1.5d8e6e926ef16p-33,
};
constexpr f64 kCosF64[] = {  // largest error 2^-63.9
    0x1.555555555554bp-5,
    -0x1.6c16c16c15015p-10,
    0x1.a01a019c8f257p-16,
    -0x1.27e4f7f1918c3p-22,
    0x1.1ee9dbcf3c41ap-29,
    -0x1.8fa684b0ff661p-37,
};

constexpr f64 kTwoOverPi = 0x1.45f306dc9c883p-1;
constexpr f64 kPiHi = 0x1.921fb54442d18p+1;
constexpr f64 kPiLo = 0x1.1a62633145c07p-53;
constexpr f64 kPiLo2 = -0x1.f1976b7ed8fbcp-109;
constexpr f64 kHalfPiHi = 0x1.921fb54442d18p+0;
constexpr f64 kHalfPiLo = 0x1.1a62633145c07p-54;
constexpr f64 kHalfPiLo2 = -0x1.f1976b7ed8fbcp-110;
constexpr f64 kHalfPiLo3 = 0x1.4cf98e804p-164;

// 2/pi as a fixed-point number: word i holds the bits of weight 2^(63 - 32 i) down to 2^(32 - 32 i).
constexpr u32 kTwoOverPiBits[42] = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab,
    0xf0cfbc20, 0x9af4361d,
};

}  // namespace trig_coefficients
