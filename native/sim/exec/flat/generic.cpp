// FLAT loads and stores: one address space in which two windows are the workgroup's LDS and the lane's scratch.
#include "sim/exec/flat/address.h"
#include "sim/exec/memory/direction.h"

namespace vrocm::sim::memory {
namespace {

[[gnu::noinline]] void observe(Wave& wave, const Op* op, std::uint64_t lanes, unsigned bytes) {
    std::uint64_t address[kLanes];
    VectorAddress::list(wave, op, address);
    record(wave, address, lanes, bytes);
}

// Lanes in different windows: one at a time.
template <class Direction>
[[gnu::noinline]] const Op* move_mixed(Wave& wave, const Op* op, const std::uint64_t* address, std::uint64_t lanes) {
    constexpr unsigned bytes = Direction::Data::bytes;
    const auto registers = Direction::registers(wave, op);
    for (std::uint64_t left = lanes; left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const std::uint64_t at = address[lane];
        switch (window_of(at)) {
            case Window::Global: {
                std::uint8_t* place = reach(wave, at, bytes, Direction::writes);
                if (!place) return violation(wave, op, at, bytes, Direction::writes, lane);
                Direction::lane(registers, lane, place);
                break;
            }
            case Window::Private:
                if (!in_scratch(wave, at - kPrivateAperture, bytes))
                    return violation(wave, op, at, bytes, Direction::writes, lane);
                Direction::private_lane(wave, registers, at - kPrivateAperture, lane);
                break;
            case Window::Shared:
                Direction::lds_lane(wave, registers, at - kSharedAperture, lane);
                break;
        }
    }
    return op + 1;
}

// No window lies between two addresses of one allocation, so the ends of the extent tell.
bool all_global(const Extent& range) {
    return range.high < kSharedAperture && range.low <= range.high;
}

template <class Direction>
const Op* move(Wave& wave, const Op* op) {
    constexpr unsigned bytes = Direction::Data::bytes;
    const std::uint64_t lanes = wave.exec();
    if (wave.access) [[unlikely]]
        observe(wave, op, lanes, bytes);
    if (lanes == 0) return op + 1;
    const auto registers = Direction::registers(wave, op);
    const Pattern pattern = VectorAddress::pattern<bytes>(wave, op, lanes);
    if (pattern.kind != Pattern::Kind::Scattered) {
        const Window window = window_of(pattern.address);
        if (window == Window::Global && Direction::by_pattern(wave, pattern, registers, lanes)) return op + 1;
        if (window == Window::Shared && Direction::lds_pattern(wave, pattern, kSharedAperture, registers, lanes))
            return op + 1;
        if (window == Window::Private && pattern.kind == Pattern::Kind::Uniform &&
            Direction::private_uniform(wave, registers, pattern.address - kPrivateAperture, lanes))
            return op + 1;
    }
    std::uint64_t address[kLanes];
    VectorAddress::list(wave, op, address);
    const Extent range = extent(address, lanes);
    if (all_global(range)) return Direction::by_list(wave, op, registers, address, range, lanes);
    return move_mixed<Direction>(wave, op, address, lanes);
}

}  // namespace

Handler lower_generic(const Op& op) {
    switch (op.inst->op) {
#define LOAD(suffix, ...)        \
    case isa::Op::flat_##suffix: \
        return move<Load<__VA_ARGS__>>;
#define STORE(suffix, ...)       \
    case isa::Op::flat_##suffix: \
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
