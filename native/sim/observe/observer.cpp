#include "sim/observe/observer.h"

#include <bit>

#include "isa/flags.h"

namespace vrocm::sim::observe {

namespace {

namespace flag = isa::flag;
using isa::Format;

constexpr std::uint64_t kLdsWrap = 0xffff'ffff;  // DS addresses have 32 bits

Kind kind_of(const Op& op) {
    const std::uint64_t flags = isa::info(op.inst->op).flags;
    if (flags & flag::Atomic) return Kind::Atomic;
    return flags & flag::Store ? Kind::Write : Kind::Read;
}

template <typename F>
void for_each_lane(std::uint64_t lanes, F&& f) {
    for (; lanes; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
}

// From the first place to the second that one lane touches (ds_read2_b32 and its kin).
std::uint64_t between_places(const isa::Inst& inst, unsigned bytes_each) {
    const bool far = isa::info(inst.op).mnemonic.find("st64") != std::string_view::npos;
    return static_cast<std::uint64_t>(std::int64_t{inst.offset1 - (inst.offset & 0xff)} * bytes_each * (far ? 64 : 1));
}

// A byte of the wave's interleaved scratch, as an offset into the private memory of its lane.
std::uint64_t private_offset(std::uint64_t into_scratch) {
    return into_scratch / (4 * kLanes) * 4 + into_scratch % 4;
}

}  // namespace

Watchers::Watchers(const Observers& observers) {
    for (const auto& observer : observers) all_.push_back(observer->watcher());
    for (const auto& watcher : all_)
        if (watcher->wants_instructions()) curious_.push_back(watcher.get());
}

void Watchers::barrier(const Workgroup& group) {
    for (const auto& watcher : all_) watcher->barrier(group);
}

void Watchers::instruction(const Wave& wave, const Op& op) {
    for (Watcher* watcher : curious_) watcher->instruction(wave, op);
}

void Watchers::group_started(const Workgroup& group) {
    for (const auto& watcher : all_) watcher->group_started(group);
}

void Watchers::group_ended(const Workgroup& group) {
    for (const auto& watcher : all_) watcher->group_ended(group);
}

void Watchers::tell(const Access& access) {
    if (!access.lanes || !access.bytes) return;
    for (const auto& watcher : all_) watcher->access(access);
}

void Watchers::memory(const Wave& wave, const Op& op, const MemoryAccess& recorded) {
    const isa::Inst& inst = *op.inst;
    Access access{.wave = wave,
                  .op = op,
                  .kind = kind_of(op),
                  .completed = wave.state != WaveState::Faulted,
                  .lanes = recorded.lanes,
                  .bytes = recorded.bytes,
                  .address = recorded.address};
    switch (inst.format) {
        case Format::SMEM:
            access.scalar = true;
            access.bytes = recorded.inside;
            tell(access);
            return;
        case Format::DS:
            access.space = Space::Lds;
            if (isa::info(inst.op).flags & flag::TwoOffsets) {
                access.bytes /= 2;
                tell(access);
                const std::uint64_t apart = between_places(inst, access.bytes);
                std::uint64_t second[kLanes];
                for (unsigned lane = 0; lane < kLanes; ++lane)
                    second[lane] = (recorded.address[lane] + apart) & kLdsWrap;
                access.address = second;
                tell(access);
                return;
            }
            tell(access);
            return;
        case Format::SCRATCH: {
            std::uint64_t offset[kLanes];
            for (unsigned lane = 0; lane < kLanes; ++lane) offset[lane] = recorded.address[lane] - kPrivateAperture;
            access.space = Space::Scratch;
            access.address = offset;
            tell(access);
            break;
        }
        case Format::FLAT:
            tell_flat(access, recorded);
            break;
        case Format::MUBUF:
        case Format::MTBUF:
            tell_buffer(access, recorded);
            break;
        default:
            tell(access);
            break;
    }
    if (!inst.lds) return;
    // One dword of each lane moves between memory and LDS, without a register.
    const bool buffer = inst.format == Format::MUBUF || inst.format == Format::MTBUF;
    const std::uint64_t start = (wave.s[isa::sreg::m0] & 0xffff) + (buffer ? op.sdst : op.src[3].imm);
    std::uint64_t place[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) place[lane] = start + 4 * lane;
    access.space = Space::Lds;
    access.kind = access.kind == Kind::Write ? Kind::Read : Kind::Write;
    access.bytes = 4;
    access.address = place;
    tell(access);
}

// Two windows of the flat address space are LDS and scratch.
void Watchers::tell_flat(Access access, const MemoryAccess& recorded) {
    std::uint64_t lanes[3] = {}, offset[kLanes];
    for_each_lane(recorded.lanes, [&](unsigned lane) {
        const std::uint64_t at = recorded.address[lane], bit = std::uint64_t{1} << lane;
        if (at - kSharedAperture < kApertureSize) {
            lanes[static_cast<unsigned>(Space::Lds)] |= bit;
            offset[lane] = at - kSharedAperture;
        } else if (at - kPrivateAperture < kApertureSize) {
            lanes[static_cast<unsigned>(Space::Scratch)] |= bit;
            offset[lane] = at - kPrivateAperture;
        } else {
            lanes[static_cast<unsigned>(Space::Global)] |= bit;
        }
    });
    for (const Space space : {Space::Global, Space::Lds, Space::Scratch}) {
        access.space = space;
        access.lanes = lanes[static_cast<unsigned>(space)];
        access.address = space == Space::Global ? recorded.address : offset;
        tell(access);
    }
}

// Lanes that are in the buffer as a whole together, the others piece by piece.
void Watchers::tell_buffer(Access access, const MemoryAccess& recorded) {
    const unsigned pieces = (recorded.bytes + 3u) / 4, all = (1u << pieces) - 1;
    const std::uint64_t scratch = reinterpret_cast<std::uint64_t>(access.wave.scratch);
    const std::uint64_t scratch_bytes = std::uint64_t{access.wave.scratch_per_lane} * kLanes;
    std::uint64_t whole = 0, own = 0, offset[kLanes];
    for_each_lane(recorded.lanes, [&](unsigned lane) {
        const std::uint64_t into = recorded.address[lane] - scratch, bit = std::uint64_t{1} << lane;
        if (into < scratch_bytes) {
            own |= bit;
            offset[lane] = private_offset(into);
        } else if ((recorded.pieces[lane] & all) == all && recorded.piece_step == 4) {
            whole |= bit;
        }
    });
    const std::uint64_t rest = access.lanes & ~(whole | own);
    access.lanes = whole;
    tell(access);
    std::uint64_t at[kLanes];
    access.address = at;
    access.bytes = std::min<unsigned>(recorded.bytes, 4);
    for (unsigned piece = 0; rest && piece < pieces; ++piece) {
        access.lanes = 0;
        for_each_lane(rest, [&](unsigned lane) {
            if (!(recorded.pieces[lane] >> piece & 1)) return;
            access.lanes |= std::uint64_t{1} << lane;
            at[lane] = recorded.address[lane] + std::uint64_t{piece} * recorded.piece_step;
        });
        tell(access);
    }
    access.space = Space::Scratch;
    access.lanes = own;
    access.bytes = recorded.bytes;
    access.address = offset;
    tell(access);
}

}  // namespace vrocm::sim::observe
