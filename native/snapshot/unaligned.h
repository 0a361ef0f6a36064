// Values at addresses of any alignment.
#pragma once

#include <cstdint>
#include <cstring>

namespace rpl::snapshot {

template <class T>
inline T load_unaligned(const std::uint8_t* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

}  // namespace rpl::snapshot
