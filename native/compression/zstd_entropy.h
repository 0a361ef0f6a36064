// The two entropy codes of zstd (RFC 8878, 4): finite state entropy, and Huffman codes whose lengths it packs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vrocm::compression {

using ZstdBytes = std::span<const std::uint8_t>;

// Bits that were written forwards and are read backwards; the highest bit that is set marks where they begin.
class BackwardBits {
  public:
    explicit BackwardBits(ZstdBytes bytes);

    // Zeros before the beginning, which `left` tells by being negative. At most 32 bits.
    std::uint32_t look(unsigned count) const;
    void drop(unsigned count) { left_ -= count; }
    std::uint32_t take(unsigned count) {
        const std::uint32_t value = look(count);
        drop(count);
        return value;
    }
    std::int64_t left() const { return left_; }

  private:
    std::uint64_t bits_at(std::int64_t position, unsigned count) const;

    ZstdBytes bytes_;
    std::int64_t left_ = 0;
};

// A table of finite state entropy: each state is a symbol and the way to the next state.
class FseTable {
  public:
    struct State {
        std::uint8_t symbol = 0, bits = 0;
        std::uint16_t base = 0;
    };
    FseTable() = default;
    FseTable(std::span<const std::int16_t> shares, unsigned accuracy);
    // One symbol, always.
    static FseTable only(std::uint8_t symbol);
    // From its description at the beginning of `bytes`, which are cut to what follows.
    static FseTable read(ZstdBytes& bytes, unsigned most_accuracy, unsigned most_symbols);

    bool empty() const { return states_.empty(); }
    unsigned accuracy() const { return accuracy_; }
    const State& operator[](std::size_t state) const { return states_[state]; }

  private:
    std::vector<State> states_;
    unsigned accuracy_ = 0;
};

class HuffmanTable {
  public:
    HuffmanTable() = default;
    // Likewise from its description.
    static HuffmanTable read(ZstdBytes& bytes);

    bool empty() const { return entries_.empty(); }
    // Appends `count` literals, which have to be all that is in `stream`.
    void decode(ZstdBytes stream, std::size_t count, std::vector<std::uint8_t>& literals) const;

  private:
    struct Entry {
        std::uint8_t symbol = 0, bits = 0;
    };
    explicit HuffmanTable(std::vector<std::uint8_t> weights);

    std::vector<Entry> entries_;
    unsigned longest_ = 0;
};

}  // namespace vrocm::compression
