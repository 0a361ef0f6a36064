// Pieces of lower_buffer, one per file; each gives null for instructions that are not its own.
#pragma once

#include "sim/code/op.h"

namespace vrocm::sim::memory {

Handler lower_buffer_move(const Op& op);  // loads and stores of bytes as they are, through LDS too
Handler lower_buffer_atomic(const Op& op);
Handler lower_buffer_format(const Op& op);  // *_format_*: with conversion

}  // namespace vrocm::sim::memory
