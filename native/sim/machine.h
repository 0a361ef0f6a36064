// A virtual GPU as the HSA runtime sees it: code goes in, dispatches run, faults come out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "isa/inst.h"
#include "sim/counters/raw_counts.h"
#include "sim/gpu_model.h"
#include "sim/wave/fault.h"

namespace vrocm::sim {

namespace timing {
class Recorder;
}

// Loaded code. `elf` is kept for symbols and line tables; `load_base` is where its vaddr 0 lies.
struct LoadedCode {
    isa::Arch arch;
    std::uint64_t load_base = 0, load_size = 0;
    std::vector<std::uint8_t> elf;
};

// Everything about one launch, taken from the AQL packet and the kernel descriptor.
struct Dispatch {
    std::uint64_t kernel_object = 0;   // address of the 64-byte kernel descriptor
    std::uint64_t packet_address = 0;  // the AQL packet as the kernel may read it (dispatch_ptr)
    std::uint64_t queue_address = 0;   // hsa_queue_t (queue_ptr)
    std::uint64_t kernarg_address = 0;
    std::uint64_t dispatch_id = 0;
    std::uint32_t grid[3] = {1, 1, 1};  // work-items
    std::uint16_t workgroup[3] = {1, 1, 1};
    std::uint32_t private_segment_size = 0, group_segment_size = 0;
    bool counted = false;                  // what hardware counters tell about it is wanted
    std::uint64_t start_time = 0;          // virtual nanoseconds: what the clocks that the kernel reads count from
    timing::Recorder* recorder = nullptr;  // is told every instruction of the waves that it wants; outlives the run
};

// A fault with everything known about where it happened, ready to print.
struct FaultReport {
    Fault fault;
    std::string kernel;       // demangled
    std::string source;       // file:line or empty
    std::string instruction;  // disassembly
    std::uint32_t workgroup[3] = {};
    std::uint32_t thread[3] = {};  // of the first faulting lane
    std::string text() const;      // several lines for people: cause, place, nearest allocation, remedy
};

struct DispatchStats {
    std::uint64_t waves = 0, workgroups = 0, instructions = 0;
    std::uint64_t host_threads = 1;  // that it may use; 1 when the order of its workgroups matters
};

// What the timing model says about a dispatch that has the GPU to itself. Every figure is simulated.
struct DispatchTime {
    // What kernels that run at the same time compete for.
    enum Resource : unsigned { WaveSlots, VectorIssue, LdsBandwidth, L2Bandwidth, MemoryBandwidth, kResources };
    bool modelled = false;               // false: timing is off (VROCM_TIMING=off) and the rest means nothing
    bool sampled = false;                // part of the grid was simulated in detail, the rest follows from its rate
    std::uint64_t cycles = 0;            // shader clocks from the first workgroup's start to the last one's end
    std::uint64_t nanoseconds = 0;       // the same at the GPU's clock, at least 1
    std::uint32_t use[kResources] = {};  // average share of the whole GPU's while it runs, in thousandths
};

// One dispatch being executed. Resumable, so that kernels of other queues can make progress while
// this one waits for them.
class DispatchRun {
  public:
    enum class Status { Running, Done, Faulted };
    virtual ~DispatchRun() = default;
    // Runs about `instructions` wave-instructions on up to VROCM_THREADS host threads, then returns.
    virtual Status step(std::uint64_t instructions) = 0;
    virtual const FaultReport& fault() const = 0;
    virtual DispatchStats stats() const = 0;
    virtual DispatchTime time() const = 0;  // once it is Done
    // Once it is Done, of a dispatch that is counted.
    virtual std::vector<counters::RawCount> counts() const = 0;
};

class Machine {
  public:
    static std::unique_ptr<Machine> create(const GpuModel& model);
    virtual ~Machine() = default;
    virtual void load(std::shared_ptr<const LoadedCode> code) = 0;
    virtual void unload(std::uint64_t load_base) = 0;
    virtual std::unique_ptr<DispatchRun> begin(const Dispatch& dispatch) = 0;
    // The runtime wrote so many bytes of the GPU's memory by way of its caches, between dispatches.
    virtual void written_through_caches(std::uint64_t bytes) = 0;
};

}  // namespace vrocm::sim
