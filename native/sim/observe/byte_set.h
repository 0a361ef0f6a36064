// A set of addresses, byte by byte: one bit for each byte of the pages that are partly in it, none for whole pages.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vrocm::sim::observe {

class ByteSet {
  public:
    using Range = std::pair<std::uint64_t, std::uint64_t>;  // begin, end

    void add(std::uint64_t begin, std::uint64_t end);
    // Adds what is in the range and not in `except`.
    void add_outside(std::uint64_t begin, std::uint64_t end, const ByteSet& except);
    void add(const ByteSet& other);
    void remove(std::uint64_t begin, std::uint64_t end);
    bool contains_any(std::uint64_t begin, std::uint64_t end) const;
    bool empty() const { return pages_.empty(); }
    bool contains(std::uint64_t address) const;
    void clear();
    std::vector<Range> ranges() const;  // sorted, not touching each other

  private:
    static constexpr unsigned kPageBits = 12, kWords = (1u << kPageBits) / 64;
    using Words = std::array<std::uint64_t, kWords>;
    struct Page {
        std::unique_ptr<Words> words;  // null: every byte is in the set
        unsigned count = 0;            // bytes in the set
    };
    // Where recently used pages are; entries of an unordered_map do not move.
    struct Recent {
        std::uint64_t number = ~0ull;
        Page* page = nullptr;
    };

    Page& page(std::uint64_t number);
    const Page* find(std::uint64_t number) const;
    static void put(Page& page, unsigned first, unsigned end, const Page* except);
    static void settle(Page& page, unsigned added);
    static unsigned slot(std::uint64_t number) { return (number ^ number >> 4 ^ number >> 9) % kRecent; }

    static constexpr unsigned kRecent = 16;
    std::unordered_map<std::uint64_t, Page> pages_;
    std::array<Recent, kRecent> recent_;
};

}  // namespace vrocm::sim::observe
