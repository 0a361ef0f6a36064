// Reads of LDS that no thread of the workgroup has written. Hardware leaves there what the last workgroup left; the
// virtual GPU has zeros.
#include <algorithm>
#include <vector>

#include "sim/checkers/checker.h"
#include "sim/checkers/group_states.h"

namespace vrocm::sim::checkers {

namespace {

using observe::Access;
using observe::Kind;

struct Written {
    std::vector<bool> bytes;
    void begin(const Workgroup& group) { bytes.assign(group.lds.size(), false); }
};

class UninitialisedLdsChecker final : public Checker {
  public:
    UninitialisedLdsChecker(FindingTable& findings, std::uint32_t size) : findings_(findings), size_(size) {}

    void access(const Access& access) override {
        if (access.space != observe::Space::Lds) return;
        auto& written = states_.of(*access.wave.group).bytes;
        if (access.kind != Kind::Write) look(access, written);
        if (access.kind != Kind::Read)
            lanes_where(access, [&](std::uint64_t at) {
                for (std::uint64_t i = at; i < std::min<std::uint64_t>(at + access.bytes, written.size()); ++i)
                    written[i] = true;
                return false;
            });
    }
    void group_ended(const Workgroup& group) override { states_.end(group); }

  private:
    // What is partly written is taken to be: structures have padding, and are moved as a whole.
    void look(const Access& access, const std::vector<bool>& written) {
        const std::uint64_t unset = lanes_where(access, [&](std::uint64_t at) {
            if (at + access.bytes > size_) return false;  // that is another defect
            for (unsigned i = 0; i < access.bytes; ++i)
                if (written[at + i]) return false;
            return true;
        });
        if (!unset) return;
        add_lanes(findings_, Class::UninitialisedLds, access, unset, [](Finding& finding) {
            finding.explanation =
                "no thread of the workgroup has written these bytes before; on a GPU they hold what an "
                "earlier workgroup left";
        });
    }

    FindingTable& findings_;
    std::uint32_t size_;
    GroupStates<Written> states_;
};

}  // namespace

std::unique_ptr<Checker> check_uninitialised_lds(FindingTable& findings, const CheckedDispatch& dispatch) {
    return std::make_unique<UninitialisedLdsChecker>(findings, dispatch.lds_bytes);
}

}  // namespace vrocm::sim::checkers
