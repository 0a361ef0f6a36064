// Reads of device memory that nothing has written since it was allocated.
#include "sim/checkers/checker.h"
#include "sim/checkers/uninitialised_bytes.h"
#include "sim/observe/runs.h"

namespace vrocm::sim::checkers {

UninitialisedBytes& UninitialisedBytes::process() {
    static auto* bytes = new UninitialisedBytes;
    return *bytes;
}

void UninitialisedBytes::allocated(std::uint64_t base, std::uint64_t size) {
    if (!CheckOptions::process().wants(Class::UninitialisedMemory)) return;
    with([&](observe::ByteSet& bytes) { bytes.add(base, base + size); });
}

void UninitialisedBytes::written(std::uint64_t base, std::uint64_t size) {
    if (!CheckOptions::process().wants(Class::UninitialisedMemory)) return;
    with([&](observe::ByteSet& bytes) { bytes.remove(base, base + size); });
}

namespace {

using observe::Access;
using observe::Kind;

class UninitialisedMemoryChecker final : public Checker {
  public:
    explicit UninitialisedMemoryChecker(FindingTable& findings) : findings_(findings) {}

    void access(const Access& access) override {
        if (access.space != observe::Space::Global || !access.completed) return;
        UninitialisedBytes::process().with([&](observe::ByteSet& bytes) {
            if (bytes.empty()) return;
            bool touched = false;
            observe::for_each_run(
                access, [&](std::uint64_t begin, std::uint64_t end) { touched |= bytes.contains_any(begin, end); });
            if (!touched) return;
            if (access.kind != Kind::Write) look(access, bytes);
            if (access.kind != Kind::Read)
                observe::for_each_run(access,
                                      [&](std::uint64_t begin, std::uint64_t end) { bytes.remove(begin, end); });
        });
    }

  private:
    // What is partly written is taken to be: structures have padding, and are moved as a whole.
    void look(const Access& access, const observe::ByteSet& bytes) {
        const std::uint64_t unset = lanes_where(access, [&](std::uint64_t at) {
            for (unsigned i = 0; i < access.bytes; ++i)
                if (!bytes.contains(at + i)) return false;
            return true;
        });
        if (!unset) return;
        add_lanes(findings_, Class::UninitialisedMemory, access, unset, [](Finding& finding) {
            finding.allocation = AddressSpace::process().find(finding.address);
            finding.explanation =
                "neither a kernel nor a copy nor a fill has written these bytes since they were "
                "allocated";
        });
    }

    FindingTable& findings_;
};

}  // namespace

std::unique_ptr<Checker> check_uninitialised_memory(FindingTable& findings) {
    return std::make_unique<UninitialisedMemoryChecker>(findings);
}

}  // namespace vrocm::sim::checkers
