#include "replay/dirty_pages.h"

#include <algorithm>
#include <bit>

namespace rpl::replay {

using snapshot::kChunk;
using snapshot::kPage;
using snapshot::kPagesPerChunk;

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
        bool open = false;
        for (std::uint64_t chunk = 0; chunk < masks_[r].size(); ++chunk) {
            const std::uint16_t mask = masks_[r][chunk];
            if (!mask) open = false;
            for (unsigned page = 0; mask && page < kPagesPerChunk; ++page) {
                const std::uint64_t offset = chunk * kChunk + page * kPage;
                if (!(mask >> page & 1) || offset >= size) {
                    open = false;
                    continue;
                }
                const std::uint64_t bytes = std::min<std::uint64_t>(kPage, size - offset);
                if (open && runs.back().bytes + bytes <= most)
                    runs.back().bytes += bytes;
                else
                    runs.push_back({r, offset, bytes});
                open = true;
            }
        }
    }
    return runs;
}

}  // namespace rpl::replay
