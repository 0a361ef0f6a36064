#include "hip/memory/copy.h"

#include <algorithm>
#include <cstring>

#include "abi/vrocm/check.h"
#include "abi/vrocm/memory.h"

namespace vrocm::hip {

void Copy::flatten() {
    if (height > 1 && dst_row == width && src_row == width) {
        if (depth == 1 || (dst_slice == width * height && src_slice == width * height)) {
            width *= height * depth;
            height = depth = 1;
        }
    }
}

bool Copy::run() const {
    for (std::size_t z = 0; z < depth; ++z)
        for (std::size_t y = 0; y < height; ++y) {
            std::uint8_t* const to = dst + z * dst_slice + y * dst_row;
            void* const target = vrocm_memory_gpu_view(to, width);
            const void* const source = vrocm_memory_gpu_view(src + z * src_slice + y * src_row, width);
            if (!target || !source) return false;
            std::memmove(target, source, width);
            vrocm_check_written(to, width);
        }
    return true;
}

std::size_t Fill::bytes_spanned() const {
    if (width == 0 || height == 0 || depth == 0) return 0;
    return (depth - 1) * slice + (height - 1) * row + width * element;
}

bool Fill::run() const {
    for (std::size_t z = 0; z < depth; ++z)
        for (std::size_t y = 0; y < height; ++y) {
            std::uint8_t* const begin = dst + z * slice + y * row;
            void* const target = vrocm_memory_gpu_view(begin, width * element);
            if (!target) return false;
            if (element == 1)
                std::memset(target, static_cast<int>(value), width);
            else if (element == 2)
                std::fill_n(static_cast<std::uint16_t*>(target), width, static_cast<std::uint16_t>(value));
            else
                std::fill_n(static_cast<std::uint32_t*>(target), width, value);
            vrocm_check_written(begin, width * element);
        }
    return true;
}

}  // namespace vrocm::hip
