#include "codeobj/msgpack.h"

#include <stdexcept>

namespace vrocm::codeobj::msgpack {

namespace {

class Reader {
  public:
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    Value value(unsigned depth = 0) {
        if (depth > 64) throw std::runtime_error("msgpack: nested too deeply");
        const unsigned tag = byte();
        if (tag <= 0x7f) return integer(tag);
        if (tag <= 0x8f) return map(tag & 0xf, depth);
        if (tag <= 0x9f) return array(tag & 0xf, depth);
        if (tag <= 0xbf) return text(tag & 0x1f);
        if (tag >= 0xe0) return integer(static_cast<std::int8_t>(tag));
        switch (tag) {
            case 0xc0:
                return {};
            case 0xc2:
            case 0xc3: {
                Value v = integer(tag & 1);
                v.kind = Value::Kind::Boolean;
                return v;
            }
            case 0xc4:
            case 0xd9:
                return text(number(1));
            case 0xc5:
            case 0xda:
                return text(number(2));
            case 0xc6:
            case 0xdb:
                return text(number(4));
            case 0xcc:
            case 0xcd:
            case 0xce:
            case 0xcf:
                return integer(static_cast<std::int64_t>(number(1u << (tag - 0xcc))));
            case 0xd0:
                return integer(static_cast<std::int8_t>(number(1)));
            case 0xd1:
                return integer(static_cast<std::int16_t>(number(2)));
            case 0xd2:
                return integer(static_cast<std::int32_t>(number(4)));
            case 0xd3:
                return integer(static_cast<std::int64_t>(number(8)));
            case 0xdc:
                return array(number(2), depth);
            case 0xdd:
                return array(number(4), depth);
            case 0xde:
                return map(number(2), depth);
            case 0xdf:
                return map(number(4), depth);
            default:  // floats and extension types do not occur in code object metadata
                throw std::runtime_error("msgpack: unexpected type");
        }
    }

  private:
    unsigned byte() {
        if (at_ >= bytes_.size()) throw std::runtime_error("msgpack: truncated");
        return bytes_[at_++];
    }
    std::uint64_t number(unsigned size) {  // big-endian
        std::uint64_t n = 0;
        for (unsigned i = 0; i < size; ++i) n = n << 8 | byte();
        return n;
    }
    static Value integer(std::int64_t n) {
        Value v;
        v.kind = Value::Kind::Integer;
        v.integer = n;
        return v;
    }
    Value text(std::uint64_t size) {
        if (size > bytes_.size() - at_) throw std::runtime_error("msgpack: truncated");
        Value v;
        v.kind = Value::Kind::Text;
        v.text = {reinterpret_cast<const char*>(bytes_.data() + at_), static_cast<std::size_t>(size)};
        at_ += size;
        return v;
    }
    Value array(std::uint64_t size, unsigned depth) {
        Value v;
        v.kind = Value::Kind::Array;
        for (std::uint64_t i = 0; i < size; ++i) v.items.push_back(value(depth + 1));
        return v;
    }
    Value map(std::uint64_t size, unsigned depth) {
        Value v;
        v.kind = Value::Kind::Map;
        for (std::uint64_t i = 0; i < size; ++i) {
            const std::string_view key = value(depth + 1).text;
            v.fields[key] = value(depth + 1);
        }
        return v;
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

}  // namespace

const Value& Value::operator[](std::string_view key) const {
    static const Value nil;
    auto found = fields.find(key);
    return found == fields.end() ? nil : found->second;
}

Value parse(std::span<const std::uint8_t> bytes) {
    return Reader(bytes).value();
}

}  // namespace vrocm::codeobj::msgpack
