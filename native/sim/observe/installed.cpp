#include "sim/observe/installed.h"

#include <atomic>
#include <cstdlib>

#include "sim/checkers/check_observer.h"
#include "sim/checkers/options.h"
#include "sim/observe/access_set.h"

namespace vrocm::sim::observe {

namespace {

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
}

}  // namespace

Observers installed(const checkers::CheckedDispatch& dispatch, const std::function<std::string()>& kernel_name) {
    static std::atomic<std::uint64_t> dispatches{0};
    const std::uint64_t number = ++dispatches;
    Observers made;
    if (const std::string path = variable("VROCM_ACCESS_SET"); !path.empty())
        made.push_back(std::make_unique<AccessSetObserver>(path, number, kernel_name(),
                                                           pointers_in(dispatch.arguments, dispatch.argument_bytes)));
    if (checkers::checking())
        made.push_back(std::make_unique<checkers::CheckObserver>(number, kernel_name(), dispatch));
    return made;
}

}  // namespace vrocm::sim::observe
