// MUBUF *_format_* and MTBUF: loads and stores that convert between an element format and registers. The format
// is the descriptor's for MUBUF and the instruction's for MTBUF.
#include <immintrin.h>

#include <bit>

#include "sim/exec/buffer/access.h"
#include "sim/exec/buffer/format.h"
#include "sim/exec/lds/access.h"

namespace vrocm::sim::memory {
namespace {

struct Format {
    const Layout& layout;
    Number number;
};

Format format_of(const Op* op, const BufferDescriptor& descriptor) {
    const isa::Inst& inst = *op->inst;
    if (inst.format == isa::Format::MTBUF) return {kLayouts[inst.dfmt], static_cast<Number>(inst.nfmt)};
    return {kLayouts[descriptor.data_format()], static_cast<Number>(descriptor.number_format())};
}

const Op* invalid_format(Wave& wave, const Op* op) {
    return raise(wave, op, Fault{.kind = Fault::Kind::Unsupported, .text = "reserved buffer data format"});
}

// 16-bit registers hold halves, or integers cut to 16 bits.
std::uint32_t to_16(Number number, std::uint32_t value) {
    if (is_integer(number)) return value & 0xffff;
    return _cvtss_sh(std::bit_cast<float>(value), _MM_FROUND_TO_NEAREST_INT);
}
std::uint32_t from_16(Number number, std::uint32_t value) {
    if (number == Number::Sint) return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
    if (number == Number::Uint) return value & 0xffff;
    return std::bit_cast<std::uint32_t>(_cvtsh_ss(static_cast<std::uint16_t>(value)));
}

// Reads the element of one lane and selects components as the descriptor says. An element is inside the buffer
// as a whole or not at all.
bool read_element(Wave& wave, const Op* op, const BufferAddress& where, const Format& format, unsigned lane,
                  std::array<std::uint32_t, 4>& out) {
    const std::uint64_t index = where.index(lane), offset = where.offset(lane);
    const unsigned bytes = format.layout.bytes();
    std::array<std::uint32_t, 4> component = {0, 0, 0, one(format.number)};
    if (where.inside(index, offset, bytes)) {
        const std::uint64_t address = where.address(index, offset);
        const std::uint8_t* place = buffer_reach(wave, address, bytes, false);
        if (!place) return violation(wave, op, address, bytes, false, lane);
        const auto raw = unpack(format.layout, place);
        for (unsigned c = 0; c < format.layout.components; ++c)
            component[c] = decode_component(format.number, format.layout.bits[c], raw[c]);
    } else {
        component[3] = 0;
    }
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned select = where.descriptor.select(c);
        out[c] = select >= 4 ? component[select - 4] : select == 1 ? one(format.number) : 0;
    }
    return true;
}

bool write_element(Wave& wave, const Op* op, const BufferAddress& where, const Format& format, unsigned lane,
                   const std::array<std::uint32_t, 4>& in) {
    const std::uint64_t index = where.index(lane), offset = where.offset(lane);
    const unsigned bytes = format.layout.bytes();
    if (!where.inside(index, offset, bytes)) return true;
    const std::uint64_t address = where.address(index, offset);
    std::uint8_t* place = buffer_reach(wave, address, bytes, true);
    if (!place) return violation(wave, op, address, bytes, true, lane);
    std::array<std::uint32_t, 4> raw{};
    for (unsigned c = 0; c < format.layout.components; ++c)
        raw[c] = encode_component(format.number, format.layout.bits[c], in[c]);
    pack(format.layout, raw, place);
    return true;
}

// How components lie in registers: one each, packed in pairs, or one in a high half. Halves without a component are
// loaded with zero, as by other 16-bit loads (memory/data.h).
enum class Packing : std::uint8_t { Whole, Halves, HighHalf };

template <unsigned components, Packing packing>
void set_components(VReg* to, unsigned lane, const std::array<std::uint32_t, 4>& value, Number number) {
    if constexpr (packing == Packing::Whole) {
        for (unsigned c = 0; c < components; ++c) to[c].lane[lane] = value[c];
    } else if constexpr (packing == Packing::HighHalf) {
        to->lane[lane] = to_16(number, value[0]) << 16;
    } else {
        for (unsigned c = 0; c < components; c += 2)
            to[c / 2].lane[lane] =
                to_16(number, value[c]) | (c + 1 < components ? to_16(number, value[c + 1]) << 16 : 0);
    }
}

template <unsigned components, Packing packing>
std::array<std::uint32_t, 4> get_components(const VReg* from, unsigned lane, Number number) {
    std::array<std::uint32_t, 4> value{};
    for (unsigned c = 0; c < components; ++c) {
        if constexpr (packing == Packing::Whole)
            value[c] = from[c].lane[lane];
        else
            value[c] = from_16(number, from[c / 2].lane[lane] >> (packing == Packing::HighHalf ? 16 : c % 2 * 16));
    }
    return value;
}

template <unsigned components, Packing packing>
const Op* load(Wave& wave, const Op* op) {
    const BufferAddress where(wave, op);
    const Format format = format_of(op, where.descriptor);
    if (format.layout.components == 0) return invalid_format(wave, op);
    if (wave.access) [[unlikely]]
        observe_buffer(wave, where, format.layout.bytes(), true);
    constexpr unsigned registers = packing == Packing::Whole ? components : (components + 1) / 2;
    VReg result[registers];  // the address may be in the registers that are loaded
    for (unsigned r = 0; r < registers; ++r) result[r] = wave.v[op->dst + r];
    for (std::uint64_t left = wave.exec(); left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        std::array<std::uint32_t, 4> value;
        if (!read_element(wave, op, where, format, lane, value)) return nullptr;
        set_components<components, packing>(result, lane, value, format.number);
    }
    for (unsigned r = 0; r < registers; ++r) wave.v[op->dst + r] = result[r];
    return op + 1;
}

template <unsigned components, Packing packing>
const Op* store(Wave& wave, const Op* op) {
    const BufferAddress where(wave, op);
    const Format format = format_of(op, where.descriptor);
    if (format.layout.components == 0) return invalid_format(wave, op);
    if (wave.access) [[unlikely]]
        observe_buffer(wave, where, format.layout.bytes(), true);
    for (std::uint64_t left = wave.exec(); left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        const auto value = get_components<components, packing>(wave.v + op->src[1].reg, lane, format.number);
        if (!write_element(wave, op, where, format, lane, value)) return nullptr;
    }
    return op + 1;
}

// buffer_load_format_x ... lds
const Op* load_to_lds(Wave& wave, const Op* op) {
    const BufferAddress where(wave, op);
    const Format format = format_of(op, where.descriptor);
    if (format.layout.components == 0) return invalid_format(wave, op);
    if (wave.access) [[unlikely]]
        observe_buffer(wave, where, format.layout.bytes(), true);
    for (std::uint64_t left = wave.exec(); left; left &= left - 1) {
        const unsigned lane = first_lane(left);
        std::array<std::uint32_t, 4> value;
        if (!read_element(wave, op, where, format, lane, value)) return nullptr;
        const std::uint64_t at = (wave.s[isa::sreg::m0] & 0xffff) + std::uint64_t{op->sdst} + 4 * lane;
        if (in_lds(wave, at, 4)) put(wave.lds + at, value[0]);
    }
    return op + 1;
}

}  // namespace

Handler lower_buffer_format(const Op& op) {
    if (op.inst->lds) return op.inst->op == isa::Op::buffer_load_format_x ? load_to_lds : nullptr;
    switch (op.inst->op) {
#define FORMAT(kind, suffix, components, packing)   \
    case isa::Op::buffer_##kind##_format_##suffix:  \
    case isa::Op::tbuffer_##kind##_format_##suffix: \
        return kind<components, Packing::packing>;
        FORMAT(load, x, 1, Whole)
        FORMAT(load, xy, 2, Whole)
        FORMAT(load, xyz, 3, Whole)
        FORMAT(load, xyzw, 4, Whole)
        FORMAT(store, x, 1, Whole)
        FORMAT(store, xy, 2, Whole)
        FORMAT(store, xyz, 3, Whole)
        FORMAT(store, xyzw, 4, Whole)
        FORMAT(load, d16_x, 1, Halves)
        FORMAT(load, d16_xy, 2, Halves)
        FORMAT(load, d16_xyz, 3, Halves)
        FORMAT(load, d16_xyzw, 4, Halves)
        FORMAT(store, d16_x, 1, Halves)
        FORMAT(store, d16_xy, 2, Halves)
        FORMAT(store, d16_xyz, 3, Halves)
        FORMAT(store, d16_xyzw, 4, Halves)
#undef FORMAT
        case isa::Op::buffer_load_format_d16_hi_x:
            return load<1, Packing::HighHalf>;
        case isa::Op::buffer_store_format_d16_hi_x:
            return store<1, Packing::HighHalf>;
        default:
            return nullptr;
    }
}

}  // namespace vrocm::sim::memory
