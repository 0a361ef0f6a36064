#include "hsa/memory/address_arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>

namespace vrocm::hsa {

namespace {

constexpr std::uint64_t kChunk = 16ull << 30;  // address space only; costs nothing until touched
constexpr std::uint64_t kHugePage = 2ull << 20;

std::uint64_t align_up(std::uint64_t x, std::uint64_t alignment) {
    return (x + alignment - 1) & ~(alignment - 1);
}

}  // namespace

AddressArena::~AddressArena() {
    if (parent_) return;
    for (const auto& [begin, end] : chunks_) munmap(reinterpret_cast<void*>(begin), end - begin);
}

bool AddressArena::grow_by_block() {
    const std::uint64_t begin = parent_->take(block_);
    if (!begin) return false;
    chunks_[begin] = begin + block_;
    add_free(begin, begin + block_);
    return true;
}

// Blocks are apart by a page of nobody's, so that what is free never spans two.
void AddressArena::give_empty_block(std::uint64_t base) {
    const auto chunk = std::prev(chunks_.upper_bound(base));
    const auto gap = free_.find(chunk->first);
    if (gap == free_.end() || gap->second != chunk->second) return;
    if (!spare_) {
        spare_ = chunk->first;
        return;
    }
    parent_->give(chunk->first);
    free_.erase(gap);
    chunks_.erase(chunk);
}

bool AddressArena::grow(std::uint64_t size) {
    if (parent_) return size <= block_ && grow_by_block();
    const std::uint64_t least = align_up(size + kHugePage, kHugePage);
    std::uint64_t bytes = std::max(kChunk, least);
    void* at;
    // A host that limits address space (ulimit -v, no overcommit) may grant a smaller piece.
    while ((at = mmap(reinterpret_cast<void*>(next_hint_), bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) == MAP_FAILED) {
        if (bytes == least) return false;
        bytes = std::max(bytes / 4, least);
    }
    madvise(at, bytes, MADV_DONTDUMP);
    madvise(at, bytes, MADV_HUGEPAGE);  // for the whole chunk: per block it would split the mapping in many
    const auto begin = reinterpret_cast<std::uint64_t>(at);
    chunks_[begin] = begin + bytes;
    next_hint_ = begin + bytes;
    add_free(begin, begin + bytes);
    return true;
}

std::uint64_t AddressArena::take(std::uint64_t size, std::uint64_t alignment) {
    size = page_up(size);
    // Large blocks start on a huge page: fewer faults and TLB misses when a kernel walks them.
    if (size >= kHugePage) alignment = std::max(alignment, kHugePage);
    for (int attempt = 0; attempt < 2; ++attempt) {
        for (auto gap = free_.begin(); gap != free_.end(); ++gap) {
            const std::uint64_t begin = align_up(gap->first, alignment);
            const std::uint64_t end = begin + size + kPage;
            if (begin < gap->first || end < begin || end > gap->second) continue;
            occupy(gap, begin, end);
            return begin;
        }
        if (!grow(parent_ ? size + kPage : size + alignment + kPage)) return 0;
    }
    return 0;
}

bool AddressArena::take_exact(std::uint64_t base, std::uint64_t size) {
    if (base % kPage || size == 0) return false;
    const std::uint64_t end = base + page_up(size);
    if (chunks_.empty() && base >= next_hint_ && end > base && end <= next_hint_ + kChunk) grow(0);
    auto gap = free_.upper_bound(base);
    if (gap == free_.begin()) return false;
    --gap;
    if (end < base || end > gap->second) return false;
    occupy(gap, base, end);
    return true;
}

void AddressArena::occupy(std::map<std::uint64_t, std::uint64_t>::iterator gap, std::uint64_t begin,
                          std::uint64_t end) {
    const auto [gap_begin, gap_end] = *gap;
    if (gap_begin == spare_) spare_ = 0;
    free_.erase(gap);
    if (gap_begin < begin) free_[gap_begin] = begin;
    if (end < gap_end) free_[end] = gap_end;
    taken_[begin] = end;
}

void AddressArena::give(std::uint64_t base, bool remap) {
    const auto it = taken_.find(base);
    if (it == taken_.end()) return;
    const std::uint64_t end = it->second;
    taken_.erase(it);
    void* const at = reinterpret_cast<void*>(base);
    if (remap)
        mmap(at, end - base, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    else
        madvise(at, end - base, MADV_DONTNEED);
    add_free(base, end);
    if (parent_) give_empty_block(base);
}

void AddressArena::empty(std::uint64_t base) {
    const auto it = taken_.find(base);
    if (it != taken_.end()) madvise(reinterpret_cast<void*>(base), it->second - base, MADV_DONTNEED);
}

void AddressArena::add_free(std::uint64_t begin, std::uint64_t end) {
    auto after = free_.lower_bound(begin);
    if (after != free_.end() && after->first == end) {
        end = after->second;
        after = free_.erase(after);
    }
    if (after != free_.begin()) {
        const auto before = std::prev(after);
        if (before->second == begin) {
            before->second = end;
            return;
        }
    }
    free_[begin] = end;
}

bool AddressArena::owns(std::uint64_t address) const {
    const auto it = chunks_.upper_bound(address);
    return it != chunks_.begin() && address < std::prev(it)->second;
}

std::pair<std::uint64_t, std::uint64_t> AddressArena::block_of(std::uint64_t address) const {
    if (!parent_ || !owns(address)) return {0, 0};
    return *std::prev(chunks_.upper_bound(address));
}

}  // namespace vrocm::hsa
