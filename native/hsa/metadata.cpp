#include "hsa/metadata.h"

#include <optional>
#include <string_view>

namespace vrocm::hsa {

namespace {

// A reader over one MessagePack document. After the first error everything reads as the end.
class Reader {
  public:
    explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    bool ok() const { return ok_; }
    std::optional<std::uint32_t> map() { return container(0x80, 0xde); }
    std::optional<std::uint32_t> array() { return container(0x90, 0xdc); }

    std::optional<std::string_view> string() {
        const std::size_t start = at_;
        const unsigned tag = byte();
        std::uint64_t size;
        if (tag >= 0xa0 && tag <= 0xbf)
            size = tag & 0x1f;
        else if (tag >= 0xd9 && tag <= 0xdb)
            size = big_endian(1u << (tag - 0xd9));
        else
            return at_ = start, std::nullopt;
        if (!ok_ || size > bytes_.size() - at_) return fail(), std::nullopt;
        const std::string_view text(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
        at_ += size;
        return text;
    }

    std::optional<std::uint64_t> integer() {
        const std::size_t start = at_;
        const unsigned tag = byte();
        if (tag < 0x80) return tag;
        if (tag >= 0xcc && tag <= 0xcf) return big_endian(1u << (tag - 0xcc));
        if (tag >= 0xd0 && tag <= 0xd3) return big_endian(1u << (tag - 0xd0));
        return at_ = start, std::nullopt;
    }

    std::optional<bool> boolean() {
        const std::size_t start = at_;
        const unsigned tag = byte();
        if (tag == 0xc2 || tag == 0xc3) return tag == 0xc3;
        return at_ = start, std::nullopt;
    }

    // Passes over any value.
    void skip(unsigned depth = 0) {
        if (depth > 64 || !ok_) return fail();
        if (auto n = map()) {
            for (std::uint32_t i = 0; ok_ && i < *n; ++i) skip(depth + 1), skip(depth + 1);
        } else if (auto m = array()) {
            for (std::uint32_t i = 0; ok_ && i < *m; ++i) skip(depth + 1);
        } else if (!string() && !integer() && !boolean()) {
            skip_rest();
        }
    }

  private:
    void fail() { ok_ = false; }
    unsigned byte() {
        if (!ok_ || at_ >= bytes_.size()) return fail(), 0xc1;  // a tag that nothing uses
        return bytes_[at_++];
    }
    std::uint64_t big_endian(unsigned count) {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < count; ++i) value = value << 8 | byte();
        return value;
    }
    void advance(std::uint64_t count) {
        if (!ok_ || count > bytes_.size() - at_) return fail();
        at_ += count;
    }
    std::optional<std::uint32_t> container(unsigned small, unsigned large) {
        const std::size_t start = at_;
        const unsigned tag = byte();
        if ((tag & 0xf0) == small) return tag & 0x0f;
        if (tag == large) return static_cast<std::uint32_t>(big_endian(2));
        if (tag == large + 1) return static_cast<std::uint32_t>(big_endian(4));
        return at_ = start, std::nullopt;
    }
    void skip_rest() {
        const unsigned tag = byte();
        if (tag == 0xc0 || tag >= 0xe0) return;                                              // nil, small negative
        if (tag >= 0xc4 && tag <= 0xc6) return advance(big_endian(1u << (tag - 0xc4)));      // binary
        if (tag >= 0xc7 && tag <= 0xc9) return advance(big_endian(1u << (tag - 0xc7)) + 1);  // extension
        if (tag == 0xca) return advance(4);
        if (tag == 0xcb) return advance(8);
        if (tag >= 0xd4 && tag <= 0xd8) return advance((1u << (tag - 0xd4)) + 1);
        fail();
    }

    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
    bool ok_ = true;
};

KernelMetadata read_kernel(Reader& reader, std::uint32_t entries) {
    KernelMetadata kernel;
    const auto number = [&reader](std::uint32_t& to) {
        if (auto value = reader.integer())
            to = static_cast<std::uint32_t>(*value);
        else
            reader.skip();
    };
    for (std::uint32_t i = 0; reader.ok() && i < entries; ++i) {
        const auto key = reader.string();
        if (!key) {
            reader.skip();
            reader.skip();
        } else if (*key == ".symbol") {
            if (auto value = reader.string())
                kernel.symbol = *value;
            else
                reader.skip();
        } else if (*key == ".kernarg_segment_size") {
            number(kernel.kernarg_size);
        } else if (*key == ".kernarg_segment_align") {
            number(kernel.kernarg_align);
        } else if (*key == ".group_segment_fixed_size") {
            number(kernel.group_size);
        } else if (*key == ".private_segment_fixed_size") {
            number(kernel.private_size);
        } else if (*key == ".uses_dynamic_stack") {
            if (auto value = reader.boolean())
                kernel.dynamic_stack = *value;
            else
                reader.skip();
        } else {
            reader.skip();
        }
    }
    return kernel;
}

}  // namespace

std::vector<KernelMetadata> read_kernel_metadata(std::span<const std::uint8_t> document) {
    std::vector<KernelMetadata> kernels;
    Reader reader(document);
    const auto entries = reader.map();
    for (std::uint32_t i = 0; entries && reader.ok() && i < *entries; ++i) {
        const auto key = reader.string();
        if (key && *key == "amdhsa.kernels") {
            if (const auto count = reader.array()) {
                for (std::uint32_t k = 0; reader.ok() && k < *count; ++k) {
                    if (const auto fields = reader.map())
                        kernels.push_back(read_kernel(reader, *fields));
                    else
                        reader.skip();
                }
                continue;
            }
        }
        if (!key) reader.skip();
        reader.skip();
    }
    return kernels;
}

}  // namespace vrocm::hsa
