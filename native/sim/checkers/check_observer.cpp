#include "sim/checkers/check_observer.h"

#include <utility>

#include "sim/checkers/report.h"

namespace vrocm::sim::checkers {

namespace {

// The checkers of one host thread.
class CheckWatcher final : public observe::Watcher {
  public:
    CheckWatcher(CheckObserver& observer, const CheckedDispatch&) : observer_(observer) {
        const Options& options = Options::process();
        if (options.wants(Class::OutOfBounds) || options.wants(Class::UseAfterFree))
            checkers_.push_back(check_bounds(findings_));
    }
    ~CheckWatcher() override { observer_.take(findings_); }

    void group_started(const Workgroup& group) override {
        for (const auto& one : checkers_) one->group_started(group);
    }
    void group_ended(const Workgroup& group) override {
        for (const auto& one : checkers_) one->group_ended(group);
    }
    void access(const observe::Access& access) override {
        for (const auto& one : checkers_) one->access(access);
    }

  private:
    CheckObserver& observer_;
    FindingTable findings_;
    std::vector<std::unique_ptr<Checker>> checkers_;
};

}  // namespace

CheckObserver::CheckObserver(std::uint64_t number, std::string kernel, const CheckedDispatch& dispatch)
    : number_(number), kernel_(std::move(kernel)), dispatch_(dispatch) {}

std::unique_ptr<observe::Watcher> CheckObserver::watcher() {
    return std::make_unique<CheckWatcher>(*this, dispatch_);
}

void CheckObserver::take(const FindingTable& part) {
    std::lock_guard lock(mutex_);
    all_.add(part);
}

void CheckObserver::finish(observe::Ending) {
    report(all_, number_, kernel_);
}

}  // namespace vrocm::sim::checkers
