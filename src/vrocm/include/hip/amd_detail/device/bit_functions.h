/* Integer intrinsics: counting, reversing, extracting and permuting bits, high products, averages. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_BIT_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_BIT_FUNCTIONS_H

#include <type_traits>
#include <vrocm/device/library_functions.h>

VROCM_DEVICE unsigned int __popc(unsigned int x) { return __builtin_popcount(x); }
VROCM_DEVICE unsigned int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
VROCM_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
VROCM_DEVICE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
/* Position of the lowest bit set, counted from 1; 0 when there is none. */
VROCM_DEVICE int __ffs(unsigned int x) { return x == 0 ? 0 : __builtin_ctz(x) + 1; }
VROCM_DEVICE int __ffs(int x) { return __ffs((unsigned int)x); }
VROCM_DEVICE int __ffsll(unsigned long long x) { return x == 0 ? 0 : __builtin_ctzll(x) + 1; }
VROCM_DEVICE int __ffsll(unsigned long x) { return __ffsll((unsigned long long)x); }
VROCM_DEVICE int __ffsll(long long x) { return __ffsll((unsigned long long)x); }
VROCM_DEVICE int __ffsll(long x) { return __ffsll((unsigned long long)x); }
VROCM_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
VROCM_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
VROCM_DEVICE unsigned int __lastbit_u32_u64(unsigned long long x) { return x == 0 ? -1 : __builtin_ctzll(x); }

VROCM_DEVICE unsigned int __bitextract_u32(unsigned int source, unsigned int offset, unsigned int width) {
    offset &= 31;
    width &= 31;
    return width == 0 ? 0 : offset + width > 32 ? source >> offset : (source << (32 - offset - width)) >> (32 - width);
}
VROCM_DEVICE unsigned long long __bitextract_u64(unsigned long long source, unsigned int offset, unsigned int width) {
    offset &= 63;
    width &= 63;
    return width == 0 ? 0 : offset + width > 64 ? source >> offset : (source << (64 - offset - width)) >> (64 - width);
}
VROCM_DEVICE unsigned int __bitinsert_u32(unsigned int target, unsigned int bits, unsigned int offset,
                                          unsigned int width) {
    const unsigned int mask = (1u << (width & 31)) - 1;
    offset &= 31;
    return (target & ~(mask << offset)) | ((bits & mask) << offset);
}
VROCM_DEVICE unsigned long long __bitinsert_u64(unsigned long long target, unsigned long long bits, unsigned int offset,
                                                unsigned int width) {
    const unsigned long long mask = (1ull << (width & 63)) - 1;
    offset &= 63;
    return (target & ~(mask << offset)) | ((bits & mask) << offset);
}

/* Each selector nibble picks one of the eight bytes of y:x; its top bit is not used. */
VROCM_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
    const unsigned int nibbles = selector & 0x7777u;
    const unsigned int bytes =
        (nibbles & 0xf) | ((nibbles & 0xf0) << 4) | ((nibbles & 0xf00) << 8) | ((nibbles & 0xf000) << 12);
    return __builtin_amdgcn_perm(y, x, bytes);
}

/* Averages without overflow; r: rounded up. */
VROCM_DEVICE int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
VROCM_DEVICE int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
VROCM_DEVICE unsigned int __uhadd(unsigned int x, unsigned int y) { return (x & y) + ((x ^ y) >> 1); }
VROCM_DEVICE unsigned int __urhadd(unsigned int x, unsigned int y) { return (x | y) - ((x ^ y) >> 1); }
VROCM_DEVICE unsigned int __sad(int x, int y, unsigned int z) {
    return (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x) + z;
}
VROCM_DEVICE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return (x > y ? x - y : y - x) + z; }

VROCM_DEVICE int __mul24(int x, int y) { return (int)((unsigned)(x << 8 >> 8) * (unsigned)(y << 8 >> 8)); }
VROCM_DEVICE unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffff) * (y & 0xffffff); }
VROCM_DEVICE int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
VROCM_DEVICE unsigned int __umulhi(unsigned int x, unsigned int y) {
    return (unsigned)(((unsigned long long)x * y) >> 32);
}
VROCM_DEVICE long long __mul64hi(long long x, long long y) { return (long long)(((__int128)x * y) >> 64); }
VROCM_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)(((unsigned __int128)x * y) >> 64);
}

/* Funnel shifts of hi:lo; c: the shift is clamped to 32, else taken modulo 32. */
VROCM_DEVICE unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
    shift &= 31;
    return shift == 0 ? hi : (hi << shift) | (lo >> (32 - shift));
}
VROCM_DEVICE unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
    return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
VROCM_DEVICE unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
    return __builtin_amdgcn_alignbit(hi, lo, shift & 31);
}
VROCM_DEVICE unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
    return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

/* Position of the offset-th bit set from `base` upwards (offset > 0) or downwards (offset < 0); -1 when there is none.
 */
template <class Mask>
VROCM_DEVICE int vrocm_find_nth_set(Mask mask, unsigned int base, int offset) {
    const int bits = sizeof(Mask) * 8;
    if (offset == 0) return (mask >> base) & 1 ? (int)base : -1;
    const int step = offset > 0 ? 1 : -1;
    int wanted = offset > 0 ? offset : -offset;
    for (int position = (int)base; position >= 0 && position < bits; position += step)
        if (((mask >> position) & 1) && --wanted == 0) return position;
    return -1;
}
VROCM_DEVICE int __fns32(unsigned long long mask, unsigned int base, int offset) {
    return vrocm_find_nth_set((unsigned int)mask, base, offset);
}
VROCM_DEVICE int __fns64(unsigned long long mask, unsigned int base, int offset) {
    return vrocm_find_nth_set(mask, base, offset);
}
VROCM_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
    return vrocm_find_nth_set(mask, base, offset);
}

/* Dot products of packed bytes. Templates, so that a program's own __dp4a is the better match. */
template <class A, class B, class C>
VROCM_DEVICE typename std::enable_if<std::is_signed<A>::value && std::is_signed<B>::value, int>::type __dp4a(A a, B b,
                                                                                                             C c) {
    return __builtin_amdgcn_sdot4((int)a, (int)b, (int)c, false);
}
template <class A, class B, class C>
VROCM_DEVICE typename std::enable_if<std::is_unsigned<A>::value && std::is_unsigned<B>::value, unsigned int>::type
__dp4a(A a, B b, C c) {
    return __builtin_amdgcn_udot4((unsigned)a, (unsigned)b, (unsigned)c, false);
}

#endif
