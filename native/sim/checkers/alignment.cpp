// Addresses that are no multiple of what is moved there: the element for up to a dword, a dword for vectors of them,
// the whole for atomics. The GPU moves misaligned data, in more steps; its atomics fault.
#include <algorithm>

#include "sim/checkers/checker.h"

namespace vrocm::sim::checkers {

namespace {

using observe::Access;

class AlignmentChecker final : public Checker {
  public:
    explicit AlignmentChecker(FindingTable& findings) : findings_(findings) {}

    void access(const Access& access) override {
        if (access.scalar) return;  // scalar addresses are those of dwords
        const bool atomic = access.kind == observe::Kind::Atomic;
        // A buffer's end may have cut an access short to any size.
        const unsigned unit = std::bit_floor(atomic ? access.bytes : std::min(access.bytes, 4u));
        const std::uint64_t wrong = lanes_where(access, [&](std::uint64_t at) { return at % unit != 0; });
        if (!wrong) return;
        add_lanes(findings_, Class::Misaligned, access, wrong, [&](Finding& finding) {
            if (access.space == observe::Space::Global)
                finding.allocation = AddressSpace::process().find(finding.address);
            finding.explanation =
                "the address is " + std::to_string(finding.address % unit) + " past a multiple of " +
                std::to_string(unit) +
                (atomic ? "; atomic operations fault at such addresses"
                        : "; it works on this GPU, slowly, and is undefined in C++ unless the type is "
                          "packed or copied with memcpy");
        });
    }

  private:
    FindingTable& findings_;
};

}  // namespace

std::unique_ptr<Checker> check_alignment(FindingTable& findings) {
    return std::make_unique<AlignmentChecker>(findings);
}

}  // namespace vrocm::sim::checkers
