// A box of bytes moved from one pitched place to another: every HIP copy is one of these.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vrocm::hip {

struct Copy {
    std::uint8_t* dst = nullptr;
    const std::uint8_t* src = nullptr;
    std::size_t dst_row = 0, dst_slice = 0;  // bytes from row to row, from slice to slice
    std::size_t src_row = 0, src_slice = 0;
    std::size_t width = 0, height = 1, depth = 1;  // width in bytes

    static Copy linear(void* dst, const void* src, std::size_t bytes) {
        Copy made;
        made.dst = static_cast<std::uint8_t*>(dst);
        made.src = static_cast<const std::uint8_t*>(src);
        made.width = bytes;
        return made;
    }
    bool empty() const { return width == 0 || height == 0 || depth == 0; }
    bool is_linear() const { return height == 1 && depth == 1; }
    // Rows and slices without gaps are one linear piece.
    void flatten();
    // On the calling thread, now. False when a part is not memory that GPUs may use.
    bool run() const;
};

// A box of equal elements of 1, 2 or 4 bytes.
struct Fill {
    std::uint8_t* dst = nullptr;
    std::size_t row = 0, slice = 0;
    std::size_t width = 0, height = 1, depth = 1;  // width in elements
    std::uint32_t value = 0;
    unsigned element = 1;

    std::size_t bytes_spanned() const;
    bool run() const;
};

}  // namespace vrocm::hip
