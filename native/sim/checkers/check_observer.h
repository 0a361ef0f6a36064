// The checkers that were asked for, as one observer of a dispatch.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "sim/checkers/checker.h"

namespace vrocm::sim::checkers {

class CheckObserver final : public observe::DispatchObserver {
  public:
    CheckObserver(std::uint64_t number, std::string kernel, const CheckedDispatch& dispatch);
    std::unique_ptr<observe::Watcher> watcher() override;
    void finish(observe::Ending ending) override;  // writes what was found
    bool wants_one_thread() const override;

    void take(const FindingTable& part);

  private:
    std::uint64_t number_;
    std::string kernel_;
    CheckedDispatch dispatch_;
    std::mutex mutex_;
    FindingTable all_;
};

}  // namespace vrocm::sim::checkers
