// Conversions between number formats. Results out of range are the nearest value; NaN becomes 0 as an integer.
#include "sim/exec/valu/handlers.h"
#include "sim/exec/valu/saturate.h"
#include "sim/exec/valu/table.h"
#include "sim/exec/valu/vector_math.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;

template <class T>
i32 to_i32(T x) {
    const bool over = x >= T(0x1p31), under = x < T(-0x1p31);
    const T inside = over || under || x != x ? T(0) : x;
    return over ? 0x7fffffff : under ? static_cast<i32>(0x80000000) : static_cast<i32>(inside);
}
template <class T>
u32 to_u32(T x) {
    const bool over = x >= T(0x1p32), upper = x >= T(0x1p31);
    const T inside = over || !(x >= T(0)) ? T(0) : upper ? x - T(0x1p31) : x;
    const u32 value = static_cast<u32>(static_cast<i32>(inside)) ^ (upper ? 0x80000000u : 0u);
    return over ? 0xffffffffu : value;
}
// The host gives 0x80000000 for all that does not fit; that is turned into the largest value or 0.
VU to_i32(VF x) {
#if defined(__AVX512F__)
    const VI r = (VI)_mm512_cvttps_epi32((__m512)x);
#else
    const VI r = (VI)_mm256_cvttps_epi32((__m256)x);
#endif
    return (VU)((r ^ (x >= 0x1p31f)) & (x == x));
}
// A whole number, or NaN, as an integer within limits.
i32 to_limits(float x, float low, float high) {
    if (x != x) return 0;
    return static_cast<i32>(x < low ? low : x > high ? high : x);
}
// Rounded by the current mode.
float round_by_mode(float x) {
    return _mm_cvtss_f32(_mm_round_ss(_mm_setzero_ps(), _mm_set_ss(x), _MM_FROUND_CUR_DIRECTION));
}
float round_to_nearest(float x) {
    return _mm_cvtss_f32(_mm_round_ss(_mm_setzero_ps(), _mm_set_ss(x), _MM_FROUND_TO_NEAREST_INT));
}

u32 signed_norm(float x) {
    return static_cast<u32>(to_limits(round_to_nearest(x * 32767.0f), -32767.0f, 32767.0f)) & 0xffff;
}
u32 unsigned_norm(float x) {
    return static_cast<u32>(to_limits(round_to_nearest(x * 65535.0f), 0.0f, 65535.0f));
}
u32 insert_byte(u32 into, u32 position, float x) {
    const u32 shift = (position & 3) * 8, byte = static_cast<u32>(to_limits(round_by_mode(x), 0.0f, 255.0f));
    return (into & ~(0xffu << shift)) | byte << shift;
}

VU to_half_toward_zero(VF x) {
#if defined(__AVX512F__)
    return (VU)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)x, _MM_FROUND_TO_ZERO));
#else
    return (VU)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_ZERO));
#endif
}

void add_f32_i32(Table& t) {
    using isa::Op;
    t.add(Op::v_cvt_f32_i32, lanes_f32([](i32 x) { return static_cast<float>(x); }));
    t.add(Op::v_cvt_f32_u32, lanes_f32([](u32 x) { return static_cast<float>(x); }));
    t.add_unclamped(Op::v_cvt_i32_f32, blocks([](VU x) { return to_i32((VF)x); }));
    t.add_unclamped(Op::v_cvt_u32_f32, lanes([](float x) { return to_u32(x); }));
    t.add_unclamped(Op::v_cvt_rpi_i32_f32, lanes_f32([](float x) { return to_i32(__builtin_floorf(x + 0.5f)); }));
    t.add_unclamped(Op::v_cvt_flr_i32_f32, lanes([](float x) { return to_i32(__builtin_floorf(x)); }));
    t.add(Op::v_cvt_f32_ubyte0, lanes([](u32 x) { return static_cast<float>(static_cast<i32>(x & 0xff)); }));
    t.add(Op::v_cvt_f32_ubyte1, lanes([](u32 x) { return static_cast<float>(static_cast<i32>(x >> 8 & 0xff)); }));
    t.add(Op::v_cvt_f32_ubyte2, lanes([](u32 x) { return static_cast<float>(static_cast<i32>(x >> 16 & 0xff)); }));
    t.add(Op::v_cvt_f32_ubyte3, lanes([](u32 x) { return static_cast<float>(static_cast<i32>(x >> 24)); }));
    // A signed 4-bit number in sixteenths.
    t.add(Op::v_cvt_off_f32_i4,
          lanes([](u32 x) { return static_cast<float>(static_cast<i32>(x << 28) >> 28) * 0.0625f; }));
}

void add_doubles(Table& t) {
    using isa::Op;
    t.add(Op::v_cvt_f64_i32, lanes([](i32 x) { return static_cast<double>(x); }));
    t.add(Op::v_cvt_f64_u32, lanes([](u32 x) { return static_cast<double>(x); }));
    t.add_unclamped(Op::v_cvt_i32_f64, lanes([](double x) { return to_i32(x); }));
    t.add_unclamped(Op::v_cvt_u32_f64, lanes([](double x) { return to_u32(x); }));
    t.add(Op::v_cvt_f64_f32, lanes_f64_f16([](float x) { return static_cast<double>(x); }));
    t.add(Op::v_cvt_f32_f64, lanes_f64_f16([](double x) { return static_cast<float>(x); }));
}

void add_halves(Table& t) {
    using isa::Op;
    t.add(Op::v_cvt_f16_f32, blocks_f64_f16([](VU x) { return singles_to_halves((VF)x); }));
    t.add(Op::v_cvt_f32_f16, blocks([](VU x) { return (VU)halves_to_singles(x); }));
    t.add(Op::v_cvt_f16_u16,
          lanes_f64_f16([](u32 x) { return float_to_half(static_cast<float>(static_cast<i32>(x & 0xffff))); }));
    t.add(Op::v_cvt_f16_i16,
          lanes_f64_f16([](u32 x) { return float_to_half(static_cast<float>(static_cast<i32>(x << 16) >> 16)); }));
    t.add_unclamped(Op::v_cvt_u16_f16,
                    lanes([](u32 x) { return static_cast<u32>(to_limits(half_to_float(x), 0.0f, 65535.0f)); }));
    t.add_unclamped(Op::v_cvt_i16_f16, lanes([](u32 x) {
                        return static_cast<u32>(to_limits(half_to_float(x), -32768.0f, 32767.0f)) & 0xffff;
                    }));
    t.add_unclamped(Op::v_cvt_norm_i16_f16, lanes([](u32 x) { return signed_norm(half_to_float(x)); }));
    t.add_unclamped(Op::v_cvt_norm_u16_f16, lanes([](u32 x) { return unsigned_norm(half_to_float(x)); }));
}

void add_packing(Table& t) {
    using isa::Op;
    t.add(Op::v_cvt_pkrtz_f16_f32,
          blocks([](VU a, VU b) { return to_half_toward_zero((VF)a) | to_half_toward_zero((VF)b) << 16; }));
    t.add_unclamped(Op::v_cvt_pknorm_i16_f32,
                    lanes([](float a, float b) { return signed_norm(a) | signed_norm(b) << 16; }));
    t.add_unclamped(Op::v_cvt_pknorm_u16_f32,
                    lanes([](float a, float b) { return unsigned_norm(a) | unsigned_norm(b) << 16; }));
    t.add_unclamped(Op::v_cvt_pknorm_i16_f16, lanes([](u32 a, u32 b) {
                        return signed_norm(half_to_float(a)) | signed_norm(half_to_float(b)) << 16;
                    }));
    t.add_unclamped(Op::v_cvt_pknorm_u16_f16, lanes([](u32 a, u32 b) {
                        return unsigned_norm(half_to_float(a)) | unsigned_norm(half_to_float(b)) << 16;
                    }));
    t.add_unclamped(Op::v_cvt_pk_u16_u32, lanes([](u32 a, u32 b) {
                        return u32{saturate<std::uint16_t>(a)} | u32{saturate<std::uint16_t>(b)} << 16;
                    }));
    t.add_unclamped(Op::v_cvt_pk_i16_i32, lanes([](i32 a, i32 b) {
                        const auto low = [](i32 x) { return static_cast<u32>(saturate<std::int16_t>(x)) & 0xffff; };
                        return low(a) | low(b) << 16;
                    }));
    t.add_unclamped(Op::v_cvt_pk_u8_f32,
                    lanes_f32([](float x, u32 position, u32 into) { return insert_byte(into, position, x); }));
    t.add_unclamped(Op::v_cvt_pkaccum_u8_f32,
                    lanes_f32([](float x, u32 position, u32 into) { return insert_byte(into, position, x); }))
        .reads_dst_as(2);
}

}  // namespace

void add_convert(Table& table) {
    add_f32_i32(table);
    add_doubles(table);
    add_halves(table);
    add_packing(table);
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
