#include "hsa/tracing/thread_traces.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <regex>
#include <string_view>
#include <utility>
#include <vector>

#include "codeobj/demangle.h"
#include "hsa/code/executable.h"
#include "trace/log.h"

namespace vrocm::hsa {

namespace {

std::string_view variable(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
}

std::string_view next_item(std::string_view& rest) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    return item;
}

bool read_number(std::string_view text, std::uint64_t& value) {
    const bool hex = text.starts_with("0x");
    if (hex) text.remove_prefix(2);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
    return error == std::errc{} && end == text.data() + text.size();
}

// "ns::kernel<float>(int*)" -> "kernel".
std::string truncated(const std::string& name) {
    std::string kept;
    int depth = 0;
    for (const char c : name) {
        if (c == '<') ++depth;
        if (c == '(' && depth == 0 && !kept.empty()) break;
        if (depth == 0) kept += c;
        if (c == '>') --depth;
    }
    const std::size_t begin = kept.find_last_of(" :");
    return begin == std::string::npos ? kept : kept.substr(begin + 1);
}

class Selection {
  public:
    Selection() {
        const std::string_view asked = variable("VROCM_ATT");
        if (asked.empty()) return;
        on_ = read_options(asked) && read_pattern("VROCM_ATT_INCLUDE", include_) &&
              read_pattern("VROCM_ATT_EXCLUDE", exclude_) && read_iterations(variable("VROCM_ATT_ITERATIONS"));
    }
    bool on() const { return on_; }
    const sim::ThreadTraceOptions& options() const { return options_; }

    // Asked once for every dispatch, in the order in which they start.
    bool takes(std::uint64_t kernel, const std::string& symbol) {
        const std::string name = displayed(symbol);
        if (include_ && !std::regex_search(name, *include_)) return false;
        if (exclude_ && std::regex_search(name, *exclude_)) return false;
        std::lock_guard lock(mutex_);
        const std::uint64_t run = ++runs_[kernel];
        if (iterations_.empty()) return true;
        for (const auto& [first, last] : iterations_)
            if (first <= run && run <= last) return true;
        return false;
    }

  private:
    static bool refuse(const char* name, std::string_view text) {
        std::fprintf(stderr, "vrocm: %s: '%.*s' is not understood; no threads are traced\n", name,
                     static_cast<int>(text.size()), text.data());
        return false;
    }

    bool read_options(std::string_view rest) {
        while (!rest.empty()) {
            const std::string_view item = next_item(rest);
            const std::size_t equals = item.find('=');
            std::uint64_t value = 0;
            if (equals == std::string_view::npos || !read_number(item.substr(equals + 1), value) ||
                !set(item.substr(0, equals), value))
                return refuse("VROCM_ATT", item);
        }
        return true;
    }

    bool set(std::string_view name, std::uint64_t value) {
        if (name == "target_cu")
            options_.target_unit = static_cast<unsigned>(value);
        else if (name == "se_mask")
            options_.engine_mask = value;
        else if (name == "simd_mask")
            options_.simd_mask = static_cast<unsigned>(value);
        else if (name == "buffer")
            options_.buffer_bytes = value;
        else if (name == "waves")
            options_.waves = value;
        else if (name == "instructions")
            options_.instructions = value;
        else
            return false;
        return true;
    }

    static bool read_pattern(const char* name, std::optional<std::regex>& into) {
        const std::string_view text = variable(name);
        if (text.empty()) return true;
        try {
            into.emplace(text.begin(), text.end(), std::regex::ECMAScript | std::regex::optimize);
        } catch (const std::regex_error&) {
            return refuse(name, text);
        }
        return true;
    }

    bool read_iterations(std::string_view rest) {
        while (!rest.empty()) {
            const std::string_view item = next_item(rest);
            const std::size_t dash = item.find('-');
            std::pair<std::uint64_t, std::uint64_t> range;
            if (dash == std::string_view::npos || !read_number(item.substr(0, dash), range.first) ||
                !read_number(item.substr(dash + 1), range.second))
                return refuse("VROCM_ATT_ITERATIONS", item);
            iterations_.push_back(range);
        }
        return true;
    }

    static std::string displayed(std::string_view symbol) {
        if (symbol.ends_with(".kd")) symbol.remove_suffix(3);
        const std::string_view names = variable("VROCM_ATT_NAMES");
        if (names == "mangled") return std::string(symbol);
        const std::string whole = codeobj::demangle(symbol);
        return names == "truncated" ? truncated(whole) : whole;
    }

    bool on_ = false;
    sim::ThreadTraceOptions options_;
    std::optional<std::regex> include_, exclude_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> iterations_;
    std::mutex mutex_;
    std::map<std::uint64_t, std::uint64_t> runs_;  // of each kernel
};

Selection& selection() {
    static auto* selection = new Selection;
    return *selection;
}

}  // namespace

bool thread_traces_asked_for() {
    return trace::active() && selection().on();
}

std::unique_ptr<sim::ThreadTrace> begin_thread_trace(const trace::DispatchRecord& dispatch,
                                                     const std::string& kernel_symbol, const sim::GpuModel& model) {
    if (dispatch.number == 0 || !thread_traces_asked_for()) return nullptr;
    if (!selection().takes(dispatch.kernel, kernel_symbol)) return nullptr;
    const std::uint64_t engines = (std::uint64_t{1} << model.shader_engines) - 1;
    if (!(selection().options().engine_mask & engines)) {
        std::fprintf(stderr, "vrocm: VROCM_ATT: the GPU has shader engines 0 to %u, and se_mask selects none of them\n",
                     model.shader_engines - 1);
        return nullptr;
    }
    return std::make_unique<sim::ThreadTrace>(selection().options(), model);
}

void end_thread_trace(const sim::ThreadTrace& trace, const trace::DispatchRecord& dispatch, unsigned agent_index) {
    trace.write(trace::file_beside_log("dispatch_" + std::to_string(dispatch.number)),
                {dispatch.number, agent_index, dispatch.kernel});
}

void keep_code_object(const LoadedCodeObject& object, std::uint64_t id) {
    if (!thread_traces_asked_for()) return;
    const std::string path = trace::file_beside_log("code_object_" + std::to_string(id) + ".out");
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(object.source.data), static_cast<std::streamsize>(object.source.size));
    if (!file.flush()) std::fprintf(stderr, "vrocm: the code object %s cannot be written\n", path.c_str());
}

}  // namespace vrocm::hsa
