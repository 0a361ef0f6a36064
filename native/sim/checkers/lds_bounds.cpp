// Accesses past the end of the workgroup's LDS, as much of it as the kernel and the launch asked for. Hardware grants
// blocks of 512 bytes, and out of those gives zeros and writes nothing.
#include "sim/checkers/checker.h"

namespace vrocm::sim::checkers {

namespace {

using observe::Access;

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

std::unique_ptr<Checker> check_lds_bounds(FindingTable& findings, const CheckedDispatch& dispatch) {
    return std::make_unique<LdsBoundsChecker>(findings, dispatch.lds_bytes);
}

}  // namespace vrocm::sim::checkers
