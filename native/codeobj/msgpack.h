// A reader for MessagePack (msgpack specification), as code object metadata is stored.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace vrocm::codeobj::msgpack {

struct Value {
    enum class Kind : std::uint8_t { Nil, Boolean, Integer, Text, Array, Map };
    Kind kind = Kind::Nil;
    std::int64_t integer = 0;  // Boolean too; unsigned values wrap
    std::string_view text;     // Text and binary
    std::vector<Value> items;
    std::map<std::string_view, Value> fields;  // maps with keys that are text

    // The field of a map, or a nil value.
    const Value& operator[](std::string_view key) const;
};

// Throws std::runtime_error for bytes that are not MessagePack. The bytes have to outlive it: texts lie in them.
Value parse(std::span<const std::uint8_t> bytes);

}  // namespace vrocm::codeobj::msgpack
