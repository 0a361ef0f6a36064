// Modified Bessel functions in three ranges.
// Written by derive/modified_bessel.py; change that, not this.
#pragma once

#include "common/hardware.h"

namespace modified_bessel_coefficients {


// I0(x) / x^0 in powers of x^2, for x <= 4; error relative
constexpr f64 kI0Small[] = {  // largest error 2^-57.7
    0x1p+0,
    0x1.0000000000001p-2,
    0x1.fffffffffff78p-7,
    0x1.c71c71c71df73p-12,
    0x1.c71c71c6d89a7p-18,
    0x1.2345679067e95p-24,
    0x1.02e85b34cc946p-31,
    0x1.522a659639f19p-39,
    0x1.5226c209a4b8ap-47,
    0x1.0b6e3d77c4b9fp-55,
    0x1.50d0a7b08063bp-64,
    0x1.a96c6e0a16c79p-73,
};
// I0(x) exp(-x) in powers of x - 6, for x from 4 to 8; error relative
constexpr f64 kI0Middle[] = {  // largest error 2^-54.2
    0x1.55507df69630cp-3,
    -0x1.de9bc8e461915p-7,
    0x1.fb40e2ca607efp-10,
    -0x1.2dd51ba2d505dp-12,
    0x1.7deeaea5b9b7ap-15,
    -0x1.f6bca41beda35p-18,
    0x1.5285b7fcf0f07p-20,
    -0x1.ca699278f3463p-23,
    0x1.32b264c18334bp-25,
    -0x1.8f623ca642c3cp-28,
    0x1.f45464f0dbe9ep-31,
    -0x1.2b341417bc76cp-33,
    0x1.543dff31cdd03p-36,
    -0x1.6e855e87c9b71p-39,
    0x1.733674c976cdp-42,
    -0x1.6c6ee0eaa796fp-45,
    0x1.7be4b46648e04p-48,
    -0x1.15c18678b033ap-51,
    -0x1.aa066f3f7187bp-56,
    -0x1.03c620b405ce1p-57,
    0x1.4034895cd5528p-58,
};
// I0(x) exp(-x) sqrt(x) in powers of 1/x - 1/16, for x >= 8; error relative
constexpr f64 kI0Large[] = {  // largest error 2^-53.8
    0x1.9bd428ad249a5p-2,
    0x1.b87969bb93b61p-5,
    0x1.1daa72b5d2f21p-5,
    0x1.75e5ee7263494p-5,
    0x1.8e513bf457b8fp-4,
    0x1.3f49a52c80fb6p-2,
    0x1.7d0d469def4b3p+0,
    0x1.51cf73bb2abaep+3,
    0x1.727a238e42a53p+6,
    0x1.0378a97876362p+9,
    -0x1.d627b7db6020dp+12,
    -0x1.cc4acf57c8648p+17,
    -0x1.5bc05ba2c4364p+20,
    0x1.025c1ceb80a19p+25,
    0x1.c5ad69bf83ce2p+28,
    -0x1.d9f428581f7c9p+31,
    -0x1.3ddefd011344ep+36,
    0x1.9010dbebdde8ep+38,
    0x1.3310fc9c29eecp+43,
    -0x1.2126ea5387aa4p+45,
    -0x1.754dd1099f635p+49,
    0x1.27a92ef787ddep+51,
    0x1.a870752cba513p+54,
    -0x1.2c0caf305a091p+56,
};

// I1(x) / x^1 in powers of x^2, for x <= 4; error relative
constexpr f64 kI1Small[] = {  // largest error 2^-60.9
    0x1p-1,
    0x1p-4,
    0x1.555555555554ep-9,
    0x1.c71c71c71cb27p-15,
    0x1.6c16c16c0912ep-21,
    0x1.845c8a0fef4abp-28,
    0x1.27e4fb107ccf8p-35,
    0x1.522a554126935p-43,
    0x1.2c957639a3367p-51,
    0x1.abc6089547d0bp-60,
    0x1.eb79b150ee4adp-69,
    0x1.170db2b6dcc69p-77,
};
// I1(x) exp(-x) in powers of x - 6, for x from 4 to 8; error relative
constexpr f64 kI1Middle[] = {  // largest error 2^-55.1
    0x1.3766c1685017ap-3,
    -0x1.5fcb9031c957bp-7,
    0x1.18e10e1041bc8p-10,
    -0x1.bb771140b78c3p-14,
    0x1.0ee3204d33a95p-17,
    0x1.42fc08120ab9p-24,
    -0x1.f4b53e8700441p-23,
    0x1.35f64ad221d35p-24,
    -0x1.1d386143922fep-26,
    0x1.c413ac656a969p-29,
    -0x1.42772f2d65b01p-31,
    0x1.a5e0d98a01234p-34,
    -0x1.ff2c3426aa653p-37,
    0x1.20e989757e02dp-39,
    -0x1.337b04e2af1fcp-42,
    0x1.30c9c60c7956dp-45,
    -0x1.08e83b79c24f7p-48,
    0x1.f78dbbc1ee051p-52,
    -0x1.7731d302b2c4ap-54,
    0x1.9089f61c83e9ap-58,
    0x1.701b4464737dep-60,
};
// I1(x) exp(-x) sqrt(x) in powers of 1/x - 1/16, for x >= 8; error relative
constexpr f64 kI1Large[] = {  // largest error 2^-54.1
    0x1.8ebe783a8403p-2,
    -0x1.3f796198ee626p-3,
    -0x1.cbc54df1d8adfp-5,
    -0x1.f89c2306a5e95p-5,
    -0x1.ec8e1202a568dp-4,
    -0x1.76137da32bedbp-2,
    -0x1.ad8b701e93041p+0,
    -0x1.727ac1d317ab3p+3,
    -0x1.91da05431fef1p+6,
    -0x1.2180dfde13deep+9,
    0x1.d584da4e0dd84p+12,
    0x1.e1eac1c0db73p+17,
    0x1.81eb67a48a553p+20,
    -0x1.05d0ac814c278p+25,
    -0x1.e2cff9b1d434dp+28,
    0x1.d191156b292abp+31,
    0x1.4e0b3933f9ebep+36,
    -0x1.7f872b622c9e6p+38,
    -0x1.40dac896661f1p+43,
    0x1.125360ad75ddep+45,
    0x1.84f3cde25ba2ep+49,
    -0x1.192c5b47269f9p+51,
    -0x1.b989936ba1766p+54,
    0x1.202781989c4ddp+56,
};

}  // namespace modified_bessel_coefficients
