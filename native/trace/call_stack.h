// Which API calls and ranges a thread is in. Each has a number; device operations refer to the innermost.
#pragma once

#include <cstdint>

namespace vrocm::trace {

std::uint64_t current_call();    // 0: the thread is in none
std::uint64_t current_stream();  // 0: none is known
std::uint64_t next_dispatch();
void forget_calls_after_fork();

// What vrocm_trace_launch gives while tracing is paused: the dispatch leaves no record.
constexpr std::uint64_t kNotRecorded = ~std::uint64_t{0};

}  // namespace vrocm::trace
