#include "sim/observe/byte_set.h"

#include <algorithm>
#include <bit>

namespace vrocm::sim::observe {

namespace {

// Bits [first, end) of a word.
std::uint64_t bits(unsigned first, unsigned end) {
    const std::uint64_t upto = end == 64 ? ~0ull : (1ull << end) - 1;
    return upto & ~0ull << first;
}

}  // namespace

ByteSet::Page& ByteSet::page(std::uint64_t number) {
    Recent& recent = recent_[slot(number)];
    if (recent.number != number) {
        const auto [it, fresh] = pages_.try_emplace(number);
        if (fresh) it->second.words = std::make_unique<Words>();
        recent = {number, &it->second};
    }
    return *recent.page;
}

const ByteSet::Page* ByteSet::find(std::uint64_t number) const {
    const Recent& recent = recent_[slot(number)];
    if (recent.number == number) return recent.page;
    const auto it = pages_.find(number);
    return it == pages_.end() ? nullptr : &it->second;
}

void ByteSet::settle(Page& page, unsigned added) {
    page.count += added;
    if (page.count == 1u << kPageBits) page.words.reset();
}

void ByteSet::put(Page& page, unsigned first, unsigned end, const Page* except) {
    if (!page.words || (except && !except->words)) return;
    unsigned added = 0;
    for (unsigned at = first; at < end;) {
        const unsigned word = at / 64, stop = std::min(end, (word + 1) * 64);
        std::uint64_t mask = bits(at % 64, stop - word * 64);
        if (except) mask &= ~(*except->words)[word];
        std::uint64_t& to = (*page.words)[word];
        added += static_cast<unsigned>(std::popcount(mask & ~to));
        to |= mask;
        at = stop;
    }
    settle(page, added);
}

void ByteSet::add(std::uint64_t begin, std::uint64_t end) {
    while (begin < end) {
        const std::uint64_t number = begin >> kPageBits, start = number << kPageBits;
        const std::uint64_t stop = std::min(end - start, std::uint64_t{1} << kPageBits);
        put(page(number), static_cast<unsigned>(begin - start), static_cast<unsigned>(stop), nullptr);
        begin = start + stop;
    }
}

void ByteSet::add_outside(std::uint64_t begin, std::uint64_t end, const ByteSet& except) {
    if (except.empty()) return add(begin, end);
    while (begin < end) {
        const std::uint64_t number = begin >> kPageBits, start = number << kPageBits;
        const std::uint64_t stop = std::min(end - start, std::uint64_t{1} << kPageBits);
        put(page(number), static_cast<unsigned>(begin - start), static_cast<unsigned>(stop), except.find(number));
        begin = start + stop;
    }
}

void ByteSet::add(const ByteSet& other) {
    for (const auto& [number, theirs] : other.pages_) {
        Page& ours = page(number);
        if (!ours.words) continue;
        if (!theirs.words) {
            ours.words.reset();
            ours.count = 1u << kPageBits;
            continue;
        }
        unsigned added = 0;
        for (unsigned i = 0; i < kWords; ++i) {
            added += static_cast<unsigned>(std::popcount((*theirs.words)[i] & ~(*ours.words)[i]));
            (*ours.words)[i] |= (*theirs.words)[i];
        }
        settle(ours, added);
    }
}

void ByteSet::remove(std::uint64_t begin, std::uint64_t end) {
    while (begin < end) {
        const std::uint64_t number = begin >> kPageBits, start = number << kPageBits;
        const std::uint64_t stop = std::min(end - start, std::uint64_t{1} << kPageBits);
        Page* found = const_cast<Page*>(find(number));
        if (found) {
            if (!found->words) {
                found->words = std::make_unique<Words>();
                found->words->fill(~0ull);
            }
            for (std::uint64_t at = begin - start; at < stop;) {
                const std::uint64_t word = at / 64, upto = std::min(stop, (word + 1) * 64);
                std::uint64_t& bytes = (*found->words)[word];
                const std::uint64_t mask =
                    bytes & bits(static_cast<unsigned>(at % 64), static_cast<unsigned>(upto - word * 64));
                found->count -= static_cast<unsigned>(std::popcount(mask));
                bytes &= ~mask;
                at = upto;
            }
            if (found->count == 0) {
                recent_[slot(number)] = {};
                pages_.erase(number);
            }
        }
        begin = start + stop;
    }
}

bool ByteSet::contains_any(std::uint64_t begin, std::uint64_t end) const {
    while (begin < end) {
        const std::uint64_t number = begin >> kPageBits, start = number << kPageBits;
        const std::uint64_t stop = std::min(end - start, std::uint64_t{1} << kPageBits);
        if (const Page* found = find(number)) {
            if (!found->words) return true;
            for (std::uint64_t at = begin - start; at < stop;) {
                const std::uint64_t word = at / 64, upto = std::min(stop, (word + 1) * 64);
                if ((*found->words)[word] &
                    bits(static_cast<unsigned>(at % 64), static_cast<unsigned>(upto - word * 64)))
                    return true;
                at = upto;
            }
        }
        begin = start + stop;
    }
    return false;
}

bool ByteSet::contains(std::uint64_t address) const {
    const Page* page = find(address >> kPageBits);
    if (!page) return false;
    const unsigned at = address & ((1u << kPageBits) - 1);
    return !page->words || ((*page->words)[at / 64] >> at % 64 & 1);
}

void ByteSet::clear() {
    pages_.clear();
    recent_.fill({});
}

std::vector<ByteSet::Range> ByteSet::ranges() const {
    std::vector<std::uint64_t> numbers;
    numbers.reserve(pages_.size());
    for (const auto& [number, page] : pages_)
        if (page.count) numbers.push_back(number);
    std::sort(numbers.begin(), numbers.end());
    std::vector<Range> found;
    const auto extend = [&](std::uint64_t begin, std::uint64_t end) {
        if (!found.empty() && found.back().second == begin)
            found.back().second = end;
        else
            found.emplace_back(begin, end);
    };
    for (const std::uint64_t number : numbers) {
        const std::uint64_t start = number << kPageBits;
        const Page& page = pages_.at(number);
        if (!page.words) {
            extend(start, start + (1u << kPageBits));
            continue;
        }
        for (unsigned word = 0; word < kWords; ++word) {
            const std::uint64_t first = start + word * 64;
            std::uint64_t left = (*page.words)[word];
            while (left) {
                const auto from = static_cast<unsigned>(std::countr_zero(left));
                const auto length = static_cast<unsigned>(std::countr_one(left >> from));
                extend(first + from, first + from + length);
                left &= ~bits(from, from + length);
            }
        }
    }
    return found;
}

}  // namespace vrocm::sim::observe
