// Moves between registers and the workgroup's LDS. Out of range, reads give zero and writes do nothing.
#pragma once

#include <cstdint>

#include "sim/exec/memory/access.h"

namespace vrocm::sim::memory {

inline bool in_lds(const Wave& wave, std::uint64_t offset, std::uint64_t bytes) {
    return offset <= wave.lds_size && bytes <= wave.lds_size - offset;
}

template <class Data>
inline void load_lds_lane(const Wave& wave, VReg* to, std::uint64_t offset, unsigned lane) {
    static constexpr std::uint8_t zeros[Data::bytes] = {};
    Data::load(to, lane, in_lds(wave, offset, Data::bytes) ? wave.lds + offset : zeros);
}

template <class Data>
inline void store_lds_lane(const Wave& wave, const VReg* from, std::uint64_t offset, unsigned lane) {
    if (in_lds(wave, offset, Data::bytes)) Data::store(from, lane, wave.lds + offset);
}

// As load_pattern and store_pattern; `base` is what the pattern's address counts from.
template <class Data>
inline bool load_lds_pattern(Wave& wave, const Pattern& pattern, std::uint64_t base, VReg* to, std::uint64_t lanes) {
    const std::uint64_t offset = pattern.address - base;
    if (pattern.kind == Pattern::Kind::Linear) {
        if (!in_lds(wave, offset, kLanes * Data::bytes)) return false;
        if (lanes == kAllLanes)
            load_every_lane<Data, Data::bytes>(to, wave.lds + offset);
        else
            load_masked<Data, Data::bytes>(wave, to, wave.lds + offset);
        return true;
    }
    if (pattern.kind != Pattern::Kind::Uniform || !in_lds(wave, offset, Data::bytes)) return false;
    if (lanes == kAllLanes)
        load_every_lane<Data, 0>(to, wave.lds + offset);
    else
        load_masked<Data, 0>(wave, to, wave.lds + offset);
    return true;
}

template <class Data>
inline bool store_lds_pattern(Wave& wave, const Pattern& pattern, std::uint64_t base, const VReg* from,
                              std::uint64_t lanes) {
    const std::uint64_t offset = pattern.address - base;
    if (pattern.kind == Pattern::Kind::Linear) {
        if (!in_lds(wave, offset, kLanes * Data::bytes)) return false;
        if (lanes == kAllLanes)
            store_every_lane<Data, Data::bytes>(from, wave.lds + offset);
        else
            store_masked_owned<Data, Data::bytes>(wave, from, wave.lds + offset, lanes);
        return true;
    }
    if (pattern.kind != Pattern::Kind::Uniform || !in_lds(wave, offset, Data::bytes)) return false;
    Data::store(from, last_lane(lanes), wave.lds + offset);
    return true;
}

}  // namespace vrocm::sim::memory
