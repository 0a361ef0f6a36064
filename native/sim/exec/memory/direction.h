// Loads and stores take the same steps in opposite directions. These name what differs, so that each kind of
// memory has one handler for both: handler<Load<Data>>, handler<Store<Data>>.
#pragma once

#include "sim/exec/flat/private.h"
#include "sim/exec/lds/access.h"
#include "sim/exec/memory/access.h"

namespace vrocm::sim::memory {

template <class D>
struct Load {
    using Data = D;
    static constexpr bool writes = false;
    static constexpr auto by_pattern = load_pattern<D>;
    static constexpr auto by_list = gather<D>;
    static constexpr auto lds_pattern = load_lds_pattern<D>;
    static constexpr auto lds_lane = load_lds_lane<D>;
    static constexpr auto private_uniform = load_private_uniform<D>;
    static constexpr auto private_lane = load_private_lane<D>;
    static VReg* registers(Wave& wave, const Op* op) { return wave.v + op->dst; }
    static VReg* second_registers(Wave& wave, const Op* op) { return wave.v + op->dst + D::registers; }
    static void lane(VReg* to, unsigned lane, const std::uint8_t* from) { D::load(to, lane, from); }
};

template <class D>
struct Store {
    using Data = D;
    static constexpr bool writes = true;
    static constexpr auto by_pattern = store_pattern<D>;
    static constexpr auto by_list = scatter<D>;
    static constexpr auto lds_pattern = store_lds_pattern<D>;
    static constexpr auto lds_lane = store_lds_lane<D>;
    static constexpr auto private_uniform = store_private_uniform<D>;
    static constexpr auto private_lane = store_private_lane<D>;
    static const VReg* registers(Wave& wave, const Op* op) { return wave.v + op->src[1].reg; }
    static const VReg* second_registers(Wave& wave, const Op* op) { return wave.v + op->src[2].reg; }
    static void lane(const VReg* from, unsigned lane, std::uint8_t* to) { D::store(from, lane, to); }
};

}  // namespace vrocm::sim::memory
