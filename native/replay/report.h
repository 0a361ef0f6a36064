// The documents on stdout: one JSON object, whatever happens.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replay/failure.h"
#include "replay/memory/observe.h"
#include "replay/session.h"
#include "snapshot/json.h"

namespace rpl::replay {

// What a replay found out, filled in as it goes.
struct ReplayResult {
    std::string hsaco_path;
    bool variant = false;
    std::vector<double> times_us;
    std::vector<Agreement> agreement;
    double full_restore_seconds = 0, restore_seconds = 0;
    std::uint64_t restores = 0, dirty_pages = 0, captured_bytes = 0;
    std::uint64_t regions = 0;
    bool kernarg_exact = false, code_exact = false;
    std::size_t guard_pages = 0;
    std::uint64_t canary_bytes = 0, poisoned_bytes = 0;
    std::vector<std::string> damaged_canaries, rebound, notes;
};

snapshot::Json replay_document(const ReplaySession& session, const ReplayResult& result, double wall_seconds);
snapshot::Json reserve_document(const ReplaySession& session, const std::vector<PlacementProblem>& problems);
// The document of a command that ended early.
snapshot::Json failure_document(const std::string& capture, const Failure& failure);

}  // namespace rpl::replay
