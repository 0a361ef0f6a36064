#include "sim/checkers/check_observer.h"

#include <utility>

#include "sim/checkers/report.h"

namespace vrocm::sim::checkers {

namespace {

// The checkers of one host thread.
class CheckWatcher final : public observe::Watcher {
  public:
    CheckWatcher(CheckObserver& observer, const CheckedDispatch& dispatch) : observer_(observer) {
        const auto wanted = [](Class one) { return CheckOptions::process().wants(one); };
        if (wanted(Class::OutOfBounds) || wanted(Class::UseAfterFree)) checkers_.push_back(check_bounds(findings_));
        if (wanted(Class::LdsOutOfBounds)) checkers_.push_back(check_lds_bounds(findings_, dispatch));
        if (wanted(Class::Misaligned)) checkers_.push_back(check_alignment(findings_));
        if (wanted(Class::UninitialisedMemory)) checkers_.push_back(check_uninitialised_memory(findings_));
        if (wanted(Class::UninitialisedLds)) checkers_.push_back(check_uninitialised_lds(findings_, dispatch));
        if (wanted(Class::UninitialisedRegister)) checkers_.push_back(check_uninitialised_private(findings_));
        if (wanted(Class::RaceGlobal)) checkers_.push_back(check_global_races(findings_));
        if (wanted(Class::RaceLds)) checkers_.push_back(check_lds_races(findings_, dispatch));
        if (wanted(Class::DivergentBarrier)) checkers_.push_back(check_barriers(findings_));
        for (const auto& one : checkers_)
            if (one->wants_instructions()) curious_.push_back(one.get());
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

    void barrier(const Workgroup& group) override {
        for (const auto& one : checkers_) one->barrier(group);
    }
    bool wants_instructions() const override { return !curious_.empty(); }
    void instruction(const Wave& wave, const Op& op) override {
        for (Checker* one : curious_) one->instruction(wave, op);
    }

  private:
    CheckObserver& observer_;
    FindingTable findings_;
    std::vector<std::unique_ptr<Checker>> checkers_;
    std::vector<Checker*> curious_;  // those that want instructions
};

}  // namespace

CheckObserver::CheckObserver(std::uint64_t number, std::string kernel, const CheckedDispatch& dispatch)
    : number_(number), kernel_(std::move(kernel)), dispatch_(dispatch) {}

std::unique_ptr<observe::Watcher> CheckObserver::watcher() {
    return std::make_unique<CheckWatcher>(*this, dispatch_);
}

bool CheckObserver::wants_one_thread() const {
    const CheckOptions& options = CheckOptions::process();
    return options.wants(Class::RaceGlobal) || options.wants(Class::UninitialisedMemory);
}

void CheckObserver::take(const FindingTable& part) {
    std::lock_guard lock(mutex_);
    all_.add(part);
}

void CheckObserver::finish(observe::Ending) {
    report(all_, number_, kernel_);
}

}  // namespace vrocm::sim::checkers
