// The architectural state of one wavefront of 64 lanes.
#pragma once

#include <cstdint>
#include <cstring>

#include "isa/inst.h"
#include "sim/wave/fault.h"

namespace vrocm::sim {

inline constexpr unsigned kLanes = 64;

// A vector register: lane-major, contiguous, aligned for the widest host vectors.
struct alignas(64) VReg {
    std::uint32_t lane[kLanes];
};

class AddressSpace;
struct Workgroup;
struct Op;

// MODE register fields (CDNA3 ISA, "MODE register"): FP_ROUND[3:0], FP_DENORM[7:4], DX10_CLAMP[8], IEEE[9].
struct Mode {
    std::uint32_t bits = 0;
    unsigned round_f32() const { return bits & 3; }  // 0 nearest even, 1 +inf, 2 -inf, 3 zero
    unsigned round_f64_f16() const { return bits >> 2 & 3; }
    unsigned denorm_f32() const { return bits >> 4 & 3; }  // 0 flush in+out, 1 flush out, 2 flush in, 3 keep
    unsigned denorm_f64_f16() const { return bits >> 6 & 3; }
    bool dx10_clamp() const { return bits >> 8 & 1; }
    bool ieee() const { return bits >> 9 & 1; }
    // The state every HIP kernel starts in, and the one the fast paths are written for.
    bool f32_default() const { return (bits & 0x33) == 0x30; }
    bool f64_f16_default() const { return (bits & 0xcc) == 0xc0; }
};

enum class WaveState : std::uint8_t { Ready, AtBarrier, Done, Faulted };

// Filled by memory handlers only while an observer is attached (timing, checkers, traces).
struct MemoryAccess {
    std::uint64_t address[kLanes];
    std::uint64_t lanes;  // active lanes
    std::uint8_t bytes;   // per lane
    // Buffers have an end, past which nothing is touched. Vector instructions: which dwords of a lane are inside (the
    // first bit also stands for less than a dword), and how far apart they lie. Scalar ones: how many bytes are.
    std::uint8_t pieces[kLanes];
    std::uint16_t piece_step;
    std::uint8_t inside;
};

struct Wave {
    // Arch VGPR n is v[n]; accumulation VGPR n is v[256 + n].
    VReg* v = nullptr;
    alignas(64) std::uint32_t s[128] = {};  // numbered as isa::sreg; exec and vcc live here
    bool scc = false;
    Mode mode;
    WaveState state = WaveState::Ready;
    const Op* next = nullptr;  // where to resume

    Workgroup* group = nullptr;
    std::uint8_t* lds = nullptr;  // the workgroup's LDS
    std::uint32_t lds_size = 0;
    // This wave's scratch; dword d of lane l at (d * 64 + l) * 4. On gfx90a the base in the private segment
    // buffer descriptor and FLAT_SCRATCH hold this very address; it is in no AddressSpace.
    std::uint8_t* scratch = nullptr;
    std::uint32_t scratch_per_lane = 0;  // bytes
    std::uint32_t index_in_group = 0;
    std::uint64_t wave_id = 0;  // in dispatch order
    std::uint32_t hw_id = 0, xcc_id = 0;
    std::uint64_t instructions = 0;  // executed so far
    // Shader clock when the wave had executed nothing, as if each instruction since had taken so many cycles: the
    // timing model moves it whenever the wave reads the clock.
    std::uint64_t clock = 0;
    static constexpr std::uint64_t kFunctionalCycles = 4;
    std::uint64_t cycles_per_instruction = kFunctionalCycles;
    bool clock_of_host = false;          // nobody keeps time (VROCM_TIMING=off): both counters follow the host's
    std::uint32_t clocks_per_tick = 21;  // of the 100 MHz counter that s_memrealtime reads
    // Tell the scheduler a wave that works from one that only looks at what others do. `wrote`: changed memory that
    // others see, since it was cleared; `polling`: how many more barriers may belong to a loop in which it waits;
    // `looked_at`: instructions when it looked last.
    bool wrote = false;
    std::uint8_t polling = 0;
    std::uint64_t looked_at = 0;
    Fault fault;

    AddressSpace* memory = nullptr;
    MemoryAccess* access = nullptr;  // null unless somebody observes

    std::uint64_t exec() const { return read_s64(isa::sreg::exec_lo); }
    std::uint64_t vcc() const { return read_s64(isa::sreg::vcc_lo); }
    void set_exec(std::uint64_t m) { write_s64(isa::sreg::exec_lo, m); }
    void set_vcc(std::uint64_t m) { write_s64(isa::sreg::vcc_lo, m); }
    std::uint64_t read_s64(unsigned r) const {
        std::uint64_t x;
        std::memcpy(&x, &s[r], 8);
        return x;
    }
    void write_s64(unsigned r, std::uint64_t x) { std::memcpy(&s[r], &x, 8); }

    // EXEC widened to one all-ones/all-zeros dword per lane, for blends. Rebuilt only when EXEC changed.
    const VReg& exec_lanes() {
        if (lanes_for_ != exec()) expand_exec();
        return lanes_;
    }

  private:
    void expand_exec();
    std::uint64_t lanes_for_ = 0;
    VReg lanes_ = {};
};

}  // namespace vrocm::sim
