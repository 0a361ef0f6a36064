// What has been unpacked so far; also the window that matches are copied from.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "compression/decompress.h"

namespace vrocm::compression {

class GrowingOutput {
  public:
    explicit GrowingOutput(std::uint64_t most) : most_(most) {}

    std::size_t size() const { return bytes_.size(); }
    void add(std::uint8_t byte) { add(byte, 1); }
    void add(std::uint8_t byte, std::size_t count) {
        make_room(count);
        bytes_.insert(bytes_.end(), count, byte);
    }
    void add(std::span<const std::uint8_t> more) {
        make_room(more.size());
        bytes_.insert(bytes_.end(), more.begin(), more.end());
    }
    // What lies `distance` back, again; it may run into what it makes.
    void repeat(std::size_t distance, std::size_t length) {
        if (distance == 0 || distance > bytes_.size()) throw Damaged("a match lies before the beginning");
        make_room(length);
        const std::size_t from = bytes_.size() - distance;
        if (distance >= length) {
            bytes_.resize(bytes_.size() + length);
            std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(from), length,
                        bytes_.end() - static_cast<std::ptrdiff_t>(length));
            return;
        }
        for (std::size_t i = 0; i < length; ++i) bytes_.push_back(bytes_[from + i]);
    }
    std::vector<std::uint8_t> take() { return std::move(bytes_); }

  private:
    void make_room(std::size_t more) {
        if (more > most_ - bytes_.size()) throw Damaged("more than its header promises");
    }

    std::uint64_t most_;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace vrocm::compression
