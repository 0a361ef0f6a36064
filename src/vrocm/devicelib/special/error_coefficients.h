// The error function and its relatives.
// Written by derive/error_function.py; change that, not this.
#pragma once

#include "common/hardware.h"

namespace error_coefficients {

// erf(x) = x + x P(x^2) for |x| <= 1; error relative to erf
constexpr f64 kErfF64[] = {  // largest error 2^-56.3
    0x1.06eba8214db69p-3,
    -0x1.812746b037a25p-2,
    0x1.ce2f21a0458d1p-4,
    -0x1.b82ce313548e8p-6,
    0x1.565bcd2c54b59p-8,
    -0x1.c02db92fc62bdp-11,
    0x1.f9a3b8dcdb3ccp-14,
    -0x1.f4dce6fb6bd67p-17,
    0x1.ba687dfef829p-20,
    -0x1.638b3e48767bfp-23,
    0x1.130034ce8db51p-26,
    -0x1.c3e1b52b1f29fp-30,
    0x1.3a6838bea4ac8p-33,
};
// the same in f32
constexpr f32 kErfSmallF32[] = {  // largest error 2^-29.4
    0x1.06eba8p-3f,
    -0x1.81273ep-2f,
    0x1.ce2ce6p-4f,
    -0x1.b7f71ap-6f,
    0x1.53f224p-8f,
    -0x1.a3515ep-11f,
    0x1.4771fep-14f,
};
// erf(x) = 1 - 2^P(x) for 1 <= x <= 4; error relative to erf
constexpr f32 kErfLargeF32[] = {  // largest error 2^-25.9
    -0x1.eda12p-9f,
    -0x1.9cc824p+0f,
    -0x1.e33b8p-1f,
    -0x1.0671cp-3f,
    0x1.5ec412p-6f,
    -0x1.b603b8p-10f,
};
// (1 + 2 x) exp(x^2) erfc(x) = P(t), t = (x - 4) / (x + 4), for x >= 0; error relative
constexpr f64 kErfcxF64[] = {  // largest error 2^-54.3
    0x1.3ba5916e9fd7fp+0,
    -0x1.1df1ad154a27ep-3,
    0x1.f7f5df66fb961p-7,
    0x1.16ecefcfa4775p-4,
    -0x1.9ddb23c3dda35p-4,
    0x1.7fee004e27ce4p-4,
    -0x1.0fb06dff1fce4p-4,
    0x1.3079edf448d52p-5,
    -0x1.096238649f09ep-6,
    0x1.49c6730bb30b2p-8,
    -0x1.8d4ab0fbb8392p-11,
    -0x1.a1df736d517d1p-13,
    0x1.3be18801b1acap-13,
    -0x1.9951c96745b5bp-16,
    -0x1.78b4d24c6e841p-17,
    0x1.7eeb103cc337bp-18,
    0x1.42b451d740cbcp-22,
    -0x1.b86c30e796d2ap-21,
    0x1.2670645b82b31p-24,
    0x1.c6865bbe84d35p-24,
    -0x1.f866a2c94a4eap-27,
    -0x1.a1567fc45afaep-27,
    0x1.02eb2e966efa2p-30,
    0x1.ed1036aba851ap-31,
    0x1.c5ac933f84fafp-34,
};
// (1 + 2 x) exp(x^2) erfc(x) = P(t), t = (x - 4) / (x + 4), for x >= 0; error relative
constexpr f64 kErfcxForF32[] = {  // largest error 2^-28.8
    0x1.3ba59166464bp+0,
    -0x1.1df1a99760aaep-3,
    0x1.f7f75546dc031p-7,
    0x1.16ec1b832809bp-4,
    -0x1.9dddd5866a943p-4,
    0x1.7ff5341951e98p-4,
    -0x1.0fa15e5d5c03fp-4,
    0x1.30439d5a289e7p-5,
    -0x1.0a04487ef86b9p-6,
    0x1.4cfec93578dd9p-8,
    -0x1.70f5c192197e4p-11,
    -0x1.040eeb100552p-12,
    0x1.d76291e1e0a9ep-14,
};
// erfinv(x) = x P(w - 3.125), w = -log(1 - x^2), for w <= 6.25; error relative
constexpr f64 kInverseCentreF64[] = {  // largest error 2^-55.4
    0x1.a755e7c99ae86p+0,
    0x1.ebd80d9b13dfap-3,
    -0x1.8b6c33114ead6p-8,
    -0x1.84576948356b3p-11,
    0x1.879c2a20b5297p-13,
    -0x1.d1d1f7ca21cf5p-17,
    -0x1.6e8a53cde90b3p-20,
    0x1.c6b4f88bdd604p-22,
    -0x1.f36ced46b339fp-26,
    -0x1.1a9eb0ed1bc5p-28,
    0x1.20f536410441p-30,
    -0x1.dc3f1443f61bp-35,
    -0x1.c8a3f9d43593dp-37,
    0x1.7235e372d2855p-39,
    -0x1.6bdbc7db23da9p-44,
    -0x1.686e8b09994fep-45,
    0x1.d6c6871e0fbf3p-48,
    -0x1.6fba33280906ep-55,
    -0x1.1ca5c6c9c3e68p-53,
    0x1.1ebed9712d922p-56,
    0x1.9a872ca3dffbfp-61,
    -0x1.9bb6701ec0dbbp-62,
    0x1.38978887227e5p-66,
    0x1.e66898de42aaap-69,
    -0x1.6b1687764155ep-72,
};
// erfinv(x) = x P(w - 3.125), w = -log(1 - x^2), for w <= 6.25; error relative
constexpr f64 kInverseCentreForF32[] = {  // largest error 2^-27.5
    0x1.a755e7eeb6cf1p+0,
    0x1.ebd80c813333dp-3,
    -0x1.8b6d31256a249p-8,
    -0x1.84556d3d71812p-11,
    0x1.87bf48ba28a95p-13,
    -0x1.d21e7ec1a27c1p-17,
    -0x1.75a5368b2d169p-20,
    0x1.c9be0b7500236p-22,
    -0x1.9ff0ae1574faap-26,
    -0x1.3ebfa936e12ebp-28,
    0x1.5eab50313e717p-31,
};
// erfinv = P(sqrt(w) - 4) for sqrt(w) from 2.5 to 5.5; error relative
constexpr f64 kInverseMiddle[] = {  // largest error 2^-32.9
    0x1.eb7e0745b6741p+1,
    0x1.026e4270ad547p+0,
    0x1.489ef25a5f12dp-10,
    -0x1.bfc758b85b2bfp-11,
    0x1.35b6081c874eap-12,
    -0x1.615a55537fb02p-14,
    0x1.62d3bfd7a9a55p-16,
    -0x1.3bea050200786p-18,
    0x1.a78f259173f88p-21,
    0x1.f5ff23ac3dd25p-23,
    -0x1.2c9be089adba6p-22,
    0x1.30f93c238ce1p-24,
};
// erfinv = s P(1/s), s = sqrt(w), from 5.5 on; error relative
constexpr f64 kInverseFar[] = {  // largest error 2^-29.4
    0x1.000328ea98dep+0,
    -0x1.5bddf9eb240bep-7,
    -0x1.b59dea7e306d7p+0,
    0x1.a6acb1552dea7p+3,
    -0x1.b3624f76291ccp+6,
    0x1.80722d9486f7cp+9,
    -0x1.ec97acaf1a493p+11,
    0x1.a37e423b566ddp+13,
    -0x1.a5e067d409812p+14,
    0x1.79b888d85c274p+14,
};

constexpr f64 kSqrtHalfHi = 0x1.6a09e667f3bcdp-1;
constexpr f64 kSqrtHalfLo = -0x1.bdd3413b26456p-55;
constexpr f64 kSqrt2Hi = 0x1.6a09e667f3bcdp+0;
constexpr f64 kSqrt2Lo = -0x1.bdd3413b26456p-54;

}  // namespace error_coefficients
