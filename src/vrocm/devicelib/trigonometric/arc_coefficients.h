// Arcus tangent and arcus sine on [-1/2, 1/2].
// Written by derive/arc.py; change that, not this.
#pragma once

#include "common/hardware.h"

namespace arc_coefficients {

constexpr f64 kAtanF64[] = {  // largest error 2^-57.6
    -0x1.5555555555516p-2,
    0x1.9999999991139p-3,
    -0x1.249249215d56p-3,
    0x1.c71c7090a24edp-4,
    -0x1.745cf4c4152c3p-4,
    0x1.3b113d5d6acaap-4,
    -0x1.10f31b94a838fp-4,
    0x1.dfe948c6ad704p-5,
    -0x1.a39778f1e7e74p-5,
    0x1.56f289b114fb2p-5,
    -0x1.c172798ce69cep-6,
    0x1.4b6c3973a102dp-7,
};
constexpr f64 kAtanForF32[] = {  // largest error 2^-36.2
    -0x1.5555550f53a92p-2,
    0x1.999960a49be36p-3,
    -0x1.248a675a16f98p-3,
    0x1.c611121c1455ap-4,
    -0x1.6ab8935ac9eccp-4,
    0x1.086171fe25c07p-4,
    -0x1.ea1eb61308e72p-6,
};
constexpr f64 kAsinF64[] = {  // largest error 2^-59.8
    0x1.5555555555577p-3,
    0x1.333333332e10bp-4,
    0x1.6db6db721546ap-5,
    0x1.f1c71a939447ep-6,
    0x1.6e8bdf0d3c888p-6,
    0x1.1c49ecd74f52dp-6,
    0x1.ca1fe945eb603p-7,
    0x1.7582656f891f4p-7,
    0x1.614f314b94bb8p-7,
    0x1.e4cd82b24ba67p-9,
    0x1.63fa89517f7e7p-6,
    -0x1.58880f30f8e48p-6,
    0x1.0b73afcbe5b13p-5,
};
constexpr f64 kAsinForF32[] = {  // largest error 2^-31.8
    0x1.55554c59d505cp-3,
    0x1.33387fc0e7d74p-4,
    0x1.6cae4d6f19611p-5,
    0x1.04964aed98984p-5,
    0x1.d8d4949b58841p-7,
    0x1.33718cc06d4dap-5,
};

constexpr f64 kPiHi = 0x1.921fb54442d18p+1;
constexpr f64 kPiLo = 0x1.1a62633145c07p-53;
constexpr f64 kHalfPiHi = 0x1.921fb54442d18p+0;
constexpr f64 kHalfPiLo = 0x1.1a62633145c07p-54;
constexpr f64 kQuarterPiHi = 0x1.921fb54442d18p-1;
constexpr f64 kQuarterPiLo = 0x1.1a62633145c07p-55;
constexpr f64 kOneOverPiHi = 0x1.45f306dc9c883p-2;
constexpr f64 kOneOverPiLo = -0x1.6b01ec5417056p-56;

}  // namespace arc_coefficients
