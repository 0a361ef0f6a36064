// DS reads and writes.
#include <type_traits>

#include "sim/exec/lds/address.h"
#include "sim/exec/memory/direction.h"

namespace vrocm::sim::memory {
namespace {

template <class Direction, class Registers>
[[gnu::noinline]] void move_scattered(Wave& wave, const VReg& address, std::uint32_t offset, Registers registers,
                                      std::uint64_t lanes) {
    const LdsOffsets at(wave, address, offset);
    if (!at.all_inside(wave, Direction::Data::bytes))
        for_each_lane(lanes, [&](unsigned lane) { Direction::lds_lane(wave, registers, at.lane[lane], lane); });
    else if (lanes == kAllLanes)
        for (unsigned lane = 0; lane < kLanes; ++lane) Direction::lane(registers, lane, wave.lds + at.lane[lane]);
    else
        for_each_lane(lanes, [&](unsigned lane) { Direction::lane(registers, lane, wave.lds + at.lane[lane]); });
}

// The pattern of the registers serves only if adding the offset did not wrap.
template <class Direction, class Registers>
inline void move_at(Wave& wave, const Pattern& pattern, const VReg& address, std::uint32_t offset, Registers registers,
                    std::uint64_t lanes) {
    const Pattern moved{pattern.kind, pattern.address + offset};
    if (!Direction::lds_pattern(wave, moved, 0, registers, lanes))
        move_scattered<Direction>(wave, address, offset, registers, lanes);
}

template <class Direction>
const Op* move(Wave& wave, const Op* op) {
    constexpr unsigned bytes = Direction::Data::bytes;
    const std::uint64_t lanes = wave.exec();
    const VReg& address = wave.v[op->src[0].reg];
    const std::uint32_t offset = lds_offset(op);
    if (wave.access) [[unlikely]]
        observe_lds(wave, &address, offset, bytes);
    if (lanes == 0) return op + 1;
    const Pattern pattern = pattern32<bytes>(wave, address, lanes);
    move_at<Direction>(wave, pattern, address, offset, Direction::registers(wave, op), lanes);
    return op + 1;
}

// Two places per lane, offsets in units of the data (64 of them in the st64 forms).
template <class Direction, unsigned unit>
const Op* move_two(Wave& wave, const Op* op) {
    constexpr unsigned bytes = Direction::Data::bytes;
    const std::uint64_t lanes = wave.exec();
    // What a read brings first may land on the address.
    std::conditional_t<Direction::writes, const VReg&, const VReg> address = wave.v[op->src[0].reg];
    const std::uint32_t first = first_unit(op) * unit * bytes;
    const std::uint32_t second = second_unit(op) * unit * bytes;
    if (wave.access) [[unlikely]]
        observe_lds(wave, &address, first, 2 * bytes);
    if (lanes == 0) return op + 1;
    const Pattern pattern = pattern32<bytes>(wave, address, lanes);
    move_at<Direction>(wave, pattern, address, first, Direction::registers(wave, op), lanes);
    move_at<Direction>(wave, pattern, address, second, Direction::second_registers(wave, op), lanes);
    return op + 1;
}

// The address is the lane's number: M0[15:0] + offset + 4 * lane.
std::uint32_t by_lane_base(const Wave& wave, const Op* op) {
    return (wave.s[isa::sreg::m0] & 0xffff) + lds_offset(op);
}
template <class Direction>
const Op* move_by_lane(Wave& wave, const Op* op) {
    const std::uint32_t base = by_lane_base(wave, op);
    if (wave.access) [[unlikely]]
        observe_lds(wave, nullptr, base, 4);
    for_each_lane(wave.exec(), [&](unsigned lane) {
        Direction::lds_lane(wave, Direction::registers(wave, op), base + 4 * lane, lane);
    });
    return op + 1;
}

Handler lower_read(const Op& op) {
    switch (op.inst->op) {
        case isa::Op::ds_read_b32:
            return move<Load<Dwords<1>>>;
        case isa::Op::ds_read_b64:
            return move<Load<Dwords<2>>>;
        case isa::Op::ds_read_b96:
            return move<Load<Dwords<3>>>;
        case isa::Op::ds_read_b128:
            return move<Load<Dwords<4>>>;
        case isa::Op::ds_read_u8:
            return move<Load<LoadU8>>;
        case isa::Op::ds_read_i8:
            return move<Load<LoadI8>>;
        case isa::Op::ds_read_u16:
            return move<Load<LoadU16>>;
        case isa::Op::ds_read_i16:
            return move<Load<LoadI16>>;
        case isa::Op::ds_read_u8_d16:
            return move<Load<HalfLoad<std::uint8_t, false>>>;
        case isa::Op::ds_read_u8_d16_hi:
            return move<Load<HalfLoad<std::uint8_t, true>>>;
        case isa::Op::ds_read_i8_d16:
            return move<Load<HalfLoad<std::int8_t, false>>>;
        case isa::Op::ds_read_i8_d16_hi:
            return move<Load<HalfLoad<std::int8_t, true>>>;
        case isa::Op::ds_read_u16_d16:
            return move<Load<HalfLoad<std::uint16_t, false>>>;
        case isa::Op::ds_read_u16_d16_hi:
            return move<Load<HalfLoad<std::uint16_t, true>>>;
        case isa::Op::ds_read2_b32:
            return move_two<Load<Dwords<1>>, 1>;
        case isa::Op::ds_read2st64_b32:
            return move_two<Load<Dwords<1>>, 64>;
        case isa::Op::ds_read2_b64:
            return move_two<Load<Dwords<2>>, 1>;
        case isa::Op::ds_read2st64_b64:
            return move_two<Load<Dwords<2>>, 64>;
        case isa::Op::ds_read_addtid_b32:
            return move_by_lane<Load<Dwords<1>>>;
        default:
            return nullptr;
    }
}

Handler lower_write(const Op& op) {
    switch (op.inst->op) {
        case isa::Op::ds_write_b8:
            return move<Store<Narrowed<std::uint8_t, false>>>;
        case isa::Op::ds_write_b8_d16_hi:
            return move<Store<Narrowed<std::uint8_t, true>>>;
        case isa::Op::ds_write_b16:
            return move<Store<Narrowed<std::uint16_t, false>>>;
        case isa::Op::ds_write_b16_d16_hi:
            return move<Store<Narrowed<std::uint16_t, true>>>;
        case isa::Op::ds_write_b32:
            return move<Store<Dwords<1>>>;
        case isa::Op::ds_write_b64:
            return move<Store<Dwords<2>>>;
        case isa::Op::ds_write_b96:
            return move<Store<Dwords<3>>>;
        case isa::Op::ds_write_b128:
            return move<Store<Dwords<4>>>;
        case isa::Op::ds_write2_b32:
            return move_two<Store<Dwords<1>>, 1>;
        case isa::Op::ds_write2st64_b32:
            return move_two<Store<Dwords<1>>, 64>;
        case isa::Op::ds_write2_b64:
            return move_two<Store<Dwords<2>>, 1>;
        case isa::Op::ds_write2st64_b64:
            return move_two<Store<Dwords<2>>, 64>;
        case isa::Op::ds_write_addtid_b32:
            return move_by_lane<Store<Dwords<1>>>;
        default:
            return nullptr;
    }
}

}  // namespace

Handler lower_lds_move(const Op& op) {
    if (Handler handler = lower_read(op)) return handler;
    return lower_write(op);
}

}  // namespace vrocm::sim::memory
