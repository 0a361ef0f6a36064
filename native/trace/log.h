// The process's trace log: one file, only ever appended to. Its pages are shared with the file, so everything
// written is there however the process ends; a record being written at that moment is marked as not whole.
#pragma once

#include <cstdint>
#include <string>

#include "abi/vrocm/trace.h"
#include "trace/record.h"

namespace vrocm::trace {

// Whether this process is traced at all, paused or not: objects are described, events may follow.
bool active();
// Whether any of the categories is wanted, paused or not.
bool asked_for(std::uint32_t categories);
// Events stop or go on; objects are described all the same.
void pause(bool paused);

// True when any of the categories is wanted now.
inline bool wanted(std::uint32_t categories) {
    return (vrocm_trace_categories & categories) != 0;
}

// Adds a record of the calling thread, or of `thread` when given. The first opens the file.
void append(Kind kind, const Payload& payload, std::uint32_t thread = 0);

// The path of a file of one's own that belongs to the log: its name begins like the log's. Once there is a record.
std::string file_beside_log(const std::string& suffix);

std::uint32_t thread_id();

// At the end of the process, when no thread of the runtime runs any more.
void close_log();

}  // namespace vrocm::trace
