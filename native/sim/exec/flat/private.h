// A lane's private memory in the wave's scratch, where consecutive dwords of a lane lie 256 bytes apart:
// an access at the same offset in all lanes is one contiguous block per dword.
#pragma once

#include <cstdint>

#include "sim/exec/memory/access.h"

namespace vrocm::sim::memory {

inline bool in_scratch(const Wave& wave, std::uint64_t offset, unsigned bytes) {
    return offset + bytes <= wave.scratch_per_lane;
}

inline std::uint8_t* scratch_byte(const Wave& wave, std::uint64_t offset, unsigned lane) {
    return wave.scratch + (offset & ~std::uint64_t{3}) * kLanes + lane * 4 + (offset & 3);
}

// Not crossing dwords unless it starts on one: then it is in whole rows of the interleaved memory.
inline bool row_aligned(std::uint64_t offset, unsigned bytes) {
    return (offset & 3) + bytes <= 4 || (offset & 3) == 0;
}

template <class Data>
inline void load_private_lane(const Wave& wave, VReg* to, std::uint64_t offset, unsigned lane) {
    std::uint8_t bytes[Data::bytes];
    if (Data::bytes < 4 && row_aligned(offset, Data::bytes)) {
        Data::load(to, lane, scratch_byte(wave, offset, lane));
        return;
    }
    if (Data::bytes >= 4 && (offset & 3) == 0)
        for (unsigned i = 0; i < Data::bytes; i += 4) std::memcpy(bytes + i, scratch_byte(wave, offset + i, lane), 4);
    else
        for (unsigned i = 0; i < Data::bytes; ++i) bytes[i] = *scratch_byte(wave, offset + i, lane);
    Data::load(to, lane, bytes);
}
template <class Data>
inline void store_private_lane(const Wave& wave, const VReg* from, std::uint64_t offset, unsigned lane) {
    std::uint8_t bytes[Data::bytes];
    Data::store(from, lane, bytes);
    if (Data::bytes >= 4 && (offset & 3) == 0)
        for (unsigned i = 0; i < Data::bytes; i += 4) std::memcpy(scratch_byte(wave, offset + i, lane), bytes + i, 4);
    else
        for (unsigned i = 0; i < Data::bytes; ++i) *scratch_byte(wave, offset + i, lane) = bytes[i];
}

template <class Data>
inline void load_rows(Wave& wave, VReg* to, std::uint64_t offset, std::uint64_t lanes) {
    const std::uint8_t* row = scratch_byte(wave, offset, 0);
    if constexpr (Data::bytes >= 4) {
        for (unsigned r = 0; r < Data::registers; ++r, row += 4 * kLanes)
            if (lanes == kAllLanes)
                load_every_lane<Dwords<1>, 4>(to + r, row);
            else
                load_masked<Dwords<1>, 4>(wave, to + r, row);
    } else if (lanes == kAllLanes) {
        load_every_lane<Data, 4>(to, row);
    } else {
        load_masked<Data, 4>(wave, to, row);
    }
}

template <class Data>
inline void store_rows(Wave& wave, const VReg* from, std::uint64_t offset, std::uint64_t lanes) {
    std::uint8_t* row = scratch_byte(wave, offset, 0);
    if constexpr (Data::bytes >= 4) {
        for (unsigned r = 0; r < Data::registers; ++r, row += 4 * kLanes)
            if (lanes == kAllLanes)
                store_every_lane<Dwords<1>, 4>(from + r, row);
            else
                store_masked_owned<Dwords<1>, 4>(wave, from + r, row, lanes);
    } else if (lanes == kAllLanes) {
        store_every_lane<Data, 4>(from, row);
    } else {
        store_masked_owned<Data, 4>(wave, from, row, lanes);
    }
}

// False when the offset lies outside the lane's scratch.
template <class Data>
inline bool load_private_uniform(Wave& wave, VReg* to, std::uint64_t offset, std::uint64_t lanes) {
    if (!in_scratch(wave, offset, Data::bytes)) return false;
    if (row_aligned(offset, Data::bytes))
        load_rows<Data>(wave, to, offset, lanes);
    else
        for_each_lane(lanes, [&](unsigned lane) { load_private_lane<Data>(wave, to, offset, lane); });
    return true;
}
template <class Data>
inline bool store_private_uniform(Wave& wave, const VReg* from, std::uint64_t offset, std::uint64_t lanes) {
    if (!in_scratch(wave, offset, Data::bytes)) return false;
    if (row_aligned(offset, Data::bytes))
        store_rows<Data>(wave, from, offset, lanes);
    else
        for_each_lane(lanes, [&](unsigned lane) { store_private_lane<Data>(wave, from, offset, lane); });
    return true;
}

}  // namespace vrocm::sim::memory
