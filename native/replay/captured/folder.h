// A capture on disk, read and checked (docs/reference/capture-format.md): what was dispatched, with which memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codeobj/code_object.h"
#include "replay/captured/file.h"
#include "snapshot/capture_keys.h"
#include "snapshot/json.h"
#include "snapshot/region_file.h"

namespace rpl::replay {

enum class RegionKind : std::uint8_t { ReplayDevice, Host, Locked, Managed, Vmem, Globals };
const char* name_of(RegionKind kind);
// Memory of the host that is mapped at its address, as opposed to memory that the runtime gives.
bool is_host(RegionKind kind);

struct CapturedRegion {
    std::uint64_t base = 0, size = 0;
    RegionKind kind = RegionKind::ReplayDevice;
    std::string pool;     // "coarse", "fine", "kernarg", ""
    bool on_gpu = false;  // vmem: where its handle lies
    bool read_only = false;
    std::string handle;  // empty unless Vmem
    std::uint64_t handle_offset = 0;
    std::uint64_t changed_pages = 0, changed_bytes = 0;
    // Null for the second mapping of a handle, whose contents are stored with the first.
    std::unique_ptr<CapturedFile> before;
    std::unique_ptr<CapturedFile> after;  // null: the kernel changed nothing
    std::uint64_t end() const { return base + size; }
    std::uint64_t chunk_count() const { return before ? before->chunk_count() : 0; }
};

struct AddressRange {
    std::uint64_t base = 0, size = 0;
    std::uint64_t end() const { return base + size; }
};

struct CapturedHandle {
    std::string id;
    std::uint64_t size = 0;
    bool on_gpu = true;
    std::string pool;
    bool pinned = false;
};

struct Capture {
    std::string folder;
    // dispatch.json
    std::string kernel, demangled;
    std::uint64_t kernel_object = 0;
    std::optional<AddressRange> code;  // where the code object was loaded, when that is known
    unsigned dimensions = 1;
    std::uint32_t grid[3] = {1, 1, 1};
    std::uint32_t workgroup[3] = {1, 1, 1};
    std::uint32_t packet_private_size = 0, packet_group_size = 0;
    std::uint32_t dynamic_group_size = 0;
    std::uint64_t kernarg_address = 0;
    std::string isa, agent_name, uuid;
    std::int64_t agent_index = 0;
    std::optional<std::int64_t> compute_units;
    std::optional<double> in_app_ns;
    std::string in_app_missing;  // why in_app_ns is not there
    // the other files
    std::vector<std::uint8_t> kernarg, hsaco;
    vrocm::codeobj::CodeObject code_object;  // of hsaco
    std::vector<CapturedRegion> regions;
    std::vector<AddressRange> reservations;
    std::vector<CapturedHandle> handles;

    std::string hsaco_path() const { return folder + "/" + snapshot::keys::kCodeObjectFile; }
    const vrocm::codeobj::KernelMetadata& metadata() const;  // of the captured kernel
};

// Reads all but the contents of regions, and checks sizes and checksums against the manifest. Throws Failure: for a
// folder that is not a complete and whole capture, and for a capture that says of itself that it cannot be replayed.
Capture read_capture(const std::string& folder);

// The whole of a file; throws Failure. `what` names it in the message.
std::vector<std::uint8_t> read_file(const std::string& path, const std::string& what);

std::string hexadecimal(std::uint64_t value);  // "0x…"

}  // namespace rpl::replay
