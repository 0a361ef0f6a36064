#include "sim/timing/parameters.h"

namespace vrocm::sim::timing {

namespace {

constexpr std::uint32_t kKiB = 1u << 10, kMiB = 1u << 20;

// Sources. [ISA] AMD CDNA3 ISA reference. [WP] AMD CDNA3 white paper. [mt4g] caps-tum/mt4g results for MI300X and
// MI210. [A], [C]: published MI300X pointer chases (112 to 119 clocks L1, 206 to 224 L2, 430 to 511 Infinity Cache, 855
// to 869 HBM). [LLVM] AMDGPU usage and scheduling models. [csv] fitted on kernel times of an MI300A (validation/).
// Latencies are from issue to use without the s_waitcnt and the address arithmetic of a chase (8 clocks).
constexpr Parameters kMi300x = {
    .issue = 4,          // [ISA] 64 lanes on 16
    .quarter_rate = 16,  // [ISA]
    .branch_taken = 16,  // fitted
    .branch_not_taken = 8,
    .scalar_after_vector = 12,                 // fitted
    .barrier = 8,                              // fitted
    .matrix_result = 8,                        // [LLVM] two wait states after the last pass
    .instruction_cache = {64 * kKiB, 128, 8},  // [WP] 64 KB for two compute units
    .scalar_cache = {16 * kKiB, 64, 4},        // [mt4g]
    .fetch_miss = 20,                          // fitted
    .scalar_hit = 40,                          // [mt4g] 48
    .scalar_miss = 0,                          // fitted; [mt4g] miss penalty 124
    .lds_latency = 42,                         // [mt4g] 51
    .lds_conflict = 640,                       // fitted
    .lds_conflict_wide = kOne,                 // assumed
    .l1 = {32 * kKiB, 128, 4},                 // [WP], [mt4g]
    .l1_latency = 108,                         // [A], [mt4g], [C]
    .l1_bytes_per_clock = 64,                  // measured 39 TB/s on 304 units
    .l1_request = kOne,                        // fitted
    .l1_request_apart = 3 * kOne,              // fitted
    .l1_misses = 512,
    .l1_stores = 64,            // assumed
    .store_latency = 345,       // fitted
    .l2 = {4 * kMiB, 128, 16},  // [WP]
    .l2_channels = 16,
    .l2_interleave = 256,
    .l2_latency = 276,       // [A], [C], [mt4g] 206 to 288
    .l2_read = 400,          // [mt4g] 14.4 TiB/s to published 28 TB/s
    .l2_write = 300,         // [mt4g] 6.6 TiB/s
    .l2_atomic = kOne,       // assumed: one lane a clock on one dword
    .unit_tlb_entries = 32,  // fitted on [A]: 450 clocks up to 58 MB, 464 at 78 MB
    .unit_tlb_miss = 120,    // fitted on [A]: 511 clocks at 184 MB, where two of three miss
    .tlb_entries = 1024,     // assumed: [A] shows no page walks from 480 MB on
    .tlb_page = 2 * kMiB,
    .tlb_walk = 600,            // fitted
    .tlb_walk_rate = 5 * kOne,  // fitted
    .write_buffer = 256,        // assumed
    .fabric_read = 760,         // [mt4g] 5.4 TiB/s from the Infinity Cache
    .fabric_write = 806,        // [mt4g] 5.1 TiB/s
    .far_latency = 430,         // [A]
    .infinity_cache = {256 * kMiB, 128, 16},
    .memory_latency = 750,   // fitted: with a miss of the first TLB [A] 855 to 869, [mt4g] 876
    .memory_channels = 128,  // [WP] 8 stacks of 16
    .memory_interleave = 256,
    .memory_read = 2260,                         // [mt4g] 3.7 TiB/s
    .memory_write = 2080,                        // fitted: streams of 4.1 to 4.5 TB/s are published
    .memory_turnaround = 1240,                   // fitted: 1:1 streams reach 3.0 TB/s
    .host_latency = 2500,                        // assumed: PCIe round trip of 1.2 us
    .host_line = 128 * 2100 / 55 * kOne / 1000,  // assumed: 55 GB/s of a PCIe 5 x16 link
    .group_launch = 60,                          // fitted
    .wave_launch = 6 * kOne,                     // fitted
    .kernel_start = 1400,                        // fitted
    .kernel_end = 1900,                          // fitted
};

constexpr Parameters mi325x() {
    Parameters p = kMi300x;
    // 6.0 TB/s against 5.3 (AMD data sheets), at the same efficiency.
    p.memory_read = p.memory_read * 53 / 60;
    p.memory_write = p.memory_write * 53 / 60;
    p.memory_turnaround = p.memory_turnaround * 53 / 60;
    return p;
}

constexpr Parameters mi300a() {
    Parameters p = kMi300x;
    p.tlb_entries = 512;   // [csv] transposes of 2 x 256 MB are fast, of 2 x 604 MB are not
    p.fabric_read = 710;   // [csv]
    p.fabric_write = 903;  // [csv]
    // [csv] Streams of more than the Infinity Cache: 3.0 TB/s with as many writes as reads.
    p.memory_read = 2600;
    p.memory_write = 2250;
    p.memory_turnaround = 1450;
    // Memory of the host is the same memory.
    p.host_latency = p.memory_latency;
    p.host_line = 0;
    return p;
}

// One die of an MI250X: [CDNA2] AMD CDNA2 white paper; [mt4g] MI210, which has the same die.
constexpr Parameters mi250x() {
    Parameters p = kMi300x;
    p.instruction_cache = {32 * kKiB, 64, 4};  // [CDNA2]
    p.lds_latency = 40;                        // [mt4g] 50
    p.l1 = {16 * kKiB, 64, 4};                 // [mt4g]
    p.l1_latency = 116;                        // [mt4g] 124
    p.l2 = {8 * kMiB, 128, 16};
    p.l2_channels = 32;
    p.l2_latency = 284;      // [mt4g] 292
    p.l2_read = 540;         // [mt4g] 4.0 TiB/s
    p.l2_write = 460;        // [mt4g] 2.4 TiB/s
    p.unit_tlb_entries = 0;  // nothing published
    p.tlb_entries = 512;     // assumed
    p.infinity_cache = {0, 128, 16};
    p.fabric_read = kOne;  // 64 bytes a clock and channel: the memory is the limit
    p.fabric_write = kOne;
    p.memory_latency = 690;  // [mt4g] 684 to 741
    p.far_latency = 690;
    p.memory_channels = 32;
    p.memory_read = 1530;       // [mt4g] 1.09 TiB/s
    p.memory_write = 1720;      // [mt4g] 0.97 TiB/s
    p.memory_turnaround = 256;  // assumed
    p.host_latency = 2000;
    p.host_line = 128 * 1700 / 25 * kOne / 1000;  // assumed: 25 GB/s of a PCIe 4 x16 link
    return p;
}

constexpr Parameters kMi325x = mi325x(), kMi300a = mi300a(), kMi250x = mi250x();

}  // namespace

const Parameters& parameters(const GpuModel& gpu) {
    if (gpu.key == "MI325X") return kMi325x;
    if (gpu.key == "MI300A") return kMi300a;
    if (gpu.key == "MI250X") return kMi250x;
    return kMi300x;
}

}  // namespace vrocm::sim::timing
