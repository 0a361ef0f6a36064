// What the units count while a dispatch is simulated. Names of hardware counters are given to these elsewhere.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace vrocm::sim::timing {

// Classes of instructions as the hardware's sequencer tells them apart.
enum class Class : std::uint8_t {
    Valu,
    Matrix,
    Salu,
    Smem,
    VmemRead,
    VmemWrite,
    VmemAtomic,
    FlatRead,  // flat_*, which may be LDS or global; global_* and scratch_* are Vmem*
    FlatWrite,
    FlatAtomic,
    Lds,
    Gds,
    Branch,
    Message,
    Internal,  // s_nop, s_waitcnt, s_sleep, s_barrier, s_setprio: handled by the sequencer itself
    Count_,
};
inline constexpr unsigned kClasses = static_cast<unsigned>(Class::Count_);

// Of one vector L1, or of all.
struct L1Counts {
    std::uint64_t hits = 0, misses = 0, tag_lookups = 0, read_requests = 0;
    std::uint64_t read_latency = 0, write_latency = 0;  // of requests to the L2, summed
    std::uint64_t busy = 0;                             // clocks in which the unit worked
    std::uint64_t stalled = 0;                          // clocks in which an instruction waited for it
    void add(const L1Counts& other) {
        hits += other.hits;
        misses += other.misses;
        tag_lookups += other.tag_lookups;
        read_requests += other.read_requests;
        read_latency += other.read_latency;
        write_latency += other.write_latency;
        busy += other.busy;
        stalled += other.stalled;
    }
};

// Of one channel of an L2, or of all.
struct L2Counts {
    std::uint64_t reads = 0, writes = 0, atomics = 0;
    std::uint64_t hits = 0, misses = 0, write_hits = 0, write_misses = 0;  // of reads and atomics; of writes
    std::uint64_t evictions = 0, writebacks = 0;  // lines written to make room, and at the end of the kernel
    std::uint64_t fabric_reads_128 = 0, fabric_reads_64 = 0, fabric_writes_64 = 0;
    std::uint64_t fabric_read_latency = 0;
    void add(const L2Counts& other) {
        reads += other.reads;
        writes += other.writes;
        atomics += other.atomics;
        hits += other.hits;
        misses += other.misses;
        write_hits += other.write_hits;
        write_misses += other.write_misses;
        evictions += other.evictions;
        writebacks += other.writebacks;
        fabric_reads_128 += other.fabric_reads_128;
        fabric_reads_64 += other.fabric_reads_64;
        fabric_writes_64 += other.fabric_writes_64;
        fabric_read_latency += other.fabric_read_latency;
    }
};

struct Counts {
    // Sequencer. Cycles of waves are sums over waves.
    std::uint64_t waves = 0, workgroups = 0, instructions = 0;
    std::uint64_t by_class[kClasses] = {};
    std::uint64_t active_lanes_valu = 0;        // sum of active lanes over vector ALU instructions
    std::uint64_t wave_cycles = 0;              // residence
    std::uint64_t wait_cycles = 0;              // not able to issue: waiting for anything
    std::uint64_t wait_dependency_cycles = 0;   // s_waitcnt, barrier, result not ready
    std::uint64_t wait_unit_cycles = 0;         // ready, but its unit was busy
    std::uint64_t wait_lds_cycles = 0;          // of those: for the LDS
    std::uint64_t issue_cycles[kClasses] = {};  // issuing, by class
    std::uint64_t latency_vmem = 0, latency_lds = 0, latency_smem = 0;  // in flight, summed: SQ_INST_LEVEL_*
    std::uint64_t valu_busy = 0, matrix_busy = 0, salu_busy = 0;        // of the units, summed over SIMDs
    std::uint64_t barriers = 0;
    // Clocks with a wave: of compute units and of shader engines, each summed, and of the whole GPU.
    std::uint64_t units_busy = 0, engines_busy = 0, busy_cycles = 0;

    // LDS
    std::uint64_t lds_active = 0, lds_conflict = 0, lds_address_conflict = 0, lds_atomic_return = 0;

    // Instruction and scalar caches: requests for a line, and those for one that was on its way
    std::uint64_t fetches = 0, fetch_hits = 0, fetch_misses = 0, fetch_duplicates = 0;
    std::uint64_t fetch_requests = 0;  // to the L2, of 64 bytes
    std::uint64_t scalar_requests = 0, scalar_hits = 0, scalar_misses = 0, scalar_duplicates = 0;

    L1Counts l1;
    L2Counts l2;
    std::uint64_t translations = 0, translation_misses = 0;
    std::uint64_t host_reads = 0, host_writes = 0;  // lines of the fabric's, to memory of the host

    // Memory side
    std::uint64_t far_hits = 0, far_misses = 0, memory_reads = 0, memory_writes = 0;

    // What was counted since an earlier time; and both together.
    Counts since(const Counts& earlier) const {
        return each(earlier, [](std::uint64_t a, std::uint64_t b) { return a - b; });
    }
    Counts and_also(const Counts& other) const {
        return each(other, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    }

  private:
    template <typename F>
    Counts each(const Counts& other, F f) const {
        using Numbers = std::array<std::uint64_t, sizeof(Counts) / sizeof(std::uint64_t)>;
        auto numbers = std::bit_cast<Numbers>(*this);
        const auto others = std::bit_cast<Numbers>(other);
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = f(numbers[i], others[i]);
        return std::bit_cast<Counts>(numbers);
    }
};

}  // namespace vrocm::sim::timing
