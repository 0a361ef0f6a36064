// The hardware instructions that the device library uses, for a build of the library that runs on the host.
//
// The manual promises one ulp: one of the two floats around the exact value. `shim_error` chooses: 0 the
// nearest, +1 the upper, -1 the lower, 2 one of the three by a hash of the argument. f64 reciprocals, of which
// the hardware gives about 24 bits, are exact or wrong by 2^-24.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

extern "C" {

int shim_error = 0;

void shim_set_error(int error) {
    shim_error = error;
}

static int direction(double x) {
    if (shim_error != 2) return shim_error;
    std::uint64_t b;
    std::memcpy(&b, &x, 8);
    b *= 0x9e3779b97f4a7c15u;
    return static_cast<int>((b >> 40) % 3) - 1;
}

// The neighbour of the exact value that the chosen direction asks for.
static float perturbed(double exact, double argument) {
    float nearest = static_cast<float>(exact);
    int d = direction(argument);
    if (d == 0 || nearest == exact || !std::isfinite(nearest)) return nearest;
    if (d > 0) return nearest > exact ? nearest : std::nextafter(nearest, INFINITY);
    return nearest < exact ? nearest : std::nextafter(nearest, -INFINITY);
}

static float flushed(float x) {
    return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x;
}

float shim_rcp_f32(float x) {
    return flushed(perturbed(1.0 / flushed(x), x));
}
float shim_rsq_f32(float x) {
    return perturbed(1.0 / std::sqrt(static_cast<double>(flushed(x))), x);
}
float shim_sqrt_f32(float x) {
    return perturbed(std::sqrt(static_cast<double>(x)), x);
}
float shim_exp2_f32(float x) {
    return flushed(perturbed(std::exp2(static_cast<double>(x)), x));
}
float shim_log2_f32(float x) {
    return perturbed(std::log2(static_cast<double>(flushed(x))), x);
}
float shim_sin_turns_f32(float x) {
    return static_cast<float>(std::sin(x * 6.283185307179586476925));
}
float shim_cos_turns_f32(float x) {
    return static_cast<float>(std::cos(x * 6.283185307179586476925));
}

static double coarse(double exact, double argument) {
    if (exact == 0 || !std::isfinite(exact)) return exact;
    return exact * (1.0 + direction(argument) * 0x1p-24);
}
double shim_rcp_f64(double x) {
    return coarse(1.0 / x, x);
}
double shim_rsq_f64(double x) {
    return coarse(1.0 / std::sqrt(x), x);
}

float shim_ldexp_f32(float x, int e) {
    return std::ldexp(x, e);
}
double shim_ldexp_f64(double x, int e) {
    return std::ldexp(x, e);
}
double shim_frexp_mantissa_f64(double x) {
    int e;
    return std::isfinite(x) ? std::frexp(x, &e) : x;
}
int shim_frexp_exponent_f64(double x) {
    int e = 0;
    if (std::isfinite(x)) std::frexp(x, &e);
    return e;
}

// Applying a function of the library to arrays, so that a test makes one call.
#define MAP(T, S)                                                                                     \
    void map1_##S(T (*f)(T), const T* x, T* y, long n) {                                              \
        for (long i = 0; i < n; ++i) y[i] = f(x[i]);                                                  \
    }                                                                                                 \
    void map2_##S(T (*f)(T, T), const T* a, const T* b, T* y, long n) {                               \
        for (long i = 0; i < n; ++i) y[i] = f(a[i], b[i]);                                            \
    }                                                                                                 \
    void map3_##S(T (*f)(T, T, T), const T* a, const T* b, const T* c, T* y, long n) {                \
        for (long i = 0; i < n; ++i) y[i] = f(a[i], b[i], c[i]);                                      \
    }                                                                                                 \
    void map4_##S(T (*f)(T, T, T, T), const T* a, const T* b, const T* c, const T* d, T* y, long n) { \
        for (long i = 0; i < n; ++i) y[i] = f(a[i], b[i], c[i], d[i]);                                \
    }                                                                                                 \
    void map_int_##S(T (*f)(T, int), const T* a, const int* b, T* y, long n) {                        \
        for (long i = 0; i < n; ++i) y[i] = f(a[i], b[i]);                                            \
    }                                                                                                 \
    void map_order_##S(T (*f)(int, T), const int* a, const T* b, T* y, long n) {                      \
        for (long i = 0; i < n; ++i) y[i] = f(a[i], b[i]);                                            \
    }                                                                                                 \
    void map_pair_##S(T (*f)(T, T*), const T* x, T* y, T* second, long n) {                           \
        for (long i = 0; i < n; ++i) y[i] = f(x[i], &second[i]);                                      \
    }                                                                                                 \
    void map_exponent_##S(T (*f)(T, int*), const T* x, T* y, int* second, long n) {                   \
        for (long i = 0; i < n; ++i) y[i] = f(x[i], &second[i]);                                      \
    }                                                                                                 \
    void map_quotient_##S(T (*f)(T, T, int*), const T* a, const T* b, T* y, int* second, long n) {    \
        for (long i = 0; i < n; ++i) y[i] = f(a[i], b[i], &second[i]);                                \
    }
MAP(float, f32)
MAP(double, f64)
MAP(_Float16, f16)
}
