#include "hip/copy.h"

#include <algorithm>
#include <cstring>

#include "abi/vrocm/check.h"

namespace vrocm::hip {

void Copy::flatten() {
    if (height > 1 && dst_row == width && src_row == width) {
        if (depth == 1 || (dst_slice == width * height && src_slice == width * height)) {
            width *= height * depth;
            height = depth = 1;
        }
    }
}

void Copy::run() const {
    for (std::size_t z = 0; z < depth; ++z)
        for (std::size_t y = 0; y < height; ++y) {
            std::memmove(dst + z * dst_slice + y * dst_row, src + z * src_slice + y * src_row, width);
            vrocm_check_written(dst + z * dst_slice + y * dst_row, width);
        }
}

std::size_t Fill::bytes_spanned() const {
    if (width == 0 || height == 0 || depth == 0) return 0;
    return (depth - 1) * slice + (height - 1) * row + width * element;
}

void Fill::run() const {
    for (std::size_t z = 0; z < depth; ++z)
        for (std::size_t y = 0; y < height; ++y) {
            std::uint8_t* begin = dst + z * slice + y * row;
            if (element == 1)
                std::memset(begin, static_cast<int>(value), width);
            else if (element == 2)
                std::fill_n(reinterpret_cast<std::uint16_t*>(begin), width, static_cast<std::uint16_t>(value));
            else
                std::fill_n(reinterpret_cast<std::uint32_t*>(begin), width, value);
            vrocm_check_written(begin, width * element);
        }
}

}  // namespace vrocm::hip
