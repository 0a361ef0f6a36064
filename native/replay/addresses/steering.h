// Keeps the captured addresses free while libraries are loaded and the HSA runtime starts. A runtime reserves large
// ranges when it starts, at places that depend on the layout of the process; what is mapped already it leaves alone.
#pragma once

#include <string>
#include <vector>

#include "replay/addresses/plan.h"

namespace rpl::replay {

struct TakenRange {
    AddressRange range;
    std::string by;  // what this process has there
};

class AddressSteering {
  public:
    AddressSteering() = default;
    ~AddressSteering();
    AddressSteering(const AddressSteering&) = delete;
    AddressSteering& operator=(const AddressSteering&) = delete;

    // Maps every range of the plan: those of the runtime without access, host memory for good (zeroed, read and
    // write). What this process has taken already is in the answer.
    std::vector<TakenRange> hold(const AddressPlan& plan);
    // Gives up the ranges of the runtime, so that it can reserve them.
    void release();

  private:
    std::vector<AddressRange> held_;
};

// Starts this program anew, which gives it another layout: with the arguments it has and `more`. Comes back only
// when that fails.
void start_with_another_layout(int argc, char** argv, const std::string& more);

// The line of /proc/self/maps that covers part of the range, in short; "" when none does.
std::string who_has(AddressRange range);

}  // namespace rpl::replay
