// Moves between registers and host memory that has been checked, and the checks themselves.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "sim/code/op.h"
#include "sim/exec/memory/data.h"
#include "sim/exec/memory/lanes.h"
#include "sim/memory/address_space.h"

namespace vrocm::sim::memory {

inline std::uint8_t* host(std::uint64_t address) {
    return reinterpret_cast<std::uint8_t*>(address);
}

// Where the bytes are in this process; null when the kernel may not touch them.
inline std::uint8_t* reach(Wave& wave, std::uint64_t address, std::uint64_t bytes, bool write) {
    if (write) wave.wrote = true;
    return thread_ranges().reach(*wave.memory, address, bytes, write);
}

inline const Op* violation(Wave& wave, const Op* op, std::uint64_t address, unsigned bytes, bool write, unsigned lane) {
    return raise(wave, op,
                 Fault{.kind = Fault::Kind::MemoryViolation,
                       .address = address,
                       .bytes = bytes,
                       .write = write,
                       .lane = static_cast<std::uint8_t>(lane)});
}

// Tells an observer what the instruction touches: process addresses; offsets into LDS for DS instructions; for
// SCRATCH, places in the window of flat addresses. Two places per lane (ds_read2) are one of double size at the first.
inline void record(Wave& wave, const std::uint64_t* addresses, std::uint64_t lanes, unsigned bytes) {
    std::copy(addresses, addresses + kLanes, wave.access->address);
    wave.access->lanes = lanes;
    wave.access->bytes = static_cast<std::uint8_t>(bytes);
}

// ---- moves of whole waves; the memory of every lane that is touched has been checked ----

inline void blend(VReg& to, const VReg& from, const VReg& mask) {
    for (unsigned i = 0; i < kLanes; ++i) to.lane[i] = (from.lane[i] & mask.lane[i]) | (to.lane[i] & ~mask.lane[i]);
}

// Rows of 64 lanes that lie one after another, two or four dwords each: vectors of the host hold whole lanes, so
// that no lane's pair is split (see get_pair).
inline __m256i vector_at(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
inline void load_row_of_pairs(VReg* to, const std::uint8_t* from) {
    for (unsigned lane = 0; lane < kLanes; lane += 8) {
        const __m256 first = _mm256_castsi256_ps(vector_at(from + 8 * lane));
        const __m256 second = _mm256_castsi256_ps(vector_at(from + 8 * lane + 32));
        const __m256d low = _mm256_castps_pd(_mm256_shuffle_ps(first, second, 0x88));
        const __m256d high = _mm256_castps_pd(_mm256_shuffle_ps(first, second, 0xdd));
        _mm256_storeu_pd(reinterpret_cast<double*>(to[0].lane + lane), _mm256_permute4x64_pd(low, 0xd8));
        _mm256_storeu_pd(reinterpret_cast<double*>(to[1].lane + lane), _mm256_permute4x64_pd(high, 0xd8));
    }
}
inline void store_row_of_pairs(const VReg* from, std::uint8_t* to) {
    for (unsigned lane = 0; lane < kLanes; lane += 8) {
        const __m256i low = vector_at(from[0].lane + lane), high = vector_at(from[1].lane + lane);
        const __m256i even = _mm256_unpacklo_epi32(low, high), odd = _mm256_unpackhi_epi32(low, high);
        auto* row = reinterpret_cast<__m256i*>(to + 8 * lane);
        _mm256_storeu_si256(row, _mm256_permute2x128_si256(even, odd, 0x20));
        _mm256_storeu_si256(row + 1, _mm256_permute2x128_si256(even, odd, 0x31));
    }
}
inline void load_row_of_fours(VReg* to, const std::uint8_t* from) {
    for (unsigned lane = 0; lane < kLanes; lane += 4) {
        __m128 row[4];
        for (unsigned i = 0; i < 4; ++i) row[i] = _mm_loadu_ps(reinterpret_cast<const float*>(from + 16 * (lane + i)));
        _MM_TRANSPOSE4_PS(row[0], row[1], row[2], row[3]);
        for (unsigned r = 0; r < 4; ++r) _mm_storeu_ps(reinterpret_cast<float*>(to[r].lane + lane), row[r]);
    }
}
inline void store_row_of_fours(const VReg* from, std::uint8_t* to) {
    for (unsigned lane = 0; lane < kLanes; lane += 4) {
        __m128 row[4];
        for (unsigned r = 0; r < 4; ++r) row[r] = _mm_loadu_ps(reinterpret_cast<const float*>(from[r].lane + lane));
        _MM_TRANSPOSE4_PS(row[0], row[1], row[2], row[3]);
        for (unsigned i = 0; i < 4; ++i) _mm_storeu_ps(reinterpret_cast<float*>(to + 16 * (lane + i)), row[i]);
    }
}

// Lane n at from + n * stride (0: all lanes at the same place), all 64 lanes.
template <class Data, unsigned stride>
inline void load_every_lane(VReg* to, const std::uint8_t* from) {
    if constexpr (std::is_same_v<Data, Dwords<1>> && stride == 4) {
        std::memcpy(to->lane, from, sizeof to->lane);
    } else if constexpr (std::is_same_v<Data, Dwords<2>> && stride == 8) {
        load_row_of_pairs(to, from);
    } else if constexpr (std::is_same_v<Data, Dwords<4>> && stride == 16) {
        load_row_of_fours(to, from);
    } else if constexpr (stride == 0) {
        VReg once[Data::registers];
        Data::load(once, 0, from);
        for (unsigned r = 0; r < Data::registers; ++r) std::fill_n(to[r].lane, kLanes, once[r].lane[0]);
    } else {
#pragma GCC ivdep
        for (unsigned lane = 0; lane < kLanes; ++lane) Data::load(to, lane, from + lane * stride);
    }
}

template <class Data, unsigned stride>
inline void load_masked(Wave& wave, VReg* to, const std::uint8_t* from) {
    VReg all[Data::registers];
    load_every_lane<Data, stride>(all, from);
    for (unsigned r = 0; r < Data::registers; ++r) blend(to[r], all[r], wave.exec_lanes());
}

template <class Data, unsigned stride>
inline void store_every_lane(const VReg* from, std::uint8_t* to) {
    if constexpr (std::is_same_v<Data, Dwords<1>> && stride == 4) {
        std::memcpy(to, from->lane, sizeof from->lane);
    } else if constexpr (std::is_same_v<Data, Dwords<2>> && stride == 8) {
        store_row_of_pairs(from, to);
    } else if constexpr (std::is_same_v<Data, Dwords<4>> && stride == 16) {
        store_row_of_fours(from, to);
    } else {
#pragma GCC ivdep
        for (unsigned lane = 0; lane < kLanes; ++lane) Data::store(from, lane, to + lane * stride);
    }
}

// Host memory between the lanes that store may be written by others at the same time and stays untouched.
template <class Data, unsigned stride>
inline void store_masked(Wave& wave, const VReg* from, std::uint8_t* to, std::uint64_t lanes) {
    if constexpr (std::is_same_v<Data, Dwords<1>> && stride == 4) {
        const unsigned first = first_lane(lanes), last = last_lane(lanes);
        const unsigned count = last - first + 1;
        if (static_cast<unsigned>(std::popcount(lanes)) == count) {
            std::memcpy(to + 4 * first, from->lane + first, 4 * count);
            return;
        }
        const VReg& mask = wave.exec_lanes();
        for (unsigned i = 0; i < kLanes; i += 8)
            _mm256_maskstore_epi32(reinterpret_cast<int*>(to + 4 * i),
                                   _mm256_load_si256(reinterpret_cast<const __m256i*>(mask.lane + i)),
                                   _mm256_load_si256(reinterpret_cast<const __m256i*>(from->lane + i)));
    } else {
        for_each_lane(lanes, [&](unsigned lane) { Data::store(from, lane, to + lane * stride); });
    }
}

// The same for memory of this wave's host thread alone (LDS, scratch), where writing back what is there does no
// harm and is much faster.
template <class Data, unsigned stride>
inline void store_masked_owned(Wave& wave, const VReg* from, std::uint8_t* to, std::uint64_t lanes) {
    if constexpr (std::is_same_v<Data, Dwords<1>> && stride == 4) {
        const VReg& mask = wave.exec_lanes();
        VReg row;
        std::memcpy(row.lane, to, sizeof row.lane);
        blend(row, *from, mask);
        std::memcpy(to, row.lane, sizeof row.lane);
    } else {
        store_masked<Data, stride>(wave, from, to, lanes);
    }
}

// ---- moves by a list of addresses ----

// The lowest and the highest address of the active lanes. Fills the places of inactive lanes with an active
// address, so that callers may run over all 64 without looking at the mask.
struct Extent {
    std::uint64_t low, high;
};
inline Extent extent(std::uint64_t* address, std::uint64_t lanes) {
    if (lanes != kAllLanes) {
        const std::uint64_t some = address[first_lane(lanes)];
        for (unsigned i = 0; i < kLanes; ++i) address[i] = lanes >> i & 1 ? address[i] : some;
    }
    // Compared as signed numbers, which the host's vectors can do; a mix of signs fails the range check.
    std::int64_t low = static_cast<std::int64_t>(address[0]), high = low;
    for (unsigned i = 1; i < kLanes; ++i) {
        low = std::min(low, static_cast<std::int64_t>(address[i]));
        high = std::max(high, static_cast<std::int64_t>(address[i]));
    }
    return {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high)};
}

// What takes every address of the extent to its place, when one look allows them all.
inline std::optional<std::uint64_t> shift_of(Wave& wave, const Extent& range, unsigned bytes, bool write) {
    if (range.low > range.high) return std::nullopt;
    const std::uint8_t* place = reach(wave, range.low, range.high - range.low + bytes, write);
    if (!place) return std::nullopt;
    return reinterpret_cast<std::uint64_t>(place) - range.low;
}

// Turns the lanes' addresses into their places, by one look at all of them, else one by one. False after a fault.
inline bool reach_lanes(Wave& wave, const Op* op, std::uint64_t* address, const Extent& range, std::uint64_t lanes,
                        unsigned bytes, bool write) {
    if (const auto shift = shift_of(wave, range, bytes, write)) {
        if (*shift)
            for (unsigned i = 0; i < kLanes; ++i) address[i] += *shift;
        return true;
    }
    for (std::uint64_t left = lanes; left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const std::uint8_t* place = reach(wave, address[lane], bytes, write);
        if (!place) {
            violation(wave, op, address[lane], bytes, write, lane);
            return false;
        }
        address[lane] = reinterpret_cast<std::uint64_t>(place);
    }
    return true;
}

template <class Data>
inline const Op* gather(Wave& wave, const Op* op, VReg* to, std::uint64_t* address, const Extent& range,
                        std::uint64_t lanes) {
    if (!reach_lanes(wave, op, address, range, lanes, Data::bytes, false)) return nullptr;
    if (lanes == kAllLanes)
        for (unsigned lane = 0; lane < kLanes; ++lane) Data::load(to, lane, host(address[lane]));
    else
        for_each_lane(lanes, [&](unsigned lane) { Data::load(to, lane, host(address[lane])); });
    return op + 1;
}

// Lanes write in order: where several write one place, the highest wins.
template <class Data>
inline const Op* scatter(Wave& wave, const Op* op, const VReg* from, std::uint64_t* address, const Extent& range,
                         std::uint64_t lanes) {
    if (!reach_lanes(wave, op, address, range, lanes, Data::bytes, true)) return nullptr;
    if (lanes == kAllLanes)
        for (unsigned lane = 0; lane < kLanes; ++lane) Data::store(from, lane, host(address[lane]));
    else
        for_each_lane(lanes, [&](unsigned lane) { Data::store(from, lane, host(address[lane])); });
    return op + 1;
}

// ---- moves by a pattern; false when the pattern does not serve and the list must ----

template <class Data>
inline bool load_pattern(Wave& wave, const Pattern& pattern, VReg* to, std::uint64_t lanes) {
    if (pattern.kind == Pattern::Kind::Linear) {
        const std::uint8_t* from = reach(wave, pattern.address, kLanes * Data::bytes, false);
        if (!from) return false;
        if (lanes == kAllLanes)
            load_every_lane<Data, Data::bytes>(to, from);
        else
            load_masked<Data, Data::bytes>(wave, to, from);
        return true;
    }
    if (pattern.kind != Pattern::Kind::Uniform) return false;
    const std::uint8_t* from = reach(wave, pattern.address, Data::bytes, false);
    if (!from) return false;
    if (lanes == kAllLanes)
        load_every_lane<Data, 0>(to, from);
    else
        load_masked<Data, 0>(wave, to, from);
    return true;
}

template <class Data>
inline bool store_pattern(Wave& wave, const Pattern& pattern, const VReg* from, std::uint64_t lanes) {
    const unsigned first = first_lane(lanes), last = last_lane(lanes);
    if (pattern.kind == Pattern::Kind::Linear) {
        std::uint8_t* to = reach(wave, pattern.address + first * Data::bytes, (last - first + 1) * Data::bytes, true);
        if (!to) return false;
        to -= first * Data::bytes;
        if (lanes == kAllLanes)
            store_every_lane<Data, Data::bytes>(from, to);
        else
            store_masked<Data, Data::bytes>(wave, from, to, lanes);
        return true;
    }
    if (pattern.kind != Pattern::Kind::Uniform) return false;
    std::uint8_t* to = reach(wave, pattern.address, Data::bytes, true);
    if (!to) return false;
    Data::store(from, last, to);
    return true;
}

}  // namespace vrocm::sim::memory
