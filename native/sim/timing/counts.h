// What the units count while a dispatch is simulated. Names of hardware counters are given to these elsewhere.
#pragma once

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

    // LDS
    std::uint64_t lds_active = 0, lds_conflict = 0, lds_address_conflict = 0, lds_atomic_return = 0;

    // Instruction and scalar caches: requests for a line
    std::uint64_t fetches = 0, fetch_hits = 0, fetch_misses = 0;
    std::uint64_t scalar_requests = 0, scalar_hits = 0, scalar_misses = 0;

    // Vector L1
    std::uint64_t l1_lanes_read = 0, l1_lanes_written = 0, l1_lanes_atomic = 0, l1_accesses = 0, l1_tag_lookups = 0;
    std::uint64_t l1_hits = 0, l1_misses = 0;
    std::uint64_t l1_read_requests = 0, l1_write_requests = 0, l1_atomic_requests = 0, l1_atomic_return_requests = 0;
    std::uint64_t l1_read_latency = 0, l1_write_latency = 0;  // of requests to the L2, summed
    std::uint64_t l1_busy = 0;                                // clocks in which a vector memory unit worked
    std::uint64_t translations = 0, translation_misses = 0;

    // L2
    std::uint64_t l2_reads = 0, l2_writes = 0, l2_atomics = 0, l2_hits = 0, l2_misses = 0, l2_evictions = 0;
    std::uint64_t fabric_reads_128 = 0, fabric_reads_64 = 0, fabric_reads_32 = 0;
    std::uint64_t fabric_writes_64 = 0, fabric_writes_32 = 0, fabric_atomics = 0;
    std::uint64_t fabric_read_latency = 0;
    std::uint64_t host_reads = 0, host_writes = 0;  // of the fabric's, to memory of the host
    std::uint64_t l2_writebacks = 0;                // at the end of the kernel

    // Memory side
    std::uint64_t far_hits = 0, far_misses = 0, memory_reads = 0, memory_writes = 0;
};

}  // namespace vrocm::sim::timing
