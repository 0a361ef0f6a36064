// Integer intrinsics against plain host loops.
#include "check.h"

static unsigned reference_byte_perm(unsigned x, unsigned y, unsigned s) {
    const uint64_t bytes = ((uint64_t)y << 32) | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) result |= (unsigned)((bytes >> (8 * ((s >> (4 * i)) & 7))) & 0xff) << (8 * i);
    return result;
}
static int reference_clz(uint64_t x, int bits) {
    int n = 0;
    while (n < bits && !((x >> (bits - 1 - n)) & 1)) ++n;
    return n;
}
static int reference_ffs(uint64_t x) {
    for (int i = 0; i < 64; ++i)
        if ((x >> i) & 1) return i + 1;
    return 0;
}
static uint64_t reference_reverse(uint64_t x, int bits) {
    uint64_t result = 0;
    for (int i = 0; i < bits; ++i) result |= ((x >> i) & 1) << (bits - 1 - i);
    return result;
}

int main() {
    const int n = 4096;
    std::mt19937_64 random(1);
    std::vector<unsigned long long> a(n), b(n);
    for (int i = 0; i < n; ++i) {
        a[i] = random() >> (random() % 64);
        b[i] = random() >> (random() % 64);
    }
    const unsigned long long corners[] = {0, 1, ~0ull, 0x80000000ull, 0x7fffffffull, 1ull << 63, 0xffffffffull};
    for (int i = 0; i < 49; ++i) a[i] = corners[i / 7], b[i] = corners[i % 7];

    enum { columns = 32 };
    DeviceArray<unsigned long long> da(a), db(b), out((size_t)n * columns);
    unsigned long long *pa = da, *pb = db, *po = out;
    for_each(n, [=] __device__(int i) {
        const unsigned long long x64 = pa[i], y64 = pb[i];
        const unsigned x = (unsigned)x64, y = (unsigned)y64;
        unsigned long long* r = po + (size_t)i * columns;
        int c = 0;
        r[c++] = __popc(x);
        r[c++] = __popcll(x64);
        r[c++] = __clz((int)x);
        r[c++] = __clzll((long long)x64);
        r[c++] = __ffs(x);
        r[c++] = __ffsll(x64);
        r[c++] = __brev(x);
        r[c++] = __brevll(x64);
        r[c++] = __byte_perm(x, y, (unsigned)(y64 >> 16));
        r[c++] = (unsigned)__mulhi((int)x, (int)y);
        r[c++] = __umulhi(x, y);
        r[c++] = (unsigned long long)__mul64hi((long long)x64, (long long)y64);
        r[c++] = __umul64hi(x64, y64);
        r[c++] = (unsigned)__mul24((int)x, (int)y);
        r[c++] = __umul24(x, y);
        r[c++] = __sad((int)x, (int)y, 7u);
        r[c++] = __usad(x, y, 7u);
        r[c++] = (unsigned)__hadd((int)x, (int)y);
        r[c++] = (unsigned)__rhadd((int)x, (int)y);
        r[c++] = __uhadd(x, y);
        r[c++] = __urhadd(x, y);
        r[c++] = __funnelshift_l(x, y, (unsigned)i);
        r[c++] = __funnelshift_r(x, y, (unsigned)i);
        r[c++] = __funnelshift_lc(x, y, (unsigned)i % 40);
        r[c++] = __funnelshift_rc(x, y, (unsigned)i % 40);
        r[c++] = __bitextract_u32(x, y % 32, (y >> 8) % (32 - y % 32));
        r[c++] = (unsigned)__dp4a((int)x, (int)y, 5);
        r[c++] = __dp4a(x, y, 5u);
        r[c++] = (unsigned)__fns64(x64, 0, 3);
        r[c++] = (unsigned)amd_mixed_dot(make_char4(x, x >> 8, x >> 16, x >> 24), make_char4(y, y >> 8, 1, -1), 9, false);
        r[c++] = (unsigned)max((int)x, (int)y);
        r[c++] = min(x64, y64);
    });
    const std::vector<unsigned long long> got = out.read();
    for (int i = 0; i < n; ++i) {
        const unsigned long long x64 = a[i], y64 = b[i];
        const unsigned x = (unsigned)x64, y = (unsigned)y64;
        const int sx = (int)x, sy = (int)y;
        const uint64_t pair = ((uint64_t)y << 32) | x;
        const unsigned shift = (unsigned)i & 31, clamped = (unsigned)i % 40;
        unsigned long long want[columns];
        int c = 0;
        want[c++] = __builtin_popcount(x);
        want[c++] = __builtin_popcountll(x64);
        want[c++] = reference_clz(x, 32);
        want[c++] = reference_clz(x64, 64);
        want[c++] = reference_ffs(x);
        want[c++] = reference_ffs(x64);
        want[c++] = reference_reverse(x, 32);
        want[c++] = reference_reverse(x64, 64);
        want[c++] = reference_byte_perm(x, y, (unsigned)(y64 >> 16));
        want[c++] = (unsigned)(((int64_t)sx * sy) >> 32);
        want[c++] = ((uint64_t)x * y) >> 32;
        want[c++] = (unsigned long long)(((__int128)(long long)x64 * (long long)y64) >> 64);
        want[c++] = (unsigned long long)(((unsigned __int128)x64 * y64) >> 64);
        want[c++] = (unsigned)((((int64_t)(sx << 8) >> 8)) * ((int64_t)(sy << 8) >> 8));
        want[c++] = (x & 0xffffff) * (y & 0xffffff);
        want[c++] = (unsigned)(std::llabs((long long)sx - sy) + 7);
        want[c++] = (unsigned)(std::llabs((long long)x - (long long)y) + 7);
        want[c++] = (unsigned)(((long long)sx + sy) >> 1);
        want[c++] = (unsigned)(((long long)sx + sy + 1) >> 1);
        want[c++] = (unsigned)(((uint64_t)x + y) >> 1);
        want[c++] = (unsigned)(((uint64_t)x + y + 1) >> 1);
        want[c++] = (unsigned)((pair << shift) >> 32);
        want[c++] = (unsigned)(pair >> shift);
        want[c++] = clamped >= 32 ? x : (unsigned)((pair << clamped) >> 32);
        want[c++] = clamped >= 32 ? y : (unsigned)(pair >> clamped);
        want[c++] = (x >> (y % 32)) & (unsigned)((1ull << ((y >> 8) % (32 - y % 32))) - 1);
        int dot = 5, mixed = 9;
        unsigned udot = 5;
        const signed char second[4] = {(signed char)y, (signed char)(y >> 8), 1, -1};
        for (int k = 0; k < 4; ++k) {
            dot += (signed char)(x >> (8 * k)) * (signed char)(y >> (8 * k));
            udot += (unsigned char)(x >> (8 * k)) * (unsigned char)(y >> (8 * k));
            mixed += (signed char)(x >> (8 * k)) * second[k];
        }
        want[c++] = (unsigned)dot;
        want[c++] = udot;
        int found = -1, left = 3;
        for (int k = 0; k < 64 && found < 0; ++k)
            if (((x64 >> k) & 1) && --left == 0) found = k;
        want[c++] = (unsigned)found;
        want[c++] = (unsigned)mixed;
        want[c++] = (unsigned)(sx > sy ? sx : sy);
        want[c++] = x64 < y64 ? x64 : y64;
        for (int k = 0; k < columns; ++k)
            if (got[(size_t)i * columns + k] != want[k] && ++failures() <= 20)
                std::printf("column %d of %llx, %llx: got %llx, want %llx\n", k, x64, y64, got[(size_t)i * columns + k],
                            want[k]);
    }
    return finish();
}
