#include "replay/memory/dirty_pages.h"

#include <algorithm>
#include <bit>

namespace rpl::replay {

using snapshot::kChunk;
using snapshot::kPage;
using snapshot::kPagesPerChunk;

// Clean pages between dirty ones that are taken along: a copy of its own takes longer than moving as many bytes
// (chosen: tens of microseconds a copy against some 10 GB/s).
constexpr std::uint64_t kBridged = 4 * kPage;

DirtyPages::DirtyPages(const std::vector<PlacedRegion>& regions) : regions_(regions) {
    for (const PlacedRegion& region : regions) masks_.emplace_back(region.chunk_count(), 0);
}

void DirtyPages::add_bytes(std::size_t region, std::uint64_t offset, std::uint64_t size) {
    for (std::uint64_t page = offset / kPage; page * kPage < offset + size; ++page)
        add(region, page / kPagesPerChunk, static_cast<std::uint16_t>(1u << page % kPagesPerChunk));
}

void DirtyPages::add_captured_changes() {
    for (std::size_t r = 0; r < regions_.size(); ++r) {
        const auto& after = regions_[r].captured->after;
        for (std::uint64_t chunk = 0; after && chunk < after->chunk_count(); ++chunk)
            add(r, chunk, after->pages(chunk));
    }
}

void DirtyPages::add_everything() {
    for (std::size_t r = 0; r < regions_.size(); ++r)
        if (!regions_[r].captured->read_only) add_bytes(r, 0, regions_[r].size());
}

std::uint64_t DirtyPages::count() const {
    std::uint64_t pages = 0;
    for (const auto& region : masks_)
        for (const std::uint16_t mask : region) pages += static_cast<std::uint64_t>(std::popcount(mask));
    return pages;
}

std::vector<PageRun> DirtyPages::runs(std::uint64_t most) const {
    std::vector<PageRun> runs;
    for (std::size_t r = 0; r < masks_.size(); ++r) {
        const std::uint64_t size = regions_[r].size();
        for (std::uint64_t chunk = 0; chunk < masks_[r].size(); ++chunk) {
            for (unsigned mask = masks_[r][chunk]; mask; mask &= mask - 1) {
                const std::uint64_t offset = chunk * kChunk + static_cast<unsigned>(std::countr_zero(mask)) * kPage;
                if (offset >= size) break;
                const std::uint64_t end = std::min<std::uint64_t>(offset + kPage, size);
                PageRun* const last = runs.empty() || runs.back().region != r ? nullptr : &runs.back();
                if (last && offset - (last->offset + last->bytes) <= kBridged && end - last->offset <= most)
                    last->bytes = end - last->offset;
                else
                    runs.push_back({r, offset, end - offset});
            }
        }
    }
    return runs;
}

}  // namespace rpl::replay
