// A range of memory that belongs to a capture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snapshot/json.h"

namespace rpl::capture {

struct Region {
    std::uint64_t base = 0, size = 0;  // as asked for
    const char* kind = "";             // as in memory_regions.json
    snapshot::Json pool;
    std::optional<unsigned> gpu;  // it lies on; none: host memory
    bool read_only = false;
    std::optional<std::uint64_t> handle;
    std::uint64_t handle_offset = 0;

    bool host_memory = false;     // the host's threads may write to it at any time
    std::uint64_t read_from = 0;  // where the host finds it
    bool stored = true;           // false: the same memory as a region before it
    bool arguments = false;       // memory for kernel arguments, which hosts write wherever it lies
    // Such memory that this kernel has no pointer into: what lies there is for other kernels.
    bool foreign_arguments = false;
    bool may_be_unmapped = false;  // memory of the application's own, which it may have given back

    // What the snapshots found.
    std::string file, after_file;  // within the capture; empty: none
    std::uint64_t stored_bytes = 0, changed_pages = 0, changed_bytes = 0;
    std::uint64_t file_checksum = 0, after_checksum = 0;

    bool written_by_host() const { return host_memory || arguments; }
    std::uint64_t end() const { return base + size; }
    bool contains(std::uint64_t address) const { return address >= base && address - base < size; }
};

}  // namespace rpl::capture
