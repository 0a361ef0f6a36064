// Arcus tangent and arcus sine on [-1/2, 1/2].
// Written by derive/arc.py; change that, not this.
#pragma once

#include "hardware.h"

namespace arc_coefficients {

constexpr f64 kAtanF64[] = {  // largest error 2^-55.4
    -0x1.5555555555516p-2,
    0x1.999999998a3e6p-3,
    -0x1.2492491df6214p-3,
    0x1.c71c6f3b8c80ep-4,
    -0x1.745cd125eb07bp-4,
    0x1.3b0eff338a75fp-4,
    -0x1.10dbfce2bf9b2p-4,
    0x1.deb125eacde8bp-5,
    -0x1.9e394b124fc08p-5,
    0x1.4818bca6a555ep-5,
    -0x1.928fd614b7f02p-6,
    0x1.0b0004cb8b92ep-7,
};
constexpr f64 kAtanForF32[] = {  // largest error 2^-33.4
    -0x1.5555550f54e57p-2,
    0x1.99992c3875dadp-3,
    -0x1.2481fb0723f8p-3,
    0x1.c5169f3df2e63p-4,
    -0x1.63fb1d1f816b1p-4,
    0x1.e4fe86acf8a89p-5,
    -0x1.7db56c14fffa8p-6,
};
constexpr f64 kAsinF64[] = {  // largest error 2^-57.4
    0x1.5555555555577p-3,
    0x1.3333333328e94p-4,
    0x1.6db6db782437dp-5,
    0x1.f1c717c327f0bp-6,
    0x1.6e8c390e54ca5p-6,
    0x1.1c430fa5f3b98p-6,
    0x1.cace57b0ec478p-7,
    0x1.6fb18d659521ap-7,
    0x1.82f3beb423913p-7,
    -0x1.1ef5ff8fb9a4fp-12,
    0x1.02a62edd51p-5,
    -0x1.201216970ab53p-5,
    0x1.54b173b5f2d8cp-5,
};
constexpr f64 kAsinForF32[] = {  // largest error 2^-31.8
    0x1.55554c59d505cp-3,
    0x1.33387fc0e7d74p-4,
    0x1.6cae4d6f19692p-5,
    0x1.04964aed987dcp-5,
    0x1.d8d4949b54d98p-7,
    0x1.33718cc070a01p-5,
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
