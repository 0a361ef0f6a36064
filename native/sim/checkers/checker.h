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
    std::uint64_t arguments = 0;  // address of the kernel's arguments
    std::uint32_t argument_bytes = 0;
};

using Checker = observe::Watcher;

// Each on one host thread, with the table of that thread.
std::unique_ptr<Checker> check_bounds(FindingTable& findings);  // and use after free
std::unique_ptr<Checker> check_lds_bounds(FindingTable& findings, const CheckedDispatch& dispatch);
std::unique_ptr<Checker> check_alignment(FindingTable& findings);
std::unique_ptr<Checker> check_uninitialised_memory(FindingTable& findings);  // on one host thread only
std::unique_ptr<Checker> check_uninitialised_lds(FindingTable& findings, const CheckedDispatch& dispatch);
std::unique_ptr<Checker> check_uninitialised_private(FindingTable& findings);  // registers and scratch
std::unique_ptr<Checker> check_global_races(FindingTable& findings);           // on one host thread only
std::unique_ptr<Checker> check_lds_races(FindingTable& findings, const CheckedDispatch& dispatch);
std::unique_ptr<Checker> check_barriers(FindingTable& findings);

}  // namespace vrocm::sim::checkers
