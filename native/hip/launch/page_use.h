// How much real memory a block takes of which little may ever be used.
#pragma once

#include <sys/mman.h>

#include <cstddef>

namespace vrocm::hip {

// Huge pages make large blocks fast; here the first byte would take 2 MiB.
inline void touch_pages_singly(void* block, std::size_t bytes) {
    madvise(block, bytes, MADV_NOHUGEPAGE);
}

}  // namespace vrocm::hip
