// SCRATCH loads and stores: each lane's private memory.
#include "sim/exec/flat/address.h"
#include "sim/exec/memory/direction.h"

namespace vrocm::sim::memory {
namespace {

// Observers see private memory where flat addresses would find it.
[[gnu::noinline]] void observe(Wave& wave, const Op* op, std::uint64_t lanes, unsigned bytes) {
    std::uint64_t address[kLanes];
    ScratchOffset::list(wave, op, address);
    for (std::uint64_t& a : address) a += kPrivateAperture;
    record(wave, address, lanes, bytes);
}

template <class Direction>
[[gnu::noinline]] const Op* move_listed(Wave& wave, const Op* op, std::uint64_t lanes) {
    constexpr unsigned bytes = Direction::Data::bytes;
    std::uint64_t offset[kLanes];
    ScratchOffset::list(wave, op, offset);
    for (std::uint64_t left = lanes; left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        if (!in_scratch(wave, offset[lane], bytes))
            return violation(wave, op, kPrivateAperture + offset[lane], bytes, Direction::writes, lane);
        Direction::private_lane(wave, Direction::registers(wave, op), offset[lane], lane);
    }
    return op + 1;
}

template <class Direction>
const Op* move(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    if (wave.access) [[unlikely]]
        observe(wave, op, lanes, Direction::Data::bytes);
    if (lanes == 0) return op + 1;
    const Pattern pattern = ScratchOffset::pattern(wave, op, lanes);
    if (pattern.kind == Pattern::Kind::Uniform &&
        Direction::private_uniform(wave, Direction::registers(wave, op), pattern.address, lanes))
        return op + 1;
    return move_listed<Direction>(wave, op, lanes);
}

}  // namespace

Handler lower_scratch(const Op& op) {
    switch (op.inst->op) {
#define LOAD(suffix, ...)           \
    case isa::Op::scratch_##suffix: \
        return move<Load<__VA_ARGS__>>;
#define STORE(suffix, ...)          \
    case isa::Op::scratch_##suffix: \
        return move<Store<__VA_ARGS__>>;
        VROCM_MEMORY_LOADS(LOAD)
        VROCM_MEMORY_STORES(STORE)
#undef LOAD
#undef STORE
        default:
            return nullptr;
    }
}

}  // namespace vrocm::sim::memory
