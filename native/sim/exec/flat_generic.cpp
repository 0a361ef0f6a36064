// FLAT loads and stores: one address space in which two windows are the workgroup's LDS and the lane's scratch.
#include "sim/exec/flat_address.h"
#include "sim/exec/flat_lower.h"
#include "sim/exec/flat_private.h"
#include "sim/exec/flat_window.h"
#include "sim/exec/lds_access.h"

namespace vrocm::sim::memory {
namespace {

[[gnu::noinline]] void observe(Wave& wave, const Op* op, std::uint64_t lanes, unsigned bytes) {
    std::uint64_t address[kLanes];
    VectorAddress::list(wave, op, address);
    record(wave, address, lanes, bytes);
}

// Lanes in different windows: one at a time.
template <class Data>
[[gnu::noinline]] const Op* load_mixed(Wave& wave, const Op* op, const std::uint64_t* address, std::uint64_t lanes) {
    VReg* to = wave.v + op->dst;
    for (std::uint64_t left = lanes; left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const std::uint64_t at = address[lane];
        switch (window_of(at)) {
            case Window::Global:
                if (!allowed(wave, at, Data::bytes, false)) return violation(wave, op, at, Data::bytes, false, lane);
                Data::load(to, lane, host(at));
                break;
            case Window::Private:
                if (!in_scratch(wave, at - kPrivateAperture, Data::bytes))
                    return violation(wave, op, at, Data::bytes, false, lane);
                load_private_lane<Data>(wave, to, at - kPrivateAperture, lane);
                break;
            case Window::Shared:
                load_lds_lane<Data>(wave, to, at - kSharedAperture, lane);
                break;
        }
    }
    return op + 1;
}

template <class Data>
[[gnu::noinline]] const Op* store_mixed(Wave& wave, const Op* op, const std::uint64_t* address, std::uint64_t lanes) {
    const VReg* from = wave.v + op->src[1].reg;
    for (std::uint64_t left = lanes; left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const std::uint64_t at = address[lane];
        switch (window_of(at)) {
            case Window::Global:
                if (!allowed(wave, at, Data::bytes, true)) return violation(wave, op, at, Data::bytes, true, lane);
                Data::store(from, lane, host(at));
                break;
            case Window::Private:
                if (!in_scratch(wave, at - kPrivateAperture, Data::bytes))
                    return violation(wave, op, at, Data::bytes, true, lane);
                store_private_lane<Data>(wave, from, at - kPrivateAperture, lane);
                break;
            case Window::Shared:
                store_lds_lane<Data>(wave, from, at - kSharedAperture, lane);
                break;
        }
    }
    return op + 1;
}

// No window lies between two addresses of one allocation, so the ends of the extent tell.
bool all_global(const Extent& range) {
    return range.high < kSharedAperture && range.low <= range.high;
}

template <class Data>
const Op* load(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    if (wave.access) [[unlikely]]
        observe(wave, op, lanes, Data::bytes);
    if (lanes == 0) return op + 1;
    VReg* to = wave.v + op->dst;
    const Pattern pattern = VectorAddress::pattern<Data::bytes>(wave, op, lanes);
    if (pattern.kind != Pattern::Kind::Scattered) {
        const Window window = window_of(pattern.address);
        if (window == Window::Global && load_pattern<Data>(wave, pattern, to, lanes)) return op + 1;
        if (window == Window::Shared && load_lds_pattern<Data>(wave, pattern, kSharedAperture, to, lanes))
            return op + 1;
        if (window == Window::Private && pattern.kind == Pattern::Kind::Uniform &&
            load_private_uniform<Data>(wave, to, pattern.address - kPrivateAperture, lanes))
            return op + 1;
    }
    std::uint64_t address[kLanes];
    VectorAddress::list(wave, op, address);
    const Extent range = extent(address, lanes);
    if (all_global(range)) return gather<Data>(wave, op, to, address, range, lanes);
    return load_mixed<Data>(wave, op, address, lanes);
}

template <class Data>
const Op* store(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    if (wave.access) [[unlikely]]
        observe(wave, op, lanes, Data::bytes);
    if (lanes == 0) return op + 1;
    const VReg* from = wave.v + op->src[1].reg;
    const Pattern pattern = VectorAddress::pattern<Data::bytes>(wave, op, lanes);
    if (pattern.kind != Pattern::Kind::Scattered) {
        const Window window = window_of(pattern.address);
        if (window == Window::Global && store_pattern<Data>(wave, pattern, from, lanes)) return op + 1;
        if (window == Window::Shared && store_lds_pattern<Data>(wave, pattern, kSharedAperture, from, lanes))
            return op + 1;
        if (window == Window::Private && pattern.kind == Pattern::Kind::Uniform &&
            store_private_uniform<Data>(wave, from, pattern.address - kPrivateAperture, lanes))
            return op + 1;
    }
    std::uint64_t address[kLanes];
    VectorAddress::list(wave, op, address);
    const Extent range = extent(address, lanes);
    if (all_global(range)) return scatter<Data>(wave, op, from, address, range, lanes);
    return store_mixed<Data>(wave, op, address, lanes);
}

}  // namespace

Handler lower_generic(const Op& op) {
    switch (op.inst->op) {
#define LOAD(suffix, ...)        \
    case isa::Op::flat_##suffix: \
        return load<__VA_ARGS__>;
#define STORE(suffix, ...)       \
    case isa::Op::flat_##suffix: \
        return store<__VA_ARGS__>;
        VROCM_MEMORY_LOADS(LOAD)
        VROCM_MEMORY_STORES(STORE)
#undef LOAD
#undef STORE
        default:
            return nullptr;
    }
}

}  // namespace vrocm::sim::memory
