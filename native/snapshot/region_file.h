// Region files: memory in chunks of sixteen pages, compressed, without the pages that cost nothing
// (docs/reference/capture-format.md). Writing is streaming: memory stays bounded however large the region is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rpl::snapshot {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kPagesPerChunk = 16;
constexpr std::size_t kChunk = kPage * kPagesPerChunk;

enum class RegionState : std::uint8_t { Before, After };

struct ChunkEntry {
    std::uint64_t offset = 0;
    std::uint32_t stored = 0;
    std::uint16_t pages = 0;  // held, bit 0 the first
    std::uint8_t codec = 0;   // 0 as is, 1 LZ4 block
    std::uint8_t zero = 0;
    std::uint64_t checksum = 0;
};
static_assert(sizeof(ChunkEntry) == 24);

// Failures of reading and writing: what happened, to which file.
struct FileError {
    std::string message;  // for people; names the file and the cause
    int code = 0;         // errno, 0 for files that are not what they should be
};

// A chunk ready to be written. Compressing is apart from writing, so that several threads can compress.
struct PackedChunk {
    ChunkEntry entry;
    std::span<const std::uint8_t> payload;  // in `bytes`, or in the memory itself when it is stored as it is
    std::vector<std::uint8_t> bytes;        // keeps its capacity between uses
};
// `memory` is the chunk (kChunk bytes, zero-filled at the end of a region) and stays until the chunk is written;
// `pages` says which of its pages to hold.
void pack_chunk(std::span<const std::uint8_t, kChunk> memory, std::uint16_t pages, PackedChunk& packed);
// Which pages are not all zero.
std::uint16_t nonzero_pages(std::span<const std::uint8_t, kChunk> memory);

class RegionWriter {
  public:
    RegionWriter() = default;
    ~RegionWriter();
    RegionWriter(const RegionWriter&) = delete;
    RegionWriter& operator=(const RegionWriter&) = delete;
    // Throws FileError, as all below.
    void open(const std::string& path, RegionState state, std::uint64_t base, std::uint64_t size);
    // Chunks in any order, each at most once; those never added hold no page. Safe to call from several threads.
    void add(std::uint64_t chunk, const PackedChunk& packed);
    // Writes index and header and closes the file; the checksum for the manifest (of header and index).
    std::uint64_t finish();
    std::uint64_t stored_bytes() const;  // of payloads

  private:
    struct State;
    State* state_ = nullptr;
};

class RegionReader {
  public:
    RegionReader() = default;
    ~RegionReader();
    RegionReader(RegionReader&&) noexcept;
    RegionReader& operator=(RegionReader&&) noexcept;
    // Checks header, sizes and the index's checksum. Throws FileError, as all below.
    void open(const std::string& path, RegionState state);
    std::uint64_t base() const;
    std::uint64_t size() const;
    std::uint64_t chunk_count() const;
    std::uint64_t checksum() const;  // of header and index, as the manifest has it
    const ChunkEntry& entry(std::uint64_t chunk) const;
    // Writes the held pages over `memory`; pages that are not held stay as they are (for a Before file the caller
    // zeroes first). Checks the checksum; `memory` is undefined when that fails. Safe to call from several threads.
    void read_chunk(std::uint64_t chunk, std::span<std::uint8_t, kChunk> memory) const;

  private:
    struct State;
    State* state_ = nullptr;
};

}  // namespace rpl::snapshot
