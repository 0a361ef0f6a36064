// Accesses outside of allocations, and to memory that was freed. Allocations end with the last byte asked for, where
// the GPU itself would let a kernel touch the rest of the page.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/checkers/checker.h"
#include "sim/checkers/variables.h"
#include "sim/memory/address_space.h"

namespace vrocm::sim::checkers {

namespace {

using observe::Access;
using observe::Space;

// True when the memory is the runtime's own: its bounds are nobody's business.
bool is_runtimes_own(const Allocation& allocation) {
    return allocation.kind == "code" || allocation.kind == "queue" || allocation.kind == "signals" ||
           allocation.kind == "kernarg";
}

// The allocations of the process byte by byte, as they were asked for, for one host thread.
class ExactAllocations {
  public:
    // True when [begin, end) lies in one allocation (or in several that follow each other without a gap).
    bool contains(std::uint64_t begin, std::uint64_t end) {
        if (AddressSpace::process().version() != version_) refresh();
        for (const Range& one : recent_)
            if (begin >= one.begin && end <= one.end && begin < end) return true;
        return look_up(begin, end);
    }

  private:
    struct Range {
        std::uint64_t begin = 0, end = 0;
    };
    void refresh();
    bool look_up(std::uint64_t begin, std::uint64_t end);
    static constexpr unsigned kRecent = 4;
    Range recent_[kRecent];
    unsigned victim_ = 0;
    std::vector<Range> ranges_;  // sorted
    std::uint64_t version_ = ~0ull;
};

void ExactAllocations::refresh() {
    std::fill(std::begin(recent_), std::end(recent_), Range{});
    ranges_.clear();
    version_ = AddressSpace::process().version();
    // Code is looked at afterwards: that takes locks of its own.
    std::vector<Allocation> codes;
    AddressSpace::process().for_each([&](const Allocation& allocation) {
        if (allocation.kind == "code") {
            codes.push_back(allocation);
            return;
        }
        const std::uint64_t end = is_runtimes_own(allocation) ? allocation.end() : allocation.base + allocation.size;
        if (!ranges_.empty() && ranges_.back().end == allocation.base && allocation.kind == "registered")
            ranges_.back().end = end;  // one registration may be kept in pieces
        else
            ranges_.push_back({allocation.base, end});
    });
    for (const Allocation& code : codes)
        for (const Allocation& part : parts_of_code(code)) ranges_.push_back({part.base, part.base + part.size});
    std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

bool ExactAllocations::look_up(std::uint64_t begin, std::uint64_t end) {
    auto it = std::upper_bound(ranges_.begin(), ranges_.end(), begin,
                               [](std::uint64_t address, const Range& one) { return address < one.begin; });
    if (it == ranges_.begin()) return false;
    --it;
    if (begin >= end || end > it->end) return false;
    recent_[victim_++ % kRecent] = *it;
    return true;
}

std::string bytes_text(std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

std::string describe(std::uint64_t address, unsigned bytes, const std::optional<Allocation>& near, bool freed) {
    if (address < 4096) return "the address is a null pointer, or an index applied to one";
    if (!near) return "no memory has been allocated for the GPU";
    const bool variable = near->kind.starts_with("variable ");
    const std::string name = variable ? "the " + near->kind + " (" + bytes_text(near->size) + ")"
                                      : "the allocation of " + bytes_text(near->size);
    if (freed) return bytes_text(address - near->base) + " into " + name + ", which was freed before the kernel ran";
    if (address < near->base) return bytes_text(near->base - address) + " before the beginning of " + name;
    const std::uint64_t end = near->base + near->size;
    if (address < end) return "the last " + bytes_text(address + bytes - end) + " of it lie past the end of " + name;
    return address == end ? "right past the end of " + name : bytes_text(address - end) + " past the end of " + name;
}

class BoundsChecker final : public Checker {
  public:
    explicit BoundsChecker(FindingTable& findings) : findings_(findings) {}

    void access(const Access& access) override {
        if (access.space == Space::Scratch) return check_scratch(access);
        if (access.space != Space::Global) return;
        std::uint64_t low = ~0ull, high = 0;
        for (std::uint64_t left = access.lanes; left; left &= left - 1) {
            const std::uint64_t at = access.address[std::countr_zero(left)];
            low = std::min(low, at);
            high = std::max(high, at);
        }
        if (!allocations_.contains(low, high + access.bytes)) check_lanes(access);
    }

  private:
    void check_lanes(const Access& access) {
        const std::uint64_t outside =
            lanes_where(access, [&](std::uint64_t at) { return !allocations_.contains(at, at + access.bytes); });
        if (!outside) return;
        // Lanes of one instruction are all the same kind of mistake, as a rule; the first decides.
        const std::uint64_t at = access.address[std::countr_zero(outside)];
        auto near = AddressSpace::process().freed(at);
        const bool freed = near.has_value();
        const Class of = freed ? Class::UseAfterFree : Class::OutOfBounds;
        if (!CheckOptions::process().wants(of)) return;
        add_lanes(findings_, of, access, outside, [&](Finding& finding) {
            if (!near) near = variable_near(at);
            if (!near) near = AddressSpace::process().nearest(at);
            finding.freed = freed;
            finding.allocation = near;
            finding.explanation = describe(at, access.bytes, near, freed);
        });
    }

    // A stack that is too small faults, and an address of the stack that is wrong.
    void check_scratch(const Access& access) {
        if (!CheckOptions::process().wants(Class::OutOfBounds)) return;
        const std::uint64_t outside =
            lanes_where(access, [&](std::uint64_t at) { return at + access.bytes > access.wave.scratch_per_lane; });
        if (!outside) return;
        add_lanes(findings_, Class::OutOfBounds, access, outside, [&](Finding& finding) {
            finding.explanation =
                "the thread has " + bytes_text(access.wave.scratch_per_lane) + " of private memory (stack)";
        });
    }

    FindingTable& findings_;
    ExactAllocations allocations_;
};

// Accesses past the end of the workgroup's LDS, as much of it as the kernel and the launch asked for. Hardware grants
// blocks of 512 bytes, and out of those gives zeros and writes nothing.
class LdsBoundsChecker final : public Checker {
  public:
    LdsBoundsChecker(FindingTable& findings, std::uint32_t size) : findings_(findings), size_(size) {}

    void access(const Access& access) override {
        if (access.space != observe::Space::Lds) return;
        const std::uint64_t outside = lanes_where(access, [&](std::uint64_t at) { return at + access.bytes > size_; });
        if (!outside) return;
        add_lanes(findings_, Class::LdsOutOfBounds, access, outside, [&](Finding& finding) {
            finding.explanation = "the workgroup has " + std::to_string(size_) +
                                  " bytes of LDS (shared memory), static " + "and dynamic together";
        });
    }

  private:
    FindingTable& findings_;
    std::uint32_t size_;
};

}  // namespace

std::unique_ptr<Checker> check_bounds(FindingTable& findings) {
    return std::make_unique<BoundsChecker>(findings);
}

std::unique_ptr<Checker> check_lds_bounds(FindingTable& findings, const CheckedDispatch& dispatch) {
    return std::make_unique<LdsBoundsChecker>(findings, dispatch.lds_bytes);
}

}  // namespace vrocm::sim::checkers
