// Read-modify-write operations: how the new value follows from the old one and the data. Host memory is changed
// with the host's atomics, because other host threads and the host program may use it at the same time; LDS and
// scratch belong to one host thread and are changed plainly.
#pragma once

#include <immintrin.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "sim/exec/memory/data.h"

namespace vrocm::sim::memory {

// combine(old, a, b): a is the first data operand, b the second of those that have two.
// fetch(place, a), where present, does the same on host memory in one instruction of the host.

template <class T>
struct Swap {
    using Type = T;
    static T combine(T, T a, T) { return a; }
    static T fetch(T* place, T a) { return __atomic_exchange_n(place, a, __ATOMIC_SEQ_CST); }
};
// Vector and scalar memory: the new value comes first, what to compare with second.
template <class T>
struct CompareSwap {
    using Type = T;
    static constexpr bool two_operands = true;
    static T combine(T old, T a, T b) { return old == b ? a : old; }
};
// LDS has them the other way round.
template <class T>
struct LdsCompareSwap {
    using Type = T;
    static constexpr bool two_operands = true;
    static T combine(T old, T a, T b) { return old == a ? b : old; }
};
template <class T>
struct Add {
    using Type = T;
    static T combine(T old, T a, T) { return old + a; }
    static T fetch(T* place, T a) { return __atomic_fetch_add(place, a, __ATOMIC_SEQ_CST); }
};
template <class T>
struct Subtract {
    using Type = T;
    static T combine(T old, T a, T) { return old - a; }
    static T fetch(T* place, T a) { return __atomic_fetch_sub(place, a, __ATOMIC_SEQ_CST); }
};
template <class T>
struct ReverseSubtract {
    using Type = T;
    static T combine(T old, T a, T) { return a - old; }
};
template <class T>
struct Minimum {
    using Type = std::make_unsigned_t<T>;
    static Type combine(Type old, Type a, Type) { return static_cast<T>(a) < static_cast<T>(old) ? a : old; }
};
template <class T>
struct Maximum {
    using Type = std::make_unsigned_t<T>;
    static Type combine(Type old, Type a, Type) { return static_cast<T>(a) > static_cast<T>(old) ? a : old; }
};
template <class T>
struct And {
    using Type = T;
    static T combine(T old, T a, T) { return old & a; }
    static T fetch(T* place, T a) { return __atomic_fetch_and(place, a, __ATOMIC_SEQ_CST); }
};
template <class T>
struct Or {
    using Type = T;
    static T combine(T old, T a, T) { return old | a; }
    static T fetch(T* place, T a) { return __atomic_fetch_or(place, a, __ATOMIC_SEQ_CST); }
};
template <class T>
struct Xor {
    using Type = T;
    static T combine(T old, T a, T) { return old ^ a; }
    static T fetch(T* place, T a) { return __atomic_fetch_xor(place, a, __ATOMIC_SEQ_CST); }
};
template <class T>
struct Increment {
    using Type = T;
    static T combine(T old, T a, T) { return old >= a ? 0 : old + 1; }
};
template <class T>
struct Decrement {
    using Type = T;
    static T combine(T old, T a, T) { return old == 0 || old > a ? a : old - 1; }
};
template <class T>
struct MaskedOr {
    using Type = T;
    static constexpr bool two_operands = true;
    static T combine(T old, T a, T b) { return (old & ~a) | b; }
};
struct Wrap {
    using Type = std::uint32_t;
    static constexpr bool two_operands = true;
    static Type combine(Type old, Type a, Type b) { return old >= a ? old - a : old + b; }
};
// Each half of the data replaces its half of memory when its top bit is set; the top bit is not stored.
struct ConditionalExchange {
    using Type = std::uint64_t;
    static std::uint32_t half(std::uint32_t old, std::uint32_t a) { return a >> 31 ? a & 0x7fffffff : old; }
    static Type combine(Type old, Type a, Type) {
        return Type{half(static_cast<std::uint32_t>(old >> 32), static_cast<std::uint32_t>(a >> 32))} << 32 |
               half(static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(a));
    }
};

// An atomic that finds memory as it leaves it, such as a failing compare-and-swap, is a way to look, not to write.
// Lives as long as the instruction runs. Nobody can wait with an atomic that returns nothing.
template <class Atomic, bool returns>
class Looks {
  public:
    explicit Looks(Wave& wave) : wave_(wave), wrote_(wave.wrote || !returns) {}
    ~Looks() { wave_.wrote = wrote_; }
    Looks(const Looks&) = delete;
    Looks& operator=(const Looks&) = delete;
    void note(typename Atomic::Type old, typename Atomic::Type a, typename Atomic::Type b) {
        if constexpr (returns) wrote_ |= Atomic::combine(old, a, b) != old;
    }

  private:
    Wave& wave_;
    bool wrote_;
};

// ---- floating point; Type is the bits ----

template <class F>
using BitsOf = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;

template <class F>
struct FloatAdd {
    using Type = BitsOf<F>;
    static Type combine(Type old, Type a, Type) {
        return std::bit_cast<Type>(std::bit_cast<F>(old) + std::bit_cast<F>(a));
    }
};
// The memory of gfx90a adds without denormals; that of gfx942 keeps them (LLVM: the feature
// memory-atomic-fadd-f32-denormal-support came with gfx940).
inline std::uint32_t without_denormals(std::uint32_t bits) {
    return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}
struct FlushingFloatAdd {
    using Type = std::uint32_t;
    static Type combine(Type old, Type a, Type) {
        return without_denormals(FloatAdd<float>::combine(without_denormals(old), without_denormals(a), 0));
    }
};
// The number when one of the two is not a number; -0 is below +0.
template <class F, bool maximum>
struct FloatExtreme {
    using Type = BitsOf<F>;
    static Type combine(Type old, Type a, Type) {
        const F x = std::bit_cast<F>(old), y = std::bit_cast<F>(a);
        if (std::isnan(x)) return a;
        if (std::isnan(y)) return old;
        if (x == y) return std::signbit(x) == maximum ? a : old;
        return (y < x) != maximum ? a : old;
    }
};
template <class F>
struct FloatLdsCompareSwap {
    using Type = BitsOf<F>;
    static constexpr bool two_operands = true;
    static Type combine(Type old, Type a, Type b) { return std::bit_cast<F>(old) == std::bit_cast<F>(a) ? b : old; }
};

// Sums of halves are made in float, which is wide enough that rounding twice does no harm.
struct AddHalf {
    static std::uint16_t sum(std::uint16_t x, std::uint16_t y) {
        return static_cast<std::uint16_t>(_cvtss_sh(_cvtsh_ss(x) + _cvtsh_ss(y), _MM_FROUND_TO_NEAREST_INT));
    }
};
struct AddBrainHalf {
    static float widen(std::uint16_t x) { return std::bit_cast<float>(std::uint32_t{x} << 16); }
    static std::uint16_t sum(std::uint16_t x, std::uint16_t y) {
        const float exact = widen(x) + widen(y);
        const std::uint32_t bits = std::bit_cast<std::uint32_t>(exact);
        if (std::isnan(exact)) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
        return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
};
template <class Half>
struct PackedAdd {
    using Type = std::uint32_t;
    static Type combine(Type old, Type a, Type) {
        const auto low = Half::sum(static_cast<std::uint16_t>(old), static_cast<std::uint16_t>(a));
        const auto high = Half::sum(static_cast<std::uint16_t>(old >> 16), static_cast<std::uint16_t>(a >> 16));
        return std::uint32_t{high} << 16 | low;
    }
};

// ---- application ----

template <class Atomic>
inline constexpr bool has_two_operands = requires { Atomic::two_operands; };

template <class Atomic>
inline typename Atomic::Type apply_on_host(std::uint8_t* at, typename Atomic::Type a, typename Atomic::Type b) {
    using T = typename Atomic::Type;
    T* place = reinterpret_cast<T*>(at);
    if constexpr (requires { Atomic::fetch(place, a); }) {
        return Atomic::fetch(place, a);
    } else {
        T old = __atomic_load_n(place, __ATOMIC_SEQ_CST);
        while (!__atomic_compare_exchange_n(place, &old, Atomic::combine(old, a, b), false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST)) {
        }
        return old;
    }
}

template <class Atomic>
inline typename Atomic::Type apply_plainly(std::uint8_t* at, typename Atomic::Type a, typename Atomic::Type b) {
    const auto old = get<typename Atomic::Type>(at);
    put(at, Atomic::combine(old, a, b));
    return old;
}

template <class T>
inline T lane_value(const VReg* from, unsigned lane) {
    if constexpr (sizeof(T) == 4)
        return from[0].lane[lane];
    else
        return T{from[1].lane[lane]} << 32 | from[0].lane[lane];
}
template <class T>
inline void set_lane_value(VReg* to, unsigned lane, T value) {
    to[0].lane[lane] = static_cast<std::uint32_t>(value);
    if constexpr (sizeof(T) == 8) to[1].lane[lane] = static_cast<std::uint32_t>(value >> 32);
}

// Suffixes that FLAT, GLOBAL, MUBUF and SMEM instructions share.
#define VROCM_INTEGER_ATOMICS(X)                     \
    X(atomic_swap, Swap<std::uint32_t>)              \
    X(atomic_cmpswap, CompareSwap<std::uint32_t>)    \
    X(atomic_add, Add<std::uint32_t>)                \
    X(atomic_sub, Subtract<std::uint32_t>)           \
    X(atomic_smin, Minimum<std::int32_t>)            \
    X(atomic_umin, Minimum<std::uint32_t>)           \
    X(atomic_smax, Maximum<std::int32_t>)            \
    X(atomic_umax, Maximum<std::uint32_t>)           \
    X(atomic_and, And<std::uint32_t>)                \
    X(atomic_or, Or<std::uint32_t>)                  \
    X(atomic_xor, Xor<std::uint32_t>)                \
    X(atomic_inc, Increment<std::uint32_t>)          \
    X(atomic_dec, Decrement<std::uint32_t>)          \
    X(atomic_swap_x2, Swap<std::uint64_t>)           \
    X(atomic_cmpswap_x2, CompareSwap<std::uint64_t>) \
    X(atomic_add_x2, Add<std::uint64_t>)             \
    X(atomic_sub_x2, Subtract<std::uint64_t>)        \
    X(atomic_smin_x2, Minimum<std::int64_t>)         \
    X(atomic_umin_x2, Minimum<std::uint64_t>)        \
    X(atomic_smax_x2, Maximum<std::int64_t>)         \
    X(atomic_umax_x2, Maximum<std::uint64_t>)        \
    X(atomic_and_x2, And<std::uint64_t>)             \
    X(atomic_or_x2, Or<std::uint64_t>)               \
    X(atomic_xor_x2, Xor<std::uint64_t>)             \
    X(atomic_inc_x2, Increment<std::uint64_t>)       \
    X(atomic_dec_x2, Decrement<std::uint64_t>)
#define VROCM_FLOAT_ATOMICS(X)                     \
    X(atomic_add_f32, FloatAdd<float>)             \
    X(atomic_pk_add_f16, PackedAdd<AddHalf>)       \
    X(atomic_add_f64, FloatAdd<double>)            \
    X(atomic_min_f64, FloatExtreme<double, false>) \
    X(atomic_max_f64, FloatExtreme<double, true>)

}  // namespace vrocm::sim::memory
