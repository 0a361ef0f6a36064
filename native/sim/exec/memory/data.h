// What one lane moves between memory and its registers. Each kind is a policy: how many bytes of memory and how
// many registers, and the move itself; the rest of the room decides where the bytes are.
#pragma once

#include <cstdint>
#include <cstring>

#include "sim/wave/wave.h"

namespace vrocm::sim::memory {

template <class T>
inline T get(const std::uint8_t* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}
template <class T>
inline void put(std::uint8_t* to, T value) {
    std::memcpy(to, &value, sizeof value);
}

// 64 bits of memory in one access of the host. Waves of other host threads may touch the same place, and a 64-bit
// atomic load or store is a dwordx2 (LLVM's memory model for AMDGPU): no lane may see half of a store. Volatile, as
// compilers split a plain access in two when its halves go to two places.
using Pair [[gnu::may_alias, gnu::aligned(1)]] = std::uint64_t;
inline std::uint64_t get_pair(const std::uint8_t* from) {
    return *reinterpret_cast<const volatile Pair*>(from);
}
inline void put_pair(std::uint8_t* to, std::uint32_t low, std::uint32_t high) {
    *reinterpret_cast<volatile Pair*>(to) = static_cast<std::uint64_t>(high) << 32 | low;
}

// N whole registers.
template <unsigned N>
struct Dwords {
    static constexpr unsigned bytes = 4 * N, registers = N;
    static void load(VReg* to, unsigned lane, const std::uint8_t* from) {
        for (unsigned r = 0; r + 1 < N; r += 2) {
            const std::uint64_t pair = get_pair(from + 4 * r);
            to[r].lane[lane] = static_cast<std::uint32_t>(pair);
            to[r + 1].lane[lane] = static_cast<std::uint32_t>(pair >> 32);
        }
        if constexpr (N % 2 != 0) to[N - 1].lane[lane] = get<std::uint32_t>(from + 4 * (N - 1));
    }
    static void store(const VReg* from, unsigned lane, std::uint8_t* to) {
        for (unsigned r = 0; r + 1 < N; r += 2) put_pair(to + 4 * r, from[r].lane[lane], from[r + 1].lane[lane]);
        if constexpr (N % 2 != 0) put(to + 4 * (N - 1), from[N - 1].lane[lane]);
    }
};

// A byte or a short, widened to the register: with its sign when T has one.
template <class T>
struct Widened {
    static constexpr unsigned bytes = sizeof(T), registers = 1;
    static void load(VReg* to, unsigned lane, const std::uint8_t* from) {
        to->lane[lane] = static_cast<std::uint32_t>(static_cast<std::int32_t>(get<T>(from)));
    }
};

// A byte or a short, widened to 16 bits in one half of the register. The other half becomes zero: with ECC, which these
// GPUs always have, a load writes whole registers (CDNA3 ISA, "16-bit Memory Operations").
template <class T, bool high>
struct HalfLoad {
    static constexpr unsigned bytes = sizeof(T), registers = 1;
    static void load(VReg* to, unsigned lane, const std::uint8_t* from) {
        const std::uint32_t half = static_cast<std::uint16_t>(get<T>(from));
        to->lane[lane] = high ? half << 16 : half;
    }
};

// The low byte or short of the register, or of its high half.
template <class T, bool high>
struct Narrowed {
    static constexpr unsigned bytes = sizeof(T), registers = 1;
    static void store(const VReg* from, unsigned lane, std::uint8_t* to) {
        put(to, static_cast<T>(from->lane[lane] >> (high ? 16 : 0)));
    }
};

using LoadU8 = Widened<std::uint8_t>;
using LoadI8 = Widened<std::int8_t>;
using LoadU16 = Widened<std::uint16_t>;
using LoadI16 = Widened<std::int16_t>;

// Suffixes that FLAT, GLOBAL, SCRATCH and MUBUF instructions share, with their kinds.
#define VROCM_MEMORY_LOADS(X)                          \
    X(load_ubyte, LoadU8)                              \
    X(load_sbyte, LoadI8)                              \
    X(load_ushort, LoadU16)                            \
    X(load_sshort, LoadI16)                            \
    X(load_dword, Dwords<1>)                           \
    X(load_dwordx2, Dwords<2>)                         \
    X(load_dwordx3, Dwords<3>)                         \
    X(load_dwordx4, Dwords<4>)                         \
    X(load_ubyte_d16, HalfLoad<std::uint8_t, false>)   \
    X(load_ubyte_d16_hi, HalfLoad<std::uint8_t, true>) \
    X(load_sbyte_d16, HalfLoad<std::int8_t, false>)    \
    X(load_sbyte_d16_hi, HalfLoad<std::int8_t, true>)  \
    X(load_short_d16, HalfLoad<std::uint16_t, false>)  \
    X(load_short_d16_hi, HalfLoad<std::uint16_t, true>)
#define VROCM_MEMORY_STORES(X)                           \
    X(store_byte, Narrowed<std::uint8_t, false>)         \
    X(store_byte_d16_hi, Narrowed<std::uint8_t, true>)   \
    X(store_short, Narrowed<std::uint16_t, false>)       \
    X(store_short_d16_hi, Narrowed<std::uint16_t, true>) \
    X(store_dword, Dwords<1>)                            \
    X(store_dwordx2, Dwords<2>)                          \
    X(store_dwordx3, Dwords<3>)                          \
    X(store_dwordx4, Dwords<4>)

}  // namespace vrocm::sim::memory
