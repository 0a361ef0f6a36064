// The categories by the names that VROCM_TRACE uses.
#pragma once

#include <cstdint>

namespace vrocm::trace {

// "hip_runtime,kernel,..."; null or empty: everything. Says an unknown name on standard error.
std::uint32_t categories_from(const char* list);

}  // namespace vrocm::trace
