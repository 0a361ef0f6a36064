// A region file of a capture. There can be more of them than a process may have open, so they are opened when they are
// read, and the ones used last stay open.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "snapshot/region_file.h"

namespace rpl::replay {

class OpenFiles {
  public:
    // Throws snapshot::FileError.
    std::shared_ptr<const snapshot::RegionReader> get(const std::string& path, snapshot::RegionState state);

  private:
    struct Open {
        std::shared_ptr<const snapshot::RegionReader> reader;
        std::list<std::string>::iterator place;
    };
    std::mutex mutex_;
    std::list<std::string> order_;  // used last first
    std::map<std::string, Open> open_;
};

class CapturedFile {
  public:
    CapturedFile(std::shared_ptr<OpenFiles> files, std::string path, snapshot::RegionState state);

    std::uint64_t base() const { return base_; }
    std::uint64_t size() const { return size_; }
    std::uint64_t chunk_count() const { return chunks_; }
    // As those of snapshot::RegionReader; throw snapshot::FileError.
    std::uint16_t pages(std::uint64_t chunk) const;
    void read_chunk(std::uint64_t chunk, std::span<std::uint8_t, snapshot::kChunk> memory) const;

  private:
    std::shared_ptr<OpenFiles> files_;
    std::string path_;
    snapshot::RegionState state_;
    std::uint64_t base_ = 0, size_ = 0, chunks_ = 0;
};

}  // namespace rpl::replay
