#include "capture/documents/report.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "snapshot/json.h"

namespace rpl::capture {

using snapshot::Json;

void Report::write(const std::string& path) const {
    constexpr std::size_t kMostNames = 100;
    Json names = Json::array();
    for (std::size_t i = 0; i < kernels.size() && i < kMostNames; ++i) names.add(kernels[i]);
    const bool captured = !folder.empty();
    const Json document = Json::object()
                              .set("state", captured         ? "captured"
                                            : reason.empty() ? "no match"
                                                             : "failed")
                              .set("folder", captured ? Json(folder) : Json())
                              .set("reason", reason.empty() ? Json() : Json(reason))
                              .set("matching_dispatches", matching_dispatches)
                              .set("dispatches", dispatches)
                              .set("kernels", std::move(names));
    // Whoever reads it sees all of it or nothing.
    const std::string partial = path + ".partial";
    {
        std::ofstream file(partial, std::ios::trunc);
        file << document.dump(0) << "\n";
        if (!file.flush()) {
            std::fprintf(stderr, "rocm-perf capture: %s: cannot write the report\n", path.c_str());
            unlink(partial.c_str());
            return;
        }
    }
    std::rename(partial.c_str(), path.c_str());
}

}  // namespace rpl::capture
