// A reader for MessagePack (msgpack specification), as code object metadata is stored.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vrocm::msgpack {

struct Value {
    enum class Kind : std::uint8_t { Nil, Boolean, Integer, Text, Array, Map };
    Kind kind = Kind::Nil;
    std::int64_t integer = 0;  // Boolean too; unsigned values wrap
    std::string text;          // Text and binary
    std::vector<Value> items;
    std::map<std::string, Value, std::less<>> fields;  // maps with keys that are text

    // The field of a map, or a nil value.
    const Value& operator[](std::string_view key) const;
};

// Throws std::runtime_error for bytes that are not MessagePack.
Value parse(std::span<const std::uint8_t> bytes);

}  // namespace vrocm::msgpack
