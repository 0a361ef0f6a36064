#include "capture/settings.h"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace rpl::capture {

namespace {

std::string text_of(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// The working directory may be another when the capture is written.
std::string absolute(const std::string& path) {
    std::error_code error;
    const auto whole = std::filesystem::absolute(path, error);
    return error ? path : whole.lexically_normal().string();
}

template <class T>
bool parse(const std::string& text, T& value) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end;
}

// HIP's own kernels for fills and copies: nobody who asks for "every kernel" means these.
bool is_internal(const std::string& name) {
    return name.starts_with("__amd_rocclr_");
}

}  // namespace

Settings Settings::from_environment() {
    Settings made;
    if (const std::string pattern = text_of("ISOLATE_KERNEL"); !pattern.empty()) {
        try {
            made.kernel.emplace(pattern, std::regex::ECMAScript | std::regex::optimize);
        } catch (const std::regex_error& error) {
            made.problem = "ISOLATE_KERNEL is not a regular expression: " + pattern;
        }
    }
    if (const std::string index = text_of("ISOLATE_DISPATCH_INDEX");
        !index.empty() && !parse(index, made.dispatch_index))
        made.problem = "ISOLATE_DISPATCH_INDEX is not a number: " + index;
    if (const std::string seconds = text_of("ISOLATE_TIMEOUT");
        !seconds.empty() && (!parse(seconds, made.timeout_seconds) || made.timeout_seconds < 0))
        made.problem = "ISOLATE_TIMEOUT is not a number of seconds: " + seconds;
    const std::string out = text_of("ISOLATE_OUT");
    made.folder = absolute(out.empty() ? "isolate_capture_" + std::to_string(getpid()) : out);
    while (made.folder.size() > 1 && made.folder.back() == '/') made.folder.pop_back();
    if (const std::string report = text_of("ISOLATE_REPORT"); !report.empty()) made.report = absolute(report);
    made.stop = text_of("ISOLATE_STOP") == "1";
    return made;
}

bool Settings::matches(const std::string& mangled, const std::string& demangled) const {
    if (!kernel) return !is_internal(mangled);
    return std::regex_search(demangled, *kernel) || std::regex_search(mangled, *kernel);
}

}  // namespace rpl::capture
