// What a barrier packet or a copy waits for, remembered to tell later whether it still does.
#pragma once

#include <cstdint>
#include <span>

#include "capture/packets/packets.h"

namespace rpl::capture {

struct Dependencies {
    static constexpr std::size_t kMost = 16;
    enum class Kind : std::uint8_t { All, Any, Value } kind = Kind::All;
    std::uint32_t count = 0;
    bool too_many = false;  // more than are remembered: nothing can be told
    hsa_signal_t signals[kMost] = {};
    // For Kind::Value.
    hsa_signal_condition32_t condition = 0;
    hsa_signal_value_t value = 0, mask = 0;

    static Dependencies of(const Packet& barrier);
    static Dependencies of(const hsa_signal_t* signals, std::uint32_t count);
    bool satisfied() const;
    bool names(hsa_signal_t signal) const;
};

}  // namespace rpl::capture
