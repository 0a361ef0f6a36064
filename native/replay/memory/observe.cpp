#include "replay/memory/observe.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>

#include "replay/failure.h"

namespace rpl::replay {

namespace fs = std::filesystem;
using snapshot::kChunk;
using snapshot::kPage;
using snapshot::kPagesPerChunk;

namespace {

std::uint64_t differing_bytes(const std::uint8_t* a, const std::uint8_t* b, std::size_t size) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < size; ++i) count += a[i] != b[i];
    return count;
}

}  // namespace

Agreement compare_with_captured(const Restore& restore, CopyLanes& lanes, const std::vector<PlacedRegion>& regions,
                                std::uint64_t iteration) {
    Agreement result;
    result.iteration = iteration;
    std::map<std::pair<std::size_t, std::uint64_t>, std::uint16_t> differing;
    std::mutex mutex;
    const std::vector<PageRun>& runs = restore.runs();
    lanes.for_each(runs.size(), [&](CopyLane& lane, std::size_t i) {
        const PageRun& run = runs[i];
        std::vector<std::uint8_t> scratch;
        const std::uint8_t* captured = restore.after(i, scratch);
        std::uint8_t* memory = lane.staging();
        const PlacedRegion& region = regions[run.region];
        if (region.pieces.size() != 1) std::memcpy(memory, captured, run.bytes);  // what has no memory here agrees
        region.read(lane, run.offset, memory, run.bytes, true);
        if (std::memcmp(memory, captured, run.bytes) == 0) return;
        for (std::uint64_t at = 0; at < run.bytes; at += kPage) {
            const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(kPage, run.bytes - at));
            const std::uint64_t bytes = differing_bytes(memory + at, captured + at, count);
            if (!bytes) continue;
            const std::uint64_t page = (run.offset + at) / kPage;
            std::lock_guard lock(mutex);
            ++result.differing_pages;
            result.differing_bytes += bytes;
            differing[{run.region, page / kPagesPerChunk}] |= static_cast<std::uint16_t>(1u << page % kPagesPerChunk);
        }
    });
    for (const auto& [where, pages] : differing) result.chunks.push_back({where.first, where.second, pages});
    return result;
}

Observer::Observer(std::string folder) : folder_(std::move(folder)) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error)
        throw Failure{ExitCode::BadInput, "observe", "cannot make " + folder_ + ": " + error.message(),
                      "name a folder with --observe that can be made"};
    if (fs::exists(iteration_folder(0)))
        throw Failure{ExitCode::BadInput, "observe", folder_ + " holds results of another replay",
                      "name another folder with --observe, or delete this one"};
}

std::string Observer::iteration_folder(std::uint64_t iteration) const {
    return folder_ + "/iteration_" + std::to_string(iteration);
}

void Observer::discard(std::uint64_t iterations) const {
    std::error_code ignored;  // what cannot be deleted was not written either
    for (std::uint64_t k = 0; k < iterations; ++k) fs::remove_all(iteration_folder(k), ignored);
    fs::remove(folder_, ignored);  // if there is nothing else in it
}

void Observer::write(const Agreement& agreement, CopyLanes& lanes, const std::vector<PlacedRegion>& regions) const {
    const std::string folder = iteration_folder(agreement.iteration);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw Failure{ExitCode::BadInput, "observe", "cannot make " + folder + ": " + error.message(),
                      "see whether the disk is full"};
    std::array<std::uint8_t, kChunk> memory;
    snapshot::PackedChunk packed;
    for (auto it = agreement.chunks.begin(); it != agreement.chunks.end();) {
        const PlacedRegion& region = regions[it->region];
        char name[40];
        std::snprintf(name, sizeof name, "/after_%016llx.bin", static_cast<unsigned long long>(region.captured->base));
        snapshot::RegionWriter writer;
        writer.open(folder + name, snapshot::RegionState::After, region.captured->base, region.size());
        for (const std::size_t same = it->region; it != agreement.chunks.end() && it->region == same; ++it) {
            region.contents(snapshot::RegionState::After, it->chunk, memory);  // for parts that have no memory here
            region.read(lanes.first(), it->chunk * kChunk, memory.data(), region.chunk_bytes(it->chunk), false);
            snapshot::pack_chunk(memory, it->pages, packed);
            writer.add(it->chunk, packed);
        }
        writer.finish();
    }
}

}  // namespace rpl::replay
