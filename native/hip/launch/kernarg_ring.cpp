#include "hip/launch/kernarg_ring.h"

#include "hip/device/device.h"
#include "hip/error.h"
#include "hip/launch/page_use.h"

namespace vrocm::hip {

namespace {
// A few thousand launches in flight; one kernel's arguments are at most 4 KiB plus hidden ones
// (clang refuses more), so one always fits.
constexpr std::size_t kRingBytes = 1 << 20;
constexpr std::size_t kFewBytes = 32 << 10;
}  // namespace

KernargRing::~KernargRing() {
    if (memory_) hsa_amd_memory_pool_free(memory_);
}

std::size_t KernargRing::place(std::size_t size, std::size_t alignment) const {
    const std::size_t begin = (next_ + alignment - 1) & ~(alignment - 1);
    return begin + size > kRingBytes ? 0 : begin;
}

CompletionPtr KernargRing::in_the_way(std::size_t size, std::size_t alignment) {
    require(size <= kRingBytes);
    // Those known to be done go first; of the others only what is in the way, so that which are left does not depend
    // on how fast the GPU runs here.
    while (!blocks_.empty() && blocks_.front().reader->known_done()) blocks_.pop_front();
    // A host that waits often touches few pages; but the next kernel's arguments are not where the last one's were,
    // for then its caches would have them.
    if (blocks_.empty() && next_ > kFewBytes) next_ = 0;
    const std::size_t begin = place(size, alignment);
    while (!blocks_.empty()) {
        // Blocks are taken in order, so the oldest comes next; when the ring wraps, those left behind at its
        // end must go before the ones at its beginning are looked at.
        const Block& oldest = blocks_.front();
        const bool overlaps = begin < oldest.end && oldest.begin < begin + size;
        const bool left_behind = begin < next_ && oldest.begin >= next_;
        if (!overlaps && !left_behind) return nullptr;
        if (!oldest.reader->really_done()) return oldest.reader;
        blocks_.pop_front();
    }
    return nullptr;
}

std::uint8_t* KernargRing::take(std::size_t size, std::size_t alignment, CompletionPtr reader) {
    if (!memory_) {
        void* memory = nullptr;
        require_hsa(hsa_amd_memory_pool_allocate(device_.kernarg_pool(), kRingBytes, 0, &memory));
        const hsa_agent_t agent = device_.agent();
        require_hsa(hsa_amd_agents_allow_access(1, &agent, nullptr, memory));
        touch_pages_singly(memory, kRingBytes);
        memory_ = static_cast<std::uint8_t*>(memory);
    }
    const std::size_t begin = place(size, alignment);
    next_ = begin + size;
    blocks_.push_back({begin, next_, std::move(reader)});
    return memory_ + begin;
}

}  // namespace vrocm::hip
