// Where the lanes of a MUBUF or MTBUF instruction access memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/code/op.h"
#include "sim/exec/buffer/descriptor.h"
#include "sim/exec/memory/access.h"

namespace vrocm::sim::memory {

// Buffers may also describe the wave's own scratch, which is in no address space.
inline std::uint8_t* buffer_reach(Wave& wave, std::uint64_t address, std::uint64_t bytes, bool write) {
    const std::uint64_t into = address - reinterpret_cast<std::uint64_t>(wave.scratch);
    const std::uint64_t size = std::uint64_t{wave.scratch_per_lane} * kLanes;
    if (into <= size && bytes <= size - into) return host(address);
    return reach(wave, address, bytes, write);
}

// The operands of the instruction as one lane sees them. Lowering leaves the immediate offset in sdst.
class BufferAddress {
  public:
    BufferAddress(const Wave& wave, const Op* op)
        : descriptor(wave.s + op->src[2].reg),
          scalar(read_scalar32(wave, op->src[3])),
          start(descriptor.base + scalar),
          immediate(op->sdst),
          index_(op->inst->idxen ? &wave.v[op->src[0].reg] : nullptr),
          offset_(op->inst->offen ? &wave.v[op->src[0].reg + (op->inst->idxen ? 1 : 0)] : nullptr) {}

    const BufferDescriptor descriptor;
    const std::uint32_t scalar;
    const std::uint64_t start;  // base and scalar offset
    const std::uint32_t immediate;

    std::uint64_t index(unsigned lane) const {
        return (index_ ? std::uint64_t{index_->lane[lane]} : 0) + (descriptor.adds_lane ? lane : 0);
    }
    std::uint64_t offset(unsigned lane) const { return (offset_ ? std::uint64_t{offset_->lane[lane]} : 0) + immediate; }
    const VReg* offsets() const { return offset_; }

    // Whether bytes [offset, offset + bytes) of the lane's record are inside the buffer (CDNA3 ISA, "Range Checking").
    // Structured buffers, which have an index and a stride: the length counts records, offsets do not matter. Scratch
    // has no range. Raw ones: the length counts bytes, and the scalar offset takes from it; CDNA3's text is silent on
    // that, but GCN3's has it, and AMD's GEMM kernels end their last tiles by it.
    bool inside(std::uint64_t index, std::uint64_t offset, unsigned bytes) const {
        if (index_ && descriptor.stride) return index < descriptor.records;
        if (descriptor.adds_lane && !index_) return true;
        return scalar + offset + bytes <= descriptor.records;
    }
    std::uint64_t address(std::uint64_t index, std::uint64_t offset) const {
        return start + descriptor.place(index, offset);
    }
    // No index, no swizzle: the address is start plus the lane's offset.
    bool is_plain() const { return !index_ && !descriptor.swizzled && !descriptor.adds_lane; }

    // The descriptor of the wave's scratch: 64 lanes interleaved by dwords, as flat/private.h has them. Gives
    // what to add to an offset to make it one into the lane's private memory.
    bool is_scratch(const Wave& wave, std::uint64_t& private_base) const {
        const std::uint64_t into = start - reinterpret_cast<std::uint64_t>(wave.scratch);
        private_base = into / kLanes;
        return descriptor.swizzled && descriptor.adds_lane && descriptor.index_stride == kLanes && !index_ &&
               into < std::uint64_t{wave.scratch_per_lane} * kLanes && into % (4 * kLanes) == 0;
    }

  private:
    const VReg* index_;
    const VReg* offset_;
};

// `as_one`: an element that is inside or outside as a whole; otherwise each dword is on its own.
[[gnu::noinline]] inline void observe_buffer(Wave& wave, const BufferAddress& where, unsigned bytes,
                                             bool as_one = false) {
    std::uint64_t address[kLanes];
    const unsigned piece = as_one ? bytes : std::min(bytes, 4u);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        const std::uint64_t index = where.index(lane), offset = where.offset(lane);
        address[lane] = where.address(index, offset);
        unsigned inside = 0;
        for (unsigned at = 0; at < bytes; at += piece)
            inside |= static_cast<unsigned>(where.inside(index, offset + at, piece)) << at / 4;
        wave.access->pieces[lane] = static_cast<std::uint8_t>(as_one && inside ? 0xff : inside);
    }
    const BufferDescriptor& descriptor = where.descriptor;
    wave.access->piece_step =
        static_cast<std::uint16_t>(descriptor.swizzled && !as_one ? 4 * descriptor.index_stride : 4);
    record(wave, address, wave.exec(), bytes);
}

// One lane, dword by dword: each is inside or outside on its own. False after raising a fault.
template <unsigned bytes>
inline bool read_lane(Wave& wave, const Op* op, const BufferAddress& where, unsigned lane, std::uint8_t* out) {
    constexpr unsigned piece = bytes < 4 ? bytes : 4;
    const std::uint64_t index = where.index(lane), offset = where.offset(lane);
    std::memset(out, 0, bytes);
    for (unsigned i = 0; i < bytes; i += piece) {
        if (!where.inside(index, offset + i, piece)) continue;
        const std::uint64_t address = where.address(index, offset + i);
        const std::uint8_t* place = buffer_reach(wave, address, piece, false);
        if (!place) return violation(wave, op, address, piece, false, lane);
        std::memcpy(out + i, place, piece);
    }
    return true;
}
template <unsigned bytes>
inline bool write_lane(Wave& wave, const Op* op, const BufferAddress& where, unsigned lane, const std::uint8_t* in) {
    constexpr unsigned piece = bytes < 4 ? bytes : 4;
    const std::uint64_t index = where.index(lane), offset = where.offset(lane);
    for (unsigned i = 0; i < bytes; i += piece) {
        if (!where.inside(index, offset + i, piece)) continue;
        const std::uint64_t address = where.address(index, offset + i);
        std::uint8_t* place = buffer_reach(wave, address, piece, true);
        if (!place) return violation(wave, op, address, piece, true, lane);
        std::memcpy(place, in + i, piece);
    }
    return true;
}

// Pieces of lower_buffer, one per file; each gives null for instructions that are not its own.
Handler lower_buffer_move(const Op& op);  // loads and stores of bytes as they are, through LDS too
Handler lower_buffer_atomic(const Op& op);
Handler lower_buffer_format(const Op& op);  // *_format_*: with conversion

}  // namespace vrocm::sim::memory
