// Findings as lines of JSON.
#pragma once

#include <cstdint>
#include <string>

#include "sim/checkers/finding.h"

namespace vrocm::sim::checkers {

// Once in a process, before anything else: says that the virtual GPU is the one in use.
void report_start();
void report(const FindingTable& findings, std::uint64_t dispatch, const std::string& kernel);
// Memory that the program has not freed when it ends.
void report_leak(const Allocation& allocation);

}  // namespace vrocm::sim::checkers
