#include "replay/report.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace rpl::replay {

namespace {

using snapshot::Json;

Json texts(const std::vector<std::string>& list) {
    Json array = Json::array();
    for (const std::string& text : list) array.add(text);
    return array;
}

// Null, with the reason in `missing`, for a text that is not known.
Json text_or_missing(const std::string& text, Json& missing, const char* key, const char* reason) {
    if (!text.empty()) return text;
    missing.set(key, reason);
    return nullptr;
}

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double average_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

// Sample standard deviation; 0 for one value.
double spread_of(const std::vector<double>& values) {
    if (values.size() < 2) return 0;
    const double average = average_of(values);
    double squares = 0;
    for (const double value : values) squares += (value - average) * (value - average);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

Json timing_of(const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) list.add(value);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return Json::object()
        .set("unit", "microseconds")
        .set("average", average_of(values))
        .set("min", *least)
        .set("max", *most)
        .set("median", median_of(values))
        .set("spread", spread_of(values))
        .set("values", list);
}

Json environment_of(const ReplaySession& session) {
    Json missing = Json::object();
    Json environment = Json::object();
    environment.set("gpu_agent", session.device.name)
        .set("product", session.device.product)
        .set("isa", session.device.isa)
        .set("gpu_index", session.device.index)
        .set("rocm_version", text_or_missing(session.hsa->rocm_version(), missing, "rocm_version",
                                             "no .info/version beside the HSA runtime's folder"))
        .set("hsa_version", session.hsa->interface_version())
        .set("hsa_build", text_or_missing(session.hsa->build(), missing, "hsa_build", "the runtime does not tell"))
        .set("pid", static_cast<std::int64_t>(getpid()))
        .set("layouts_tried", session.options.layout + 1)
        .set("shared_virtual_memory", session.hsa->has_shared_virtual_memory());
    return environment.set("missing", missing);
}

Json restore_of(const ReplayResult& result) {
    Json missing = Json::object();
    Json restore = Json::object();
    restore.set("full_seconds", result.full_restore_seconds).set("bytes", result.captured_bytes);
    if (result.restores) {
        restore.set("iteration_seconds", result.restore_seconds / static_cast<double>(result.restores));
    } else {
        restore.set("iteration_seconds", nullptr);
        missing.set("iteration_seconds", "no iteration needed a restore after the first");
    }
    return restore.set("dirty_pages", result.dirty_pages).set("missing", missing);
}

Json fidelity_of(const ReplaySession& session, const ReplayResult& result) {
    Json missing = Json::object();
    Json fidelity = Json::object();
    const double median = median_of(result.times_us);
    if (session.capture.in_app_ns) {
        const double in_app = *session.capture.in_app_ns / 1000;
        fidelity.set("in_app_us", in_app).set("replay_median_us", median);
        if (in_app > 0 && !result.variant) {
            fidelity.set("gap", median / in_app - 1);
        } else {
            fidelity.set("gap", nullptr);
            missing.set("gap",
                        result.variant ? "a variant ran, not the captured kernel" : "the time in the application is 0");
        }
    } else {
        fidelity.set("in_app_us", nullptr).set("replay_median_us", median).set("gap", nullptr);
        missing.set("in_app_us", session.capture.in_app_missing).set("gap", session.capture.in_app_missing);
    }
    return fidelity.set("missing", missing);
}

Json agreement_of(const std::vector<Agreement>& list) {
    Json array = Json::array();
    for (const Agreement& one : list)
        array.add(Json::object()
                      .set("iteration", one.iteration)
                      .set("differing_pages", one.differing_pages)
                      .set("differing_bytes", one.differing_bytes));
    return array;
}

}  // namespace

Json replay_document(const ReplaySession& session, const ReplayResult& result, double wall_seconds) {
    const ReplayOptions& options = session.options;
    Json document = Json::object();
    document.set("capture", session.capture.folder);
    document.set("kernel", Json::object()
                               .set("name", session.capture.kernel)
                               .set("demangled", session.capture.demangled)
                               .set("hsaco_path", result.hsaco_path)
                               .set("variant", result.variant));
    document.set("execution", Json::object()
                                  .set("iterations", options.iterations)
                                  .set("mode", options.recopy ? "stateless" : "stateful")
                                  .set("recopy", options.recopy)
                                  .set("warmup", options.warmup)
                                  .set("cold", options.cold)
                                  .set("timeout_seconds", options.timeout_seconds));
    document.set("timing", timing_of(result.times_us));
    document.set("environment", environment_of(session));
    document.set("wall_seconds", wall_seconds);
    document.set("restore", restore_of(result));
    document.set("fidelity", fidelity_of(session, result));
    document.set("addresses", Json::object()
                                  .set("regions", result.regions)
                                  .set("exact", result.regions)
                                  .set("kernarg_exact", result.kernarg_exact)
                                  .set("code_exact", result.code_exact)
                                  .set("guard_pages", static_cast<std::uint64_t>(result.guard_pages)));
    document.set("agreement", agreement_of(result.agreement));
    document.set(
        "canaries",
        Json::object().set("checked_bytes", result.canary_bytes).set("damaged", texts(result.damaged_canaries)));
    document.set("poisoned_bytes", result.poisoned_bytes);
    document.set("rebound", texts(result.rebound));
    document.set("notes", texts(result.notes));
    return document;
}

Json reserve_document(const ReplaySession& session, const std::vector<PlacementProblem>& problems) {
    Json ranges = Json::array();
    std::uint64_t bytes = 0, exact = 0;
    const auto add = [&](AddressRange range, const char* kind) {
        const auto problem = std::find_if(problems.begin(), problems.end(), [&](const PlacementProblem& p) {
            return p.range.base == range.base && p.range.size == range.size;
        });
        const bool fine = problem == problems.end();
        bytes += range.size;
        exact += fine;
        Json entry = Json::object();
        entry.set("base", Json::address(range.base)).set("size", range.size).set("kind", kind);
        entry.set("outcome", fine ? "exact" : problem->relocated() ? "relocated" : "failed");
        entry.set("got", fine ? Json::address(range.base) : problem->got ? Json::address(problem->got) : Json(nullptr));
        ranges.add(entry.set("reason", fine ? Json(nullptr) : Json(problem->reason)));
    };
    for (const AddressRange& range : session.plan.reserved) add(range, "reserved");
    for (const HostSpan& span : session.plan.host) add(span.range, span.managed ? "managed" : "host");
    Json document = Json::object();
    document.set("capture", session.capture.folder);
    const bool relocated = std::any_of(problems.begin(), problems.end(), [](const auto& p) { return p.relocated(); });
    document.set("outcome", problems.empty() ? "exact" : relocated ? "relocated" : "failed");
    document.set("total", static_cast<std::uint64_t>(session.plan.size())).set("exact", exact).set("bytes", bytes);
    document.set("ranges", ranges);
    if (session.hsa) document.set("environment", environment_of(session));
    if (!problems.empty()) {
        const Failure failure = failure_of(problems);
        document.set(
            "error",
            Json::object().set("kind", failure.kind).set("message", failure.message).set("remedy", failure.remedy));
    }
    return document;
}

Json failure_document(const std::string& capture, const Failure& failure) {
    Json document = Json::object();
    if (!capture.empty()) document.set("capture", capture);
    document.set(
        "error",
        Json::object().set("kind", failure.kind).set("message", failure.message).set("remedy", failure.remedy));
    return document;
}

}  // namespace rpl::replay
