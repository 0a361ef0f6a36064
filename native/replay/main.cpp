// rocm-perf-replay: replays a captured kernel at the addresses it ran with, or says why that cannot be.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "replay/failure.h"
#include "replay/full_vm.h"
#include "replay/options.h"
#include "replay/report.h"
#include "replay/session.h"

namespace rpl::replay {

namespace {

using Clock = std::chrono::steady_clock;

// The document has stdout for itself; what libraries print goes to stderr.
class Output {
  public:
    Output() : descriptor_(dup(STDOUT_FILENO)) {}
    void claim() const { dup2(STDERR_FILENO, STDOUT_FILENO); }
    // False when it could not be written.
    bool write(const snapshot::Json& document) const {
        const std::string text = document.dump() + "\n";
        for (std::size_t done = 0; done < text.size();) {
            const ssize_t n = ::write(descriptor_, text.data() + done, text.size() - done);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) return false;
            done += static_cast<std::size_t>(n);
        }
        return true;
    }

  private:
    int descriptor_;
};

Failure failure_of(const snapshot::FileError& error) {
    const bool full = error.code == ENOSPC || error.code == EDQUOT;
    return {
        ExitCode::BadInput, full ? "disk" : "capture", error.message,
        full ? "free space on that disk" : "capture the kernel again, or copy the folder again from where it is whole"};
}

// What is being handled, as a failure.
Failure current_failure() {
    try {
        throw;
    } catch (const Failure& failure) {
        return failure;
    } catch (const snapshot::FileError& error) {
        return failure_of(error);
    } catch (const std::bad_alloc&) {
        return {ExitCode::HsaFailure, "memory", "this process could not get enough host memory",
                "free memory on the host, or shrink the capture with rocm-perf replay minimise"};
    } catch (const std::exception& error) {
        return {ExitCode::HsaFailure, "internal", error.what(), "report this with the capture's dispatch.json"};
    }
}

// Brings the captured addresses into this process.
std::vector<PlacementProblem> place(ReplaySession& session, const Output& output, int argc, char** argv) {
    std::vector<PlacementProblem> problems = session.hold(argc, argv);
    if (!problems.empty()) return problems;
    output.claim();
    return session.reserve();
}

int reserve_check(const ReplayOptions& options, const Output& output, int argc, char** argv) {
    ReplaySession session(options);
    const auto problems = place(session, output, argc, argv);
    if (!output.write(reserve_document(session, problems))) return static_cast<int>(ExitCode::HsaFailure);
    return problems.empty() ? 0 : static_cast<int>(replay::failure_of(problems).code);
}

int full_vm(const ReplayOptions& options, const Output& output, int argc, char** argv, Clock::time_point start) {
    ReplaySession session(options);
    const auto problems = place(session, output, argc, argv);
    if (!problems.empty()) throw replay::failure_of(problems);
    const ReplayResult result = replay(session);
    session.hsa->stop();
    const double wall = std::chrono::duration<double>(Clock::now() - start).count();
    return output.write(replay_document(session, result, wall)) ? 0 : static_cast<int>(ExitCode::HsaFailure);
}

}  // namespace

}  // namespace rpl::replay

int main(int argc, char** argv) {
    using namespace rpl::replay;
    const auto start = Clock::now();
    const Output output;
    ReplayOptions options;
    const bool reserving = argc > 1 && std::strcmp(argv[1], "reserve-check") == 0;
    try {
        options = parse_options(argc, argv);
        if (options.command == Command::ReserveCheck) return reserve_check(options, output, argc, argv);
        return full_vm(options, output, argc, argv, start);
    } catch (...) {
        const Failure failure = current_failure();
        output.write(failure_document(options.capture, failure));
        std::fprintf(stderr, "rocm-perf-replay: %s\n  %s\n", failure.message.c_str(), failure.remedy.c_str());
        std::fflush(nullptr);
        // Not exit: a kernel that runs on, or a runtime that failed, would hold it up. reserve-check knows three codes.
        const bool coded = !reserving || failure.code == ExitCode::Usage || failure.code == ExitCode::Relocated;
        _exit(static_cast<int>(coded ? failure.code : ExitCode::HsaFailure));
    }
}
