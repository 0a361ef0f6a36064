// Two waves of a workgroup that touch the same byte of LDS, at least one of them writing, with no barrier and no atomic
// operation between them. Lanes of one wave run in step and are in order.
#include <vector>

#include "sim/checkers/checker.h"
#include "sim/checkers/group_states.h"
#include "sim/checkers/wave_clocks.h"

namespace vrocm::sim::checkers {

namespace {

using observe::Access;
using observe::Kind;

struct ByteTouch {
    const Op* op = nullptr;  // null: never
    std::uint32_t time = 0;
    std::uint8_t wave = 0, lane = 0;
    std::uint8_t value = 0;  // what the byte holds afterwards
};

// The last touches of a byte. Of readers two of different waves: one of them is not the wave that writes.
struct Byte {
    ByteTouch write, atomic, read, earlier_read;
    std::uint32_t generation = 0;
};

struct Lds {
    std::vector<Byte> bytes;
    WaveClocks clocks;
    std::uint32_t generation = 0;
    void begin(const Workgroup&) {
        clocks.begin();
        ++generation;
    }
    Byte& at(std::uint64_t offset) {
        Byte& byte = bytes[offset];
        if (byte.generation != generation) byte = Byte{.generation = generation};
        return byte;
    }
};

class LdsRaceChecker final : public Checker {
  public:
    LdsRaceChecker(FindingTable& findings, std::uint32_t size) : findings_(findings), size_(size) {}

    void access(const Access& access) override {
        if (access.space != observe::Space::Lds) return;
        const Workgroup& group = *access.wave.group;
        if (group.wave_count < 2) return;
        Lds& lds = states_.of(group);
        lds.bytes.resize(size_);
        const unsigned wave = access.wave.index_in_group;
        if (access.kind == Kind::Atomic)
            lanes_where(access, [&](std::uint64_t at) {
                lds.clocks.synchronise(wave, at);
                return false;
            });
        for (std::uint64_t left = access.lanes; left; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            const std::uint64_t at = access.address[lane];
            if (at + access.bytes > size_) continue;
            bool raced = false;
            for (std::uint64_t i = at; i < at + access.bytes; ++i) raced |= touch(lds, access, lane, i, raced);
        }
        if (access.kind == Kind::Atomic) lds.clocks.step(wave);
    }
    void barrier(const Workgroup& group) override {
        if (group.wave_count > 1) states_.of(group).clocks.barrier(group.wave_count);
    }
    void group_ended(const Workgroup& group) override { states_.end(group); }

  private:
    // True when it is a race; `known`: a byte of the same lane was one already.
    bool touch(Lds& lds, const Access& access, unsigned lane, std::uint64_t at, bool known) {
        Byte& byte = lds.at(at);
        const unsigned wave = access.wave.index_in_group;
        const std::uint8_t value = access.wave.lds[at];
        const auto conflicts = [&](const ByteTouch& other) {
            return other.op && !lds.clocks.knows(wave, other.wave, other.time);
        };
        const ByteTouch* other = nullptr;
        Kind other_kind = Kind::Read;
        const auto look = [&](const ByteTouch& touch, Kind kind) {
            if (other || !conflicts(touch)) return;
            other = &touch;
            other_kind = kind;
        };
        // Writing what is there already harms nobody.
        if (access.kind != Kind::Write || byte.write.value != value) look(byte.write, Kind::Write);
        if (access.kind != Kind::Atomic) look(byte.atomic, Kind::Atomic);
        if (access.kind != Kind::Read) {
            look(byte.read, Kind::Read);
            look(byte.earlier_read, Kind::Read);
        }
        if (other && !known) report(access, lane, *other, other_kind);
        const bool raced = other != nullptr;
        const ByteTouch mine{&access.op, lds.clocks.now(wave), static_cast<std::uint8_t>(wave),
                             static_cast<std::uint8_t>(lane), value};
        if (access.kind == Kind::Write) {
            byte.write = mine;
        } else if (access.kind == Kind::Atomic) {
            byte.atomic = mine;
        } else {
            if (byte.read.op && byte.read.wave != wave) byte.earlier_read = byte.read;
            byte.read = mine;
        }
        return raced;
    }

    void report(const Access& access, unsigned lane, const ByteTouch& other, Kind other_kind) {
        add_lanes(findings_, Class::RaceLds, access, std::uint64_t{1} << lane, [&](Finding& finding) {
            const Wave& wave = access.wave.group->waves[other.wave];
            finding.other = place_of(wave, other.op->pc, std::uint64_t{1} << other.lane);
            finding.other_kind = other_kind;
            finding.explanation =
                "two waves of the workgroup touch the same bytes of LDS, and no barrier or atomic "
                "operation says which of them comes first";
        });
    }

    FindingTable& findings_;
    std::uint32_t size_;
    GroupStates<Lds> states_;
};

}  // namespace

std::unique_ptr<Checker> check_lds_races(FindingTable& findings, const CheckedDispatch& dispatch) {
    return std::make_unique<LdsRaceChecker>(findings, dispatch.lds_bytes);
}

}  // namespace vrocm::sim::checkers
