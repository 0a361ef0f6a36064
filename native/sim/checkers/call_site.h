// Where in the program the runtime was called from.
#pragma once

#include <string>

namespace vrocm::sim::checkers {

// "path/of/program+0x1234" of the innermost caller outside the runtime's own libraries; empty when there is none.
std::string call_site();

}  // namespace vrocm::sim::checkers
