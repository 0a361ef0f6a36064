// SCRATCH loads and stores: each lane's private memory.
#include "sim/exec/flat_address.h"
#include "sim/exec/flat_lower.h"
#include "sim/exec/flat_private.h"

namespace vrocm::sim::memory {
namespace {

// Observers see private memory where flat addresses would find it.
[[gnu::noinline]] void observe(Wave& wave, const Op* op, std::uint64_t lanes, unsigned bytes) {
    std::uint64_t address[kLanes];
    ScratchOffset::list(wave, op, address);
    for (std::uint64_t& a : address) a += kPrivateAperture;
    record(wave, address, lanes, bytes);
}

template <class Data>
[[gnu::noinline]] const Op* load_listed(Wave& wave, const Op* op, std::uint64_t lanes) {
    std::uint64_t offset[kLanes];
    ScratchOffset::list(wave, op, offset);
    for (std::uint64_t left = lanes; left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        if (!in_scratch(wave, offset[lane], Data::bytes))
            return violation(wave, op, kPrivateAperture + offset[lane], Data::bytes, false, lane);
        load_private_lane<Data>(wave, wave.v + op->dst, offset[lane], lane);
    }
    return op + 1;
}

template <class Data>
[[gnu::noinline]] const Op* store_listed(Wave& wave, const Op* op, std::uint64_t lanes) {
    std::uint64_t offset[kLanes];
    ScratchOffset::list(wave, op, offset);
    for (std::uint64_t left = lanes; left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        if (!in_scratch(wave, offset[lane], Data::bytes))
            return violation(wave, op, kPrivateAperture + offset[lane], Data::bytes, true, lane);
        store_private_lane<Data>(wave, wave.v + op->src[1].reg, offset[lane], lane);
    }
    return op + 1;
}

template <class Data>
const Op* load(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    if (wave.access) [[unlikely]]
        observe(wave, op, lanes, Data::bytes);
    if (lanes == 0) return op + 1;
    const Pattern pattern = ScratchOffset::pattern(wave, op, lanes);
    if (pattern.kind == Pattern::Kind::Uniform &&
        load_private_uniform<Data>(wave, wave.v + op->dst, pattern.address, lanes))
        return op + 1;
    return load_listed<Data>(wave, op, lanes);
}

template <class Data>
const Op* store(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    if (wave.access) [[unlikely]]
        observe(wave, op, lanes, Data::bytes);
    if (lanes == 0) return op + 1;
    const Pattern pattern = ScratchOffset::pattern(wave, op, lanes);
    if (pattern.kind == Pattern::Kind::Uniform &&
        store_private_uniform<Data>(wave, wave.v + op->src[1].reg, pattern.address, lanes))
        return op + 1;
    return store_listed<Data>(wave, op, lanes);
}

}  // namespace

Handler lower_scratch(const Op& op) {
    switch (op.inst->op) {
#define LOAD(suffix, ...)           \
    case isa::Op::scratch_##suffix: \
        return load<__VA_ARGS__>;
#define STORE(suffix, ...)          \
    case isa::Op::scratch_##suffix: \
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
