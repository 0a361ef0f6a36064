// The host threads that run workgroups.
#pragma once

#include <functional>

namespace vrocm::sim {

// VROCM_THREADS, or the number of cores up to 16.
unsigned host_threads();

// Calls body(0) .. body(parts - 1), each once, on this thread and on idle helpers, and returns when all are done.
// Parts may run in any order and on any thread, so they must not depend on that. Helpers are started on first
// need and live as long as the process. Floating-point state inside is the default one: round to nearest,
// denormals kept.
void run_parts(unsigned parts, const std::function<void(unsigned)>& body);

}  // namespace vrocm::sim
