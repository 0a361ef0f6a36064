// The process's trace log: one file, only ever appended to. Its pages are shared with the file, so everything
// written is there however the process ends; a record being written at that moment is marked as not whole.
#pragma once

#include <cstdint>

#include "abi/vrocm/trace.h"
#include "trace/record.h"

namespace vrocm::trace {

// True when any of the categories is wanted.
inline bool wanted(std::uint32_t categories) {
    return (vrocm_trace_categories & categories) != 0;
}

// Adds a record of the calling thread, or of `thread` when given. The first opens the file.
void append(Kind kind, const Payload& payload, std::uint32_t thread = 0);

std::uint32_t thread_id();

}  // namespace vrocm::trace
