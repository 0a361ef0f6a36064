#include "replay/session.h"

#include <sys/resource.h>

namespace rpl::replay {

namespace {

// Libraries and heap lie elsewhere in each; eight in a row that are all in the way do not happen by chance.
constexpr unsigned kMostLayouts = 8;

// Memory of the GPU can take up descriptors. Returns what it was given.
const ReplayOptions& with_many_files(const ReplayOptions& options) {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    return options;
}

}  // namespace

ReplaySession::ReplaySession(const ReplayOptions& given)
    : options(with_many_files(given)), capture(read_capture(given.capture)), plan(plan_addresses(capture)) {}

std::vector<PlacementProblem> ReplaySession::hold(int argc, char** argv) {
    const std::vector<TakenRange> taken = steering_.hold(plan);
    if (!taken.empty() && options.layout + 1 < kMostLayouts) {
        const int original = options.layout ? argc - 1 : argc;
        start_with_another_layout(original, argv, "--layout=" + std::to_string(options.layout + 1));
    }
    std::vector<PlacementProblem> problems;
    for (const TakenRange& range : taken)
        problems.push_back({range.range, 0, "this process itself has " + range.by + " there", true});
    return problems;
}

std::vector<PlacementProblem> ReplaySession::reserve() {
    hsa = std::make_unique<HsaLibrary>(options.hsa);
    hsa->start();
    device = find_device(*hsa, capture);
    space = std::make_unique<AddressPlacement>(*hsa, device);
    steering_.release();
    std::vector<PlacementProblem> problems = space->reserve(plan);
    const std::vector<PlacementProblem> host = space->expose_host(plan);
    problems.insert(problems.end(), host.begin(), host.end());
    return problems;
}

}  // namespace rpl::replay
