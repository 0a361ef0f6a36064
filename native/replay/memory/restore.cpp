#include "replay/memory/restore.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace rpl::replay {

using snapshot::kChunk;
using snapshot::kPage;
using snapshot::kPagesPerChunk;
using snapshot::RegionState;

namespace {

constexpr std::uint64_t kBatchChunks = CopyLane::kStaging / kChunk;
// Of each of the two states: 256 MiB together.
constexpr std::size_t kCache = 128u << 20;
constexpr std::uint64_t kLongestRun = 1u << 20;

std::span<std::uint8_t, kChunk> chunk_at(std::uint8_t* memory) {
    return std::span<std::uint8_t, kChunk>(memory, kChunk);
}

}  // namespace

void PointerSearch::look_at(std::uint64_t address, const std::uint8_t* bytes, std::size_t size) {
    for (std::size_t at = (8 - address % 8) % 8; at + 8 <= size; at += 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes + at, sizeof word);
        if (word - range_.base >= range_.size) continue;
        std::lock_guard lock(mutex_);
        if (const auto known = found_.find(word); known != found_.end())
            known->second = std::min(known->second, address + at);
        else if (found_.size() < kMost)
            found_[word] = address + at;
        else
            complete_ = false;
    }
}

Restore::Restore(const HsaLibrary& hsa, const ReplayDevice& device, CopyLanes& lanes,
                 std::vector<PlacedRegion>& regions)
    : hsa_(hsa), device_(device), lanes_(lanes), regions_(regions), dirty_(regions) {}

std::uint64_t Restore::bytes() const {
    std::uint64_t sum = 0;
    for (const PlacedRegion& region : regions_) sum += region.size();
    return sum;
}

// ---- everything ----

std::vector<Restore::Batch> Restore::batches(bool globals) const {
    std::vector<Batch> list;
    for (std::size_t r = 0; r < regions_.size(); ++r) {
        if ((regions_[r].captured->kind == RegionKind::Globals) != globals) continue;
        const std::uint64_t chunks = regions_[r].chunk_count();
        for (std::uint64_t chunk = 0; chunk < chunks; chunk += kBatchChunks)
            list.push_back({r, chunk, std::min(kBatchChunks, chunks - chunk)});
    }
    return list;
}

void Restore::restore_batch(CopyLane& lane, const Batch& batch, PointerSearch* search) const {
    const PlacedRegion& region = regions_[batch.region];
    bool any = !region.patches.empty();
    for (std::uint64_t i = 0; i < batch.chunks && !any; ++i)
        any = region.captured->before->pages(batch.first_chunk + i) != 0;
    const std::uint64_t offset = batch.first_chunk * kChunk;
    const std::size_t size =
        static_cast<std::size_t>(std::min<std::uint64_t>(batch.chunks * kChunk, region.size() - offset));
    if (!any) {
        if (!region.host) region.zero(lane, offset, size);
        return;
    }
    for (std::uint64_t i = 0; i < batch.chunks; ++i) {
        std::uint8_t* const memory = lane.staging() + i * kChunk;
        region.contents(RegionState::Before, batch.first_chunk + i, chunk_at(memory));
        if (search && region.captured->before->pages(batch.first_chunk + i))
            search->look_at(region.captured->base + offset + i * kChunk, memory, kChunk);
    }
    region.write(lane, offset, lane.staging(), size, true);
}

void Restore::globals() {
    const std::vector<Batch> list = batches(true);
    lanes_.for_each(list.size(), [&](CopyLane& lane, std::size_t i) { restore_batch(lane, list[i], nullptr); });
}

void Restore::all_but_globals(PointerSearch* search) {
    const std::vector<Batch> list = batches(false);
    lanes_.for_each(list.size(), [&](CopyLane& lane, std::size_t i) { restore_batch(lane, list[i], search); });
}

// ---- dirty pages ----

void Restore::run_contents(RegionState state, const PageRun& run, std::uint8_t* into) const {
    const PlacedRegion& region = regions_[run.region];
    std::array<std::uint8_t, kChunk> memory;
    for (std::uint64_t done = 0; done < run.bytes;) {
        const std::uint64_t at = run.offset + done, chunk = at / kChunk, within = at % kChunk;
        const std::uint64_t part = std::min<std::uint64_t>(kChunk - within, run.bytes - done);
        region.contents(state, chunk, memory);
        std::memcpy(into + done, memory.data() + within, part);
        done += part;
    }
}

void Restore::prepare() {
    runs_ = dirty_.runs(kLongestRun);
    kept_.assign(runs_.size(), std::nullopt);
    std::size_t used = 0;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        if (runs_[i].bytes > kCache - used) continue;
        kept_[i] = used;
        used += runs_[i].bytes;
    }
    before_cache_.reset();
    if (used) before_cache_ = std::make_unique<PinnedMemory>(hsa_, device_, device_.host, used);
    after_cache_.resize(used);
    lanes_.for_each(runs_.size(), [&](CopyLane&, std::size_t i) {
        if (!kept(i)) return;
        run_contents(RegionState::Before, runs_[i], before_cache_->data() + *kept_[i]);
        run_contents(RegionState::After, runs_[i], after_cache_.data() + *kept_[i]);
    });
}

void Restore::dirty_pages() {
    lanes_.for_each(runs_.size(), [&](CopyLane& lane, std::size_t i) {
        const PageRun& run = runs_[i];
        const std::uint8_t* bytes = lane.staging();
        if (kept(i))
            bytes = before_cache_->data() + *kept_[i];
        else
            run_contents(RegionState::Before, run, lane.staging());
        regions_[run.region].write(lane, run.offset, bytes, run.bytes, true);
    });
}

const std::uint8_t* Restore::after(std::size_t run, std::vector<std::uint8_t>& scratch) const {
    if (kept(run)) return after_cache_.data() + *kept_[run];
    scratch.resize(runs_[run].bytes);
    run_contents(RegionState::After, runs_[run], scratch.data());
    return scratch.data();
}

// ---- changes elsewhere ----

std::uint64_t Restore::compare_batch(CopyLane& lane, const Batch& batch) {
    const PlacedRegion& region = regions_[batch.region];
    std::array<std::uint8_t, kChunk> captured;
    const std::uint64_t offset = batch.first_chunk * kChunk;
    const std::size_t size =
        static_cast<std::size_t>(std::min<std::uint64_t>(batch.chunks * kChunk, region.size() - offset));
    const bool whole = region.pieces.size() == 1 && region.pieces.front().size == region.size();
    if (region.pieces.empty()) return 0;
    if (!whole)  // what has no memory here is as captured
        for (std::uint64_t i = 0; i < batch.chunks; ++i)
            region.contents(RegionState::Before, batch.first_chunk + i, chunk_at(lane.staging() + i * kChunk));
    region.read(lane, offset, lane.staging(), size, true);
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < batch.chunks; ++i) {
        const std::uint64_t chunk = batch.first_chunk + i;
        const std::size_t bytes = region.chunk_bytes(chunk);
        const std::uint16_t known = dirty_.mask(batch.region, chunk);
        const std::uint8_t* memory = lane.staging() + i * kChunk;
        region.contents(RegionState::Before, chunk, captured);
        for (std::size_t page = 0; page * kPage < bytes; ++page) {
            const std::size_t at = page * kPage, count = std::min(kPage, bytes - at);
            if (known >> page & 1 || std::memcmp(memory + at, captured.data() + at, count) == 0) continue;
            dirty_.add(batch.region, chunk, static_cast<std::uint16_t>(1u << page));
            ++found;
        }
    }
    return found;
}

std::uint64_t Restore::find_changes() {
    std::vector<Batch> list = batches(false);
    const std::vector<Batch> of_globals = batches(true);
    list.insert(list.end(), of_globals.begin(), of_globals.end());
    std::atomic<std::uint64_t> found{0};
    lanes_.for_each(list.size(), [&](CopyLane& lane, std::size_t i) { found += compare_batch(lane, list[i]); });
    return found;
}

}  // namespace rpl::replay
