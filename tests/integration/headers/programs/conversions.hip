// Conversions and arithmetic with a stated rounding, against the host's rounding modes.
#include <cfenv>

#include "check.h"

#pragma STDC FENV_ACCESS ON

// Host arithmetic in a rounding mode, safe from constant folding.
template <class F>
static auto rounded(int mode, F f) {
    std::fesetround(mode);
    auto result = f();
    std::fesetround(FE_TONEAREST);
    return result;
}
template <class I, class F>
static I reference_integer(F value) {
    if (std::isnan(value)) return 0;
    const long double wide = value;
    if (wide >= (long double)std::numeric_limits<I>::max()) return std::numeric_limits<I>::max();
    if (wide <= (long double)std::numeric_limits<I>::min()) return std::numeric_limits<I>::min();
    return (I)value;
}

#define ROUNDINGS(apply) apply(rn, FE_TONEAREST) apply(rd, FE_DOWNWARD) apply(ru, FE_UPWARD) apply(rz, FE_TOWARDZERO)

template <class T>
static std::vector<T> inputs(int n, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<T> values(n);
    for (T& value : values) {
        const uint64_t bits = random();
        std::memcpy(&value, &bits, sizeof(T));
        if (random() % 2) value = (T)((double)(int64_t)bits / (double)(1ull << (random() % 63)));
    }
    const T corners[] = {0, (T)-0.0, (T)0.5, (T)-0.5, (T)1.5, (T)2.5, (T)-2.5, (T)INFINITY, -(T)INFINITY, (T)NAN,
                         (T)2147483648.0, (T)-2147483649.0, (T)4294967296.0, (T)9.3e18, (T)1.9e19, (T)1e-40};
    for (size_t i = 0; i < sizeof(corners) / sizeof(T); ++i) values[i] = corners[i];
    return values;
}

int main() {
    const int n = 4096;
    const std::vector<float> f = inputs<float>(n, 1), g = inputs<float>(n, 2), h = inputs<float>(n, 3);
    const std::vector<double> d = inputs<double>(n, 4), e = inputs<double>(n, 5);
    DeviceArray<float> df(f), dg(g), dh(h);
    DeviceArray<double> dd(d), de(e);
    float *pf = df, *pg = dg, *ph = dh;
    double *pd = dd, *pe = de;

    // To integers.
#define TO_INTEGER(name, source, pointer, I, mode, fenv)                                                       \
    {                                                                                                          \
        DeviceArray<I> out(n);                                                                                 \
        I* po = out;                                                                                           \
        for_each(n, [=] __device__(int i) { po[i] = __##name##_##mode(pointer[i]); });                         \
        const std::vector<I> got = out.read();                                                                 \
        for (int i = 0; i < n; ++i)                                                                            \
            EXPECT_SAME("__" #name "_" #mode, i, got[i],                                                       \
                        reference_integer<I>(rounded(fenv, [&] { return std::nearbyint(source[i]); })));       \
    }
#define ALL_TO_INTEGER(mode, fenv)                                            \
    TO_INTEGER(float2int, f, pf, int, mode, fenv)                             \
    TO_INTEGER(float2uint, f, pf, unsigned, mode, fenv)                       \
    TO_INTEGER(float2ll, f, pf, long long, mode, fenv)                        \
    TO_INTEGER(float2ull, f, pf, unsigned long long, mode, fenv)              \
    TO_INTEGER(double2int, d, pd, int, mode, fenv)                            \
    TO_INTEGER(double2uint, d, pd, unsigned, mode, fenv)                      \
    TO_INTEGER(double2ll, d, pd, long long, mode, fenv)                       \
    TO_INTEGER(double2ull, d, pd, unsigned long long, mode, fenv)
    ROUNDINGS(ALL_TO_INTEGER)

    // From integers, and double to float.
    std::vector<long long> w(n);
    std::mt19937_64 random(9);
    for (long long& value : w) value = (long long)(random() >> (random() % 60)) * (random() % 2 ? 1 : -1);
    w[0] = 0, w[1] = std::numeric_limits<long long>::max(), w[2] = std::numeric_limits<long long>::min(), w[3] = -1;
    DeviceArray<long long> dw(w);
    long long* pw = dw;
#define CONVERT(name, I, F, source, pointer, mode, fenv)                                              \
    {                                                                                                 \
        DeviceArray<F> out(n);                                                                        \
        F* po = out;                                                                                  \
        for_each(n, [=] __device__(int i) { po[i] = __##name##_##mode((I)pointer[i]); });             \
        const std::vector<F> got = out.read();                                                        \
        for (int i = 0; i < n; ++i) {                                                                 \
            volatile I value = (I)source[i];                                                          \
            const F want = rounded(fenv, [&] { volatile F r = (F)value; return (F)r; });              \
            if (!std::isnan(want) || !std::isnan(got[i])) EXPECT_SAME("__" #name "_" #mode, i, got[i], want); \
        }                                                                                             \
    }
#define ALL_CONVERT(mode, fenv)                                                    \
    CONVERT(int2float, int, float, w, pw, mode, fenv)                              \
    CONVERT(uint2float, unsigned, float, w, pw, mode, fenv)                        \
    CONVERT(ll2float, long long, float, w, pw, mode, fenv)                         \
    CONVERT(ll2double, long long, double, w, pw, mode, fenv)                       \
    CONVERT(double2float, double, float, d, pd, mode, fenv)
    ROUNDINGS(ALL_CONVERT)

    // Arithmetic. NaNs may differ in their payload.
#define ARITHMETIC(name, T, host, x, y, px, py, device, mode, fenv)                                   \
    {                                                                                                 \
        DeviceArray<T> out(n);                                                                        \
        T* po = out;                                                                                  \
        for_each(n, [=] __device__(int i) { po[i] = device(px[i], py[i]); });                         \
        const std::vector<T> got = out.read();                                                        \
        for (int i = 0; i < n; ++i) {                                                                 \
            volatile T a = x[i], b = y[i];                                                            \
            const T want = rounded(fenv, [&] { volatile T r = host; return (T)r; });                  \
            if (!std::isnan(want) || !std::isnan(got[i])) EXPECT_SAME(name, i, got[i], want);         \
        }                                                                                             \
    }
#define ALL_ARITHMETIC(mode, fenv)                                                                    \
    ARITHMETIC("__fadd_" #mode, float, a + b, f, g, pf, pg, __fadd_##mode, mode, fenv)                \
    ARITHMETIC("__fsub_" #mode, float, a - b, f, g, pf, pg, __fsub_##mode, mode, fenv)                \
    ARITHMETIC("__fmul_" #mode, float, a * b, f, g, pf, pg, __fmul_##mode, mode, fenv)                \
    ARITHMETIC("__fdiv_" #mode, float, a / b, f, g, pf, pg, __fdiv_##mode, mode, fenv)                \
    ARITHMETIC("__dadd_" #mode, double, a + b, d, e, pd, pe, __dadd_##mode, mode, fenv)               \
    ARITHMETIC("__dmul_" #mode, double, a * b, d, e, pd, pe, __dmul_##mode, mode, fenv)               \
    ARITHMETIC("__ddiv_" #mode, double, a / b, d, e, pd, pe, __ddiv_##mode, mode, fenv)
    ROUNDINGS(ALL_ARITHMETIC)
    (void)ph;

    // Bits.
    DeviceArray<double> bits(n);
    double* pb = bits;
    for_each(n, [=] __device__(int i) {
        pb[i] = __longlong_as_double(__double_as_longlong(__hiloint2double(__double2hiint(pd[i]), __double2loint(pd[i]))));
        pf[i] = __int_as_float(__float_as_int(__uint_as_float(__float_as_uint(pf[i]))));
    });
    const std::vector<double> got = bits.read();
    const std::vector<float> got_float = df.read();
    for (int i = 0; i < n; ++i) {
        EXPECT_SAME("double bits", i, got[i], d[i]);
        EXPECT_SAME("float bits", i, got_float[i], f[i]);
    }
    return finish();
}
