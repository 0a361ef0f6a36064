// Accesses outside of allocations, and to memory that was freed. Allocations end with the last byte asked for, where
// the GPU itself would let a kernel touch the rest of the page.
#include <algorithm>
#include <bit>

#include "sim/checkers/allocations.h"
#include "sim/checkers/checker.h"
#include "sim/checkers/variables.h"

namespace vrocm::sim::checkers {

namespace {

using observe::Access;
using observe::Space;

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
        if (!Options::process().wants(of)) return;
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
        if (!Options::process().wants(Class::OutOfBounds)) return;
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

}  // namespace

std::unique_ptr<Checker> check_bounds(FindingTable& findings) {
    return std::make_unique<BoundsChecker>(findings);
}

}  // namespace vrocm::sim::checkers
