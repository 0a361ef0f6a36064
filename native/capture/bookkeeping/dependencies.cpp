#include "capture/bookkeeping/dependencies.h"

#include <algorithm>

#include "capture/calls/original.h"

namespace rpl::capture {

Dependencies Dependencies::of(const Packet& barrier) {
    Dependencies made;
    if (barrier.is_value_barrier()) {
        const auto packet = barrier.as<hsa_amd_barrier_value_packet_t>();
        made.kind = Kind::Value;
        if (packet.signal.handle) made.signals[made.count++] = packet.signal;
        made.condition = packet.cond;
        made.value = packet.value;
        made.mask = packet.mask;
        return made;
    }
    const auto packet = barrier.as<hsa_barrier_and_packet_t>();
    made.kind = barrier.type() == HSA_PACKET_TYPE_BARRIER_OR ? Kind::Any : Kind::All;
    for (const hsa_signal_t signal : packet.dep_signal)
        if (signal.handle) made.signals[made.count++] = signal;
    return made;
}

Dependencies Dependencies::of(const hsa_signal_t* signals, std::uint32_t count) {
    Dependencies made;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!signals[i].handle) continue;
        if (made.count == kMost)
            made.too_many = true;
        else
            made.signals[made.count++] = signals[i];
    }
    return made;
}

bool Dependencies::satisfied() const {
    if (count == 0) return true;
    const auto zero = [](hsa_signal_t signal) { return peek(signal) == 0; };
    if (kind == Kind::Any) return std::any_of(signals, signals + count, zero);
    if (kind == Kind::All) return std::all_of(signals, signals + count, zero);
    const hsa_signal_value_t now = peek(signals[0]) & mask;
    switch (condition) {
        case HSA_SIGNAL_CONDITION_EQ:
            return now == value;
        case HSA_SIGNAL_CONDITION_NE:
            return now != value;
        case HSA_SIGNAL_CONDITION_LT:
            return now < value;
        default:
            return now >= value;
    }
}

bool Dependencies::names(hsa_signal_t signal) const {
    return std::any_of(signals, signals + count, [&](hsa_signal_t s) { return s.handle == signal.handle; });
}

}  // namespace rpl::capture
