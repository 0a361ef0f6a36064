// Loaded code, decoded and lowered on first use.
//
// A region is one loaded code object. Instructions are decoded in runs: from an address straight on to an
// unconditional transfer, with branch targets as further runs. The Ops of a run lie next to each other, so
// "the next instruction" is op + 1; where a run flows into one decoded earlier, a connecting Op leads there.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "sim/code/op.h"
#include "sim/machine.h"

namespace vrocm::sim {

// Constants in every lane of a register pair, shared by all instructions of a region that use them.
class ConstantPool {
  public:
    const VReg* splat(std::uint64_t value);

  private:
    struct Pair {
        VReg half[2];
    };
    std::deque<Pair> pairs_;
    std::unordered_map<std::uint64_t, const Pair*> known_;
};

class CodeRegion {
  public:
    explicit CodeRegion(std::shared_ptr<const LoadedCode> code);
    ~CodeRegion();
    CodeRegion(const CodeRegion&) = delete;
    CodeRegion& operator=(const CodeRegion&) = delete;

    // The instruction at an address; null when the address is not an instruction slot of this region.
    // Safe from any thread; takes a lock only the first time an address is seen.
    const Op* at(std::uint64_t pc);
    bool executable(std::uint64_t pc) const;
    bool contains(std::uint64_t address) const { return address - code_->load_base < code_->load_size; }
    const LoadedCode& loaded() const { return *code_; }

  private:
    struct Range {
        std::uint64_t begin = 0, end = 0;
    };
    struct Run {
        std::unique_ptr<isa::Inst[]> insts;
        std::unique_ptr<Op[]> ops;
    };
    struct Session;  // one decode_from call
    void decode_from(std::uint64_t pc);
    void decode_run(Session& session, std::uint64_t pc);
    const Op* known(const Session& session, std::uint64_t pc);
    // A backward branch over a short loop that looks at what other workgroups do.
    bool polls(const Session& session, const Op& branch);
    void lower(Session& session, Op& op);
    std::uint64_t end_of_range(std::uint64_t pc) const;
    std::atomic<const Op*>& slot(std::uint64_t pc) { return slots_[(pc - first_) >> 2]; }

    std::shared_ptr<const LoadedCode> code_;
    std::vector<Range> ranges_;                // executable addresses
    std::uint64_t first_ = 0;                  // lowest executable address
    std::atomic<const Op*>* slots_ = nullptr;  // one per dword from first_; null until decoded
    std::mutex decoding_;
    std::vector<Run> runs_;
    ConstantPool constants_;
};

// All regions of the process, by address.
class CodeMap {
  public:
    static CodeMap& process();
    // Loading the same base again shares the region until it has been removed as often.
    std::shared_ptr<CodeRegion> add(std::shared_ptr<const LoadedCode> code);
    void remove(std::uint64_t load_base);
    std::shared_ptr<CodeRegion> find(std::uint64_t address) const;
    std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

  private:
    struct Entry {
        std::shared_ptr<CodeRegion> region;
        unsigned uses = 0;
    };
    mutable std::shared_mutex mutex_;
    std::map<std::uint64_t, Entry> regions_;
    std::atomic<std::uint64_t> version_{0};
};

// True when the instruction never goes on to the one after it.
bool ends_run(const isa::Inst& inst);
// The address a branch or call with an immediate offset leads to.
std::uint64_t branch_target(const isa::Inst& inst, std::uint64_t pc);

}  // namespace vrocm::sim
