// What the timing model needs to know about a GPU beyond its topology. All times are shader clocks. Values and their
// sources: src/vrocm/data/gpus.
#pragma once

#include <cstdint>

#include "sim/gpu_model.h"

namespace vrocm::sim::timing {

using Cycle = std::uint64_t;

// Rates that are not whole numbers of clocks are kept in 1/256 of a clock.
inline constexpr std::uint32_t kOne = 256;

struct CacheShape {
    std::uint32_t bytes, line, ways;
};

struct Parameters {
    // --- instruction issue ---
    std::uint32_t issue;         // between two instructions of one wave; a vector instruction of 64 lanes takes as long
    std::uint32_t quarter_rate;  // a transcendental or 32-bit integer multiplication of 64 lanes
    std::uint32_t branch_taken;  // from a taken branch to the next instruction of the wave
    std::uint32_t branch_not_taken;
    std::uint32_t
        scalar_after_vector;      // from a vector instruction that writes an SGPR to a scalar one that may read it
    std::uint32_t barrier;        // from the last arrival to the next instruction
    std::uint32_t matrix_result;  // from the last pass of an MFMA to a use other than accumulation

    // --- instruction fetch and scalar memory, one cache each for a pair of compute units ---
    CacheShape instruction_cache, scalar_cache;
    std::uint32_t fetch_miss;   // beyond the L2's latency
    std::uint32_t scalar_hit;   // from issue to use
    std::uint32_t scalar_miss;  // added to the L2's latency

    // --- LDS ---
    std::uint32_t lds_latency;        // from the start of an access to use, without the cycles that it occupies the LDS
    std::uint32_t lds_conflict;       // 1/256 clocks for each further dword of a bank that an access of one dword meets
    std::uint32_t lds_conflict_wide;  // the same for accesses of several dwords

    // --- vector memory ---
    CacheShape l1;
    std::uint32_t l1_latency;          // hit, from issue to use
    std::uint32_t l1_bytes_per_clock;  // from the cache to the registers
    std::uint32_t l1_request;          // 1/256 clocks of the port to the L2 for a line next to the last one
    std::uint32_t l1_request_apart;    // the same for a line that is not
    std::uint32_t l1_misses;           // lines that may be on their way to one compute unit
    std::uint32_t l1_stores;           // lines of stores that may be on their way from one compute unit
    std::uint32_t store_latency;       // from issue to the acknowledgement, an L2 that takes it at once

    // --- L2, one per XCD ---
    CacheShape l2;
    std::uint32_t l2_channels, l2_interleave;
    std::uint32_t l2_latency;  // hit, from issue to use
    std::uint32_t l2_read;     // 1/256 clocks of a channel for a line
    std::uint32_t l2_write;    // the same for 64 bytes
    std::uint32_t l2_atomic;   // the same for a lane's read-modify-write on a dword another lane uses too

    // --- address translation ---
    std::uint32_t unit_tlb_entries;  // of the first level, per compute unit; 0: none
    std::uint32_t unit_tlb_miss;     // from a miss there to the answer of the last level
    std::uint32_t tlb_entries;       // of the last level, per XCD
    std::uint64_t tlb_page;          // bytes that one entry covers
    std::uint32_t tlb_walk;          // latency of a miss
    std::uint32_t tlb_walk_rate;     // 1/256 clocks between two walks

    // --- fabric, Infinity Cache, memory ---
    std::uint32_t write_buffer;               // clocks of writes that may queue before what causes them waits
    std::uint32_t fabric_read, fabric_write;  // 1/256 clocks of one L2 channel's port for 64 bytes
    std::uint32_t far_latency;     // hit in the Infinity Cache (or memory, where there is none), from issue to use
    CacheShape infinity_cache;     // bytes 0: none
    std::uint32_t memory_latency;  // from issue to use
    std::uint32_t memory_channels, memory_interleave;
    std::uint32_t memory_read, memory_write;  // 1/256 clocks of a channel for a line
    std::uint32_t memory_turnaround;          // 1/256 clocks when a channel changes between reads and writes
    std::uint32_t host_latency;               // memory of the host, from issue to use
    std::uint32_t host_line;                  // 1/256 clocks of the link to the host for a line

    // --- dispatch ---
    std::uint32_t group_launch;  // from the dispatcher's choice to the first instruction of a workgroup
    std::uint32_t wave_launch;   // 1/256 clocks of a shader engine's launcher for a wave
    std::uint32_t kernel_start;  // before the first workgroup: caches invalidated, registers of the dispatch loaded
    std::uint32_t kernel_end;    // after the last wave: write-back completes, end of kernel signalled
};

const Parameters& parameters(const GpuModel& gpu);

}  // namespace vrocm::sim::timing
