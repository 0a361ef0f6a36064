// AQL packets: how they are read and made.
#pragma once

#include <cstdint>
#include <cstring>

#include "abi/hsa/hsa_ext_amd.h"

namespace rpl::capture {

struct alignas(64) Packet {
    std::uint8_t bytes[64];

    std::uint16_t header() const {
        std::uint16_t value;
        std::memcpy(&value, bytes, sizeof value);
        return value;
    }
    unsigned type() const { return header() >> HSA_PACKET_HEADER_TYPE & 0xFF; }
    bool barrier_bit() const { return header() >> HSA_PACKET_HEADER_BARRIER & 1; }
    bool is_dispatch() const { return type() == HSA_PACKET_TYPE_KERNEL_DISPATCH; }
    bool is_value_barrier() const {
        return type() == HSA_PACKET_TYPE_VENDOR_SPECIFIC && bytes[2] == HSA_AMD_PACKET_TYPE_BARRIER_VALUE;
    }
    template <class T>
    T as() const {
        static_assert(sizeof(T) == sizeof bytes);
        T value;
        std::memcpy(&value, bytes, sizeof value);
        return value;
    }
    template <class T>
    static Packet of(const T& value) {
        static_assert(sizeof(T) == sizeof bytes);
        Packet made;
        std::memcpy(made.bytes, &value, sizeof value);
        return made;
    }
};
static_assert(sizeof(Packet) == 64);

// A packet that starts when everything before it has ended and `after` (if any) is zero, makes all writes visible to
// the whole system, and then lowers `completion` (if any). What follows it in the queue waits for it.
inline Packet barrier_packet(hsa_signal_t after, hsa_signal_t completion) {
    hsa_barrier_and_packet_t packet{};
    packet.header = HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE | 1 << HSA_PACKET_HEADER_BARRIER |
                    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
    packet.dep_signal[0] = after;
    packet.completion_signal = completion;
    return Packet::of(packet);
}

}  // namespace rpl::capture
