#include "replay/options.h"

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "replay/failure.h"

namespace rpl::replay {

namespace {

constexpr const char* kUsage =
    "rocm-perf-replay reserve-check CAPTURE [--hsa LIBRARY], or rocm-perf-replay full-vm CAPTURE [--iterations N] "
    "[--warmup N] [--no-recopy] [--cold] [--timeout SECONDS] [--hsaco FILE] [--poison FILE] [--observe FOLDER] "
    "[--hsa LIBRARY]";

[[noreturn]] void usage(const std::string& message) {
    throw Failure{ExitCode::Usage, "usage", message, kUsage};
}

std::uint64_t count_of(std::string_view name, const char* text, std::uint64_t least) {
    constexpr std::uint64_t kMost = 100'000'000;
    char* end = nullptr;
    errno = 0;
    const unsigned long long value = std::strtoull(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || value < least || value > kMost)
        usage(std::string(name) + " takes a number from " + std::to_string(least) + " on, not \"" + text + "\"");
    return value;
}

double seconds_of(std::string_view name, const char* text) {
    constexpr double kMost = 1e8;
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    if (end == text || *end || !(value > 0) || value > kMost)
        usage(std::string(name) + " takes seconds, not \"" + text + "\"");
    return value;
}

}  // namespace

ReplayOptions parse_options(int argc, char** argv) {
    ReplayOptions options;
    if (argc < 2) usage("no command is given");
    const std::string_view command = argv[1];
    if (command == "reserve-check")
        options.command = Command::ReserveCheck;
    else if (command == "full-vm")
        options.command = Command::FullVm;
    else
        usage("there is no command " + std::string(command));
    for (int i = 2; i < argc; ++i) {
        const std::string_view name = argv[i];
        const auto value = [&]() -> const char* {
            if (i + 1 >= argc) usage(std::string(name) + " needs a value");
            return argv[++i];
        };
        if (!name.starts_with("--")) {
            if (!options.capture.empty()) usage("more than one capture is given: " + std::string(name));
            options.capture = name;
        } else if (name == "--hsa") {
            options.hsa = value();
        } else if (name.starts_with("--layout=")) {
            options.layout = static_cast<unsigned>(count_of("--layout", argv[i] + 9, 0));
        } else if (options.command == Command::ReserveCheck) {
            usage("reserve-check has no option " + std::string(name));
        } else if (name == "--iterations") {
            options.iterations = count_of(name, value(), 1);
        } else if (name == "--warmup") {
            options.warmup = count_of(name, value(), 0);
        } else if (name == "--no-recopy") {
            options.recopy = false;
        } else if (name == "--cold") {
            options.cold = true;
        } else if (name == "--timeout") {
            options.timeout_seconds = seconds_of(name, value());
        } else if (name == "--hsaco") {
            options.hsaco = value();
        } else if (name == "--poison") {
            options.poison = value();
        } else if (name == "--observe") {
            options.observe = value();
        } else {
            usage("full-vm has no option " + std::string(name));
        }
    }
    if (options.capture.empty()) usage("no capture is given");
    return options;
}

}  // namespace rpl::replay
