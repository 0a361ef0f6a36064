// Which observers the environment asks for.
#pragma once

#include <functional>
#include <string>

#include "sim/checkers/checker.h"
#include "sim/observe/observer.h"

namespace vrocm::sim::observe {

// Those of a dispatch that is about to start; none, as a rule. The name is asked for only when somebody observes.
Observers installed(const checkers::CheckedDispatch& dispatch, const std::function<std::string()>& kernel_name);

}  // namespace vrocm::sim::observe
