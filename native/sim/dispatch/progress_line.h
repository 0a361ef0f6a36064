// What a dispatch that takes long tells the person who waits for it.
#pragma once

#include <cstdint>
#include <string>

#include "sim/machine.h"

namespace vrocm::sim {

// One line on a terminal, rewritten while a dispatch runs for more than a few seconds of host time. VROCM_PROGRESS=1
// shows it also when standard error is not a terminal, 0 never.
class ProgressLine {
  public:
    void show(const std::string& kernel, std::uint64_t ended, std::uint64_t groups, std::uint64_t instructions);
    ~ProgressLine();

  private:
    double began_ = 0, shown_ = 0;
    bool visible_ = false;
};

// VROCM_TIMING_LOG=1: a line on standard error for each dispatch that ended.
void log_dispatch(const std::string& kernel, const DispatchTime& time, const DispatchStats& stats);
bool dispatch_log_wanted();

}  // namespace vrocm::sim
