// What the C functions share: giving answers back, and memory that kernels may touch during a call.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "sim/memory/address_space.h"
#include "sim/wave/fault.h"

namespace vrocm::capi {

inline int say(sim::Fault::Kind kind, const std::string& text, char* message, std::size_t size) {
    if (message && size != 0) {
        const std::size_t n = std::min(size - 1, text.size());
        std::memcpy(message, text.data(), n);
        message[n] = 0;
    }
    return static_cast<int>(kind);
}

class Shared {
  public:
    Shared(const void* base, std::size_t size, bool writable, const char* kind)
        : base_(size ? reinterpret_cast<std::uint64_t>(base) : 0) {
        if (base_)
            sim::AddressSpace::process().add(
                {.base = base_, .size = size, .accessible = size, .device_writable = writable, .kind = kind});
    }
    ~Shared() {
        if (base_) sim::AddressSpace::process().remove(base_);
    }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

  private:
    std::uint64_t base_;
};

}  // namespace vrocm::capi
