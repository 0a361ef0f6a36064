// One replaying process from its start to memory at the captured addresses: what both commands have in common.
#pragma once

#include <memory>
#include <vector>

#include "replay/addresses/placement.h"
#include "replay/addresses/plan.h"
#include "replay/addresses/steering.h"
#include "replay/captured/folder.h"
#include "replay/device/device.h"
#include "replay/device/hsa_library.h"
#include "replay/options.h"

namespace rpl::replay {

class ReplaySession {
  public:
    // Reads the capture. Throws Failure, as all below.
    explicit ReplaySession(const ReplayOptions& options);
    // Holds the captured addresses; what this process has there itself is in the answer. Starts the program anew, for
    // another layout, before it gives up.
    std::vector<PlacementProblem> hold(int argc, char** argv);
    // Starts the runtime and reserves the addresses. Ranges that did not come to theirs are in the answer; none are
    // mapped yet.
    std::vector<PlacementProblem> reserve();

    const ReplayOptions& options;
    Capture capture;
    AddressPlan plan;
    std::unique_ptr<HsaLibrary> hsa;
    ReplayDevice device;
    std::unique_ptr<AddressPlacement> space;

  private:
    AddressSteering steering_;
};

}  // namespace rpl::replay
