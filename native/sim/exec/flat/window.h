// The windows of the flat address space (apertures) that are not process memory.
#pragma once

#include <cstdint>

#include "sim/code/op.h"

namespace vrocm::sim::memory {

enum class Window : std::uint8_t { Global, Shared, Private };

inline Window window_of(std::uint64_t address) {
    if (address < kSharedAperture) return Window::Global;
    if (address - kSharedAperture < kApertureSize) return Window::Shared;
    if (address - kPrivateAperture < kApertureSize) return Window::Private;
    return Window::Global;
}

}  // namespace vrocm::sim::memory
