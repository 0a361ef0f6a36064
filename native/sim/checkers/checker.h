// A checker looks for one class of defects (or a few that are found by the same question) while workgroups run.
// Each is in a file of its own; this lists them.
#pragma once

#include <memory>
#include <vector>

#include "sim/checkers/finding.h"
#include "sim/observe/observer.h"

namespace vrocm::sim::checkers {

// What a dispatch asks for, as far as checkers need to know.
struct CheckedDispatch {
    std::uint32_t lds_bytes = 0;  // as asked for, not as granted
};

using Checker = observe::Watcher;

// Each on one host thread, with the table of that thread.
std::unique_ptr<Checker> check_bounds(FindingTable& findings);

}  // namespace vrocm::sim::checkers
