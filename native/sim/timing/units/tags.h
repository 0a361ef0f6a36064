// The tags of a set-associative cache with least-recently-used replacement.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "sim/timing/parameters.h"

namespace vrocm::sim::timing {

class Tags {
  public:
    struct Line {
        std::uint64_t name = 0;   // line number << 16 | generation; 0: empty
        std::uint32_t ready = 0;  // clock of the dispatch at which its fill arrives
        std::uint32_t used = 0;   // by the recency counter
        std::uint64_t number() const { return name >> 16; }
    };

    Tags() = default;
    explicit Tags(const CacheShape& shape) : Tags(shape.line ? shape.bytes / shape.line : 0, shape.ways) {}
    Tags(std::uint64_t lines, unsigned ways) : ways_(ways) {
        if (lines == 0) return;
        sets_ = std::bit_floor(lines / ways);
        // calloc: a large cache costs no memory until it is used.
        lines_.reset(static_cast<Line*>(std::calloc(sets_ * ways_, sizeof(Line))));
        dirty_.reset(static_cast<std::uint8_t*>(std::calloc(sets_ * ways_, 1)));
        if (!lines_ || !dirty_) throw std::bad_alloc();
    }
    bool present() const { return sets_ != 0; }
    static constexpr std::uint64_t kNowhere = 1ull << 40;  // lines from here on stand for others: fill_up

    Line* find(std::uint64_t number) {
        const std::uint64_t name = name_of(number);
        Line* set = set_of(number);
        for (unsigned i = 0; i < ways_; ++i)
            if (set[i].name == name) {
                if (static_cast<std::int32_t>(set[i].used - settled_) <= 0) set[i].ready = 0;
                set[i].used = ++clock_;
                return &set[i];
            }
        return nullptr;
    }

    struct Evicted {
        std::uint64_t number = 0;
        std::uint8_t dirty = 0;  // a bit for each 64 bytes
    };
    // The place for a line that is not there, taken from the one used longest ago.
    Line* insert(std::uint64_t number, Cycle ready, Evicted& evicted) {
        Line* set = set_of(number);
        Line* victim = set;
        for (unsigned i = 0; i < ways_; ++i) {
            if (!live(set[i])) {
                victim = &set[i];
                break;
            }
            if (static_cast<std::int32_t>(set[i].used - victim->used) < 0) victim = &set[i];
        }
        evicted = {};
        std::uint8_t& dirty = dirty_.get()[victim - lines_.get()];
        if (live(*victim) && dirty) evicted = {victim->number(), dirty};
        dirty = 0;
        *victim = {name_of(number), static_cast<std::uint32_t>(ready), ++clock_};
        return victim;
    }
    std::uint8_t& dirty(const Line* line) { return dirty_.get()[line - lines_.get()]; }
    // As dirty() |= bits, for a cache that will be cleaned.
    void soil(const Line* line, std::uint8_t bits) {
        std::uint8_t& dirty = dirty_.get()[line - lines_.get()];
        if (dirty == 0 && soiled_.size() < 2 * sets_ * ways_)
            soiled_.push_back(static_cast<std::uint32_t>(line - lines_.get()));
        dirty |= bits;
    }
    void remove(Line* line) {
        dirty(line) = 0;
        line->name = 0;
    }

    // Forgets all lines at once.
    void clear() {
        if (++generation_ == 0) {
            for (std::uint64_t i = 0; i < sets_ * ways_; ++i) lines_.get()[i] = {};
            generation_ = 1;
        }
    }
    // Fills places that hold nothing with lines that nobody will ask for, `dirty` thousandths of them dirty: as a
    // stream that is longer than the cache leaves it.
    void fill_up(unsigned dirty_share) {
        filled_ = true;
        for (std::uint64_t i = 0; i < sets_ * ways_; ++i) {
            Line& line = lines_.get()[i];
            if (live(line)) continue;
            line = {name_of(kNowhere + i), 0, settled_};
            dirty_.get()[i] = i * 619 % 1000 < dirty_share ? 3 : 0;  // 619: spreads them evenly
        }
    }
    // Fills that were on their way when the last dispatch ended have arrived.
    void settle() { settled_ = clock_; }
    // Gives each dirty line to `f`; it is clean afterwards.
    template <typename F>
    void clean(F&& f) {
        const auto clean_one = [&](std::uint64_t i) {
            if (dirty_.get()[i] && live(lines_.get()[i])) f(lines_.get()[i].number(), dirty_.get()[i]);
            dirty_.get()[i] = 0;
        };
        // Most kernels soil few lines; one that soiled more than the list holds, and one that was filled up, need a
        // look at all.
        if (filled_ || soiled_.size() >= 2 * sets_ * ways_)
            for (std::uint64_t i = 0; i < sets_ * ways_; ++i) clean_one(i);
        else
            for (const std::uint32_t i : soiled_) clean_one(i);
        soiled_.clear();
        filled_ = false;
    }

  private:
    struct Free {
        void operator()(void* p) const { std::free(p); }
    };
    bool live(const Line& line) const { return line.name != 0 && (line.name & 0xffff) == generation_; }
    std::uint64_t name_of(std::uint64_t number) const { return number << 16 | generation_; }
    // Higher bits take part, so that strides of a power of two spread over the sets.
    Line* set_of(std::uint64_t number) const {
        const std::uint64_t hash = number ^ number >> 11 ^ number >> 17;
        return lines_.get() + (hash & (sets_ - 1)) * ways_;
    }
    std::uint64_t sets_ = 0;
    unsigned ways_ = 1;
    std::unique_ptr<Line[], Free> lines_;
    std::unique_ptr<std::uint8_t[], Free> dirty_;
    std::uint32_t clock_ = 0, settled_ = 0;
    std::uint16_t generation_ = 1;
    std::vector<std::uint32_t> soiled_;  // places that were, since the last clean()
    bool filled_ = false;
};

}  // namespace vrocm::sim::timing
