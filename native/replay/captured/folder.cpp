#include "replay/captured/folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <utility>

#include "replay/failure.h"
#include "snapshot/capture_keys.h"
#include "snapshot/xxh64.h"

namespace rpl::replay {

namespace {

using snapshot::Json;
using snapshot::RegionReader;
using snapshot::RegionState;
namespace keys = snapshot::keys;

constexpr std::uint64_t kAddressEnd = std::uint64_t{1} << 57;  // virtual addresses of x86-64 end there
constexpr const char* kAgain = "capture the kernel again, or copy the folder again from where it is whole";

[[noreturn]] void bad(const std::string& message, const std::string& remedy = kAgain) {
    throw Failure{ExitCode::BadInput, "capture", message, remedy};
}

constexpr std::array<std::pair<const char*, RegionKind>, 6> kKinds{
    {{keys::RegionKind::device, RegionKind::ReplayDevice},
     {keys::RegionKind::host, RegionKind::Host},
     {keys::RegionKind::locked, RegionKind::Locked},
     {keys::RegionKind::managed, RegionKind::Managed},
     {keys::RegionKind::vmem, RegionKind::Vmem},
     {keys::RegionKind::globals, RegionKind::Globals}}};

bool is_folder(const std::string& path) {
    struct stat about{};
    return stat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
}

bool exists(const std::string& path) {
    struct stat about{};
    return stat(path.c_str(), &about) == 0;
}

std::string without_slashes(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

Json read_json(const std::string& folder, const std::string& name) {
    const std::vector<std::uint8_t> bytes = read_file(folder + "/" + name, "capture");
    try {
        return Json::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    } catch (const snapshot::JsonError& error) {
        bad(folder + "/" + name + " is damaged: " + error.what());
    }
}

void check_format(const Json& document, const std::string& name) {
    if (document[keys::DispatchDocument::format].text() != keys::kFormat) bad(name + " is not of a capture");
    const std::int64_t version = document[keys::DispatchDocument::version].integer();
    if (version != keys::kVersion)
        bad(name + " has version " + std::to_string(version) + ", this program reads version " +
                std::to_string(keys::kVersion),
            "use the rocm-perf that made the capture, or capture again with this one");
}

std::string text_or_empty(const Json* value) {
    return value && value->kind() == Json::Kind::Text ? value->text() : "";
}

std::uint32_t size32(const Json& value, const char* what) {
    const std::int64_t number = value.integer();
    if (number < 0 || number > 0xFFFFFFFFll) bad(std::string("dispatch.json: ") + what + " cannot be " + value.dump());
    return static_cast<std::uint32_t>(number);
}

std::uint64_t size64(const Json& value, const char* what) {
    const std::int64_t number = value.integer();
    if (number < 0 || static_cast<std::uint64_t>(number) > kAddressEnd)
        bad(std::string("memory_regions.json: ") + what + " cannot be " + value.dump());
    return static_cast<std::uint64_t>(number);
}

AddressRange range_of(const Json& value, const char* what) {
    const AddressRange range{value[keys::Reservation::base].address(), size64(value[keys::Reservation::size], "size")};
    if (range.base > kAddressEnd || range.size > kAddressEnd - range.base)
        bad(std::string("memory_regions.json: ") + what + " at " + hexadecimal(range.base) + " is outside all memory");
    return range;
}

// ---- manifest ----

void check_file(const std::string& folder, const std::string& name, const Json& entry) {
    const std::string path = folder + "/" + name;
    struct stat about{};
    if (stat(path.c_str(), &about) != 0) bad(path + " is missing: " + std::strerror(errno));
    const std::int64_t bytes = entry[keys::ManifestFile::bytes].integer();
    if (about.st_size != bytes)
        bad(path + " has " + std::to_string(about.st_size) + " bytes instead of " + std::to_string(bytes));
    const std::uint64_t wanted = entry[keys::ManifestFile::xxh64].address();
    std::uint64_t found;
    if (name.starts_with("memory/")) {
        RegionReader reader;
        reader.open(path, name.starts_with("memory/after_") ? RegionState::After : RegionState::Before);
        found = reader.checksum();
    } else {
        found = snapshot::xxh64(read_file(path, "capture"));
    }
    if (found != wanted)
        bad(path + " was changed after the capture (checksum " + hexadecimal(found) + " instead of " +
            hexadecimal(wanted) + ")");
}

// Region files are checked when they are opened; here everything else, and that no name leads outside.
std::set<std::string> check_manifest(const std::string& folder) {
    const Json manifest = read_json(folder, keys::kManifestFile);
    check_format(manifest, keys::kManifestFile);
    std::set<std::string> names;
    for (const auto& [name, entry] : manifest[keys::ManifestDocument::files].fields()) {
        if (name.empty() || name.front() == '/' || name.find("..") != std::string::npos)
            bad("manifest.json names a file outside the capture: " + name);
        check_file(folder, name, entry);
        names.insert(name);
    }
    for (const char* needed : {keys::kDispatchFile, keys::kRegionsFile, keys::kKernargFile, keys::kCodeObjectFile})
        if (!names.contains(needed)) bad(std::string("manifest.json does not list ") + needed);
    return names;
}

// ---- memory_regions.json ----

std::unique_ptr<CapturedFile> open_region(const Capture& capture, const std::set<std::string>& listed,
                                          const std::shared_ptr<OpenFiles>& files, const std::string& name,
                                          RegionState state, const CapturedRegion& region) {
    if (!listed.contains(name)) bad("memory_regions.json names " + name + ", which manifest.json does not list");
    auto file = std::make_unique<CapturedFile>(files, capture.folder + "/" + name, state);
    if (file->base() != region.base || file->size() != region.size)
        bad(capture.folder + "/" + name + " is of another region than memory_regions.json says");
    return file;
}

// ROCr maps from the first byte whatever the offset: the two would be the same memory there, and are not for who goes
// by the offsets. A handle that is mapped once, or at one offset, leaves no doubt.
[[noreturn]] void refuse_offsets(const CapturedRegion& one, const CapturedRegion& other) {
    throw Failure{ExitCode::Refused, "refused",
                  "the mappings at " + hexadecimal(one.base) + " and " + hexadecimal(other.base) +
                      " have one handle at offsets " + std::to_string(one.handle_offset) + " and " +
                      std::to_string(other.handle_offset) + ": runtimes do not agree on what memory that is",
                  "map handles from their first byte (hsa_amd_vmem_map with in_offset 0, one handle a piece), and "
                  "capture again"};
}

CapturedRegion region_of(const Capture& capture, const std::set<std::string>& listed,
                         const std::shared_ptr<OpenFiles>& files, const Json& value) {
    using K = keys::MemoryRegion;
    CapturedRegion region;
    const AddressRange range = range_of(value, "the region");
    region.base = range.base;
    region.size = range.size;
    const std::string& kind = value[K::kind].text();
    const auto known = std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& k) { return kind == k.first; });
    if (known == kKinds.end()) bad("memory_regions.json has a region of an unknown kind: " + kind);
    region.kind = known->second;
    region.pool = text_or_empty(value.find(K::pool));
    const Json* agent = value.find(K::agent);
    region.on_gpu = agent && !agent->is_null();
    if (region.on_gpu && agent->integer() != capture.agent_index)
        throw Failure{ExitCode::Refused, "refused",
                      "the region at " + hexadecimal(region.base) + " lies on GPU " + agent->dump() +
                          ", the kernel ran on GPU " + std::to_string(capture.agent_index),
                      "memory of other GPUs is not replayed; let the kernel use memory of its own GPU"};
    region.read_only = text_or_empty(value.find(K::access)) == "ro";
    if (const Json* handle = value.find(K::handle); handle && !handle->is_null()) {
        region.handle = handle->dump();
        const Json* offset = value.find(K::handle_offset);
        region.handle_offset = offset && !offset->is_null() ? size64(*offset, "handle_offset") : 0;
    }
    if (const Json* pages = value.find(K::changed_pages); pages && !pages->is_null())
        region.changed_pages = size64(*pages, "changed_pages");
    if (const Json* bytes = value.find(K::changed_bytes); bytes && !bytes->is_null())
        region.changed_bytes = size64(*bytes, "changed_bytes");
    if (const Json* file = value.find(K::file); file && !file->is_null())
        region.before = open_region(capture, listed, files, file->text(), RegionState::Before, region);
    if (const Json* file = value.find(K::after); file && !file->is_null())
        region.after = open_region(capture, listed, files, file->text(), RegionState::After, region);
    if (!region.before && (region.after || region.kind != RegionKind::Vmem))
        bad("memory_regions.json: the region at " + hexadecimal(region.base) + " has no contents");
    return region;
}

void read_regions(Capture& capture, const std::set<std::string>& listed) {
    using K = keys::MemoryRegionsDocument;
    using H = keys::PhysicalHandle;
    const Json document = read_json(capture.folder, keys::kRegionsFile);
    check_format(document, keys::kRegionsFile);
    const auto files = std::make_shared<OpenFiles>();
    for (const Json& value : document[K::reservations].items())
        capture.reservations.push_back(range_of(value, "the reservation"));
    for (const Json& value : document[K::handles].items()) {
        CapturedHandle handle;
        handle.id = value[H::id].dump();
        handle.size = size64(value[H::size], "size of a handle");
        const Json* agent = value.find(H::agent);
        handle.on_gpu = agent && !agent->is_null();
        handle.pool = text_or_empty(value.find(H::pool));
        const Json* pinned = value.find(H::pinned);
        handle.pinned = pinned && !pinned->is_null() && pinned->boolean();
        capture.handles.push_back(std::move(handle));
    }
    for (const Json& value : document[K::regions].items())
        if (value[keys::MemoryRegion::size].integer() != 0)
            capture.regions.push_back(region_of(capture, listed, files, value));
    std::map<std::string, const CapturedRegion*> first;  // of each handle
    for (const CapturedRegion& region : capture.regions) {
        if (region.kind != RegionKind::Vmem) continue;
        const auto handle = std::find_if(capture.handles.begin(), capture.handles.end(),
                                         [&](const CapturedHandle& h) { return h.id == region.handle; });
        if (handle == capture.handles.end() || region.handle_offset > handle->size ||
            region.size > handle->size - region.handle_offset)
            bad("memory_regions.json: the mapping at " + hexadecimal(region.base) + " has no handle that it fits in");
        const CapturedRegion& other = *first.try_emplace(region.handle, &region).first->second;
        if (other.handle_offset != region.handle_offset) refuse_offsets(other, region);
    }
    std::sort(capture.regions.begin(), capture.regions.end(),
              [](const CapturedRegion& a, const CapturedRegion& b) { return a.base < b.base; });
}

// ---- dispatch.json ----

// A capture that lacks something the kernel needs would replay something else.
void refuse_incomplete(const Json& dispatch) {
    using K = keys::VerdictItem;
    if (dispatch[keys::DispatchDocument::verdict][keys::Verdict::complete].boolean()) return;
    std::string what;
    for (const Json& item : dispatch[keys::DispatchDocument::verdict][keys::Verdict::items].items()) {
        if (item[K::outcome].text() != keys::Outcome::refused) continue;
        if (!what.empty()) what += "; ";
        what +=
            item[K::what].text() + " " + text_or_empty(item.find(K::name)) + ": " + text_or_empty(item.find(K::reason));
    }
    throw Failure{ExitCode::Refused, "refused", "the capture cannot be replayed faithfully: " + what,
                  "rocm-perf replay inspect shows what was captured; change the program so that this kernel does not "
                  "need what was refused, and capture again"};
}

void read_dispatch(Capture& capture) {
    using D = keys::DispatchDocument;
    using C = keys::CapturedCodeObject;
    using A = keys::CapturedAgent;
    using T = keys::DispatchTime;
    const Json dispatch = read_json(capture.folder, keys::kDispatchFile);
    check_format(dispatch, keys::kDispatchFile);
    refuse_incomplete(dispatch);
    const Json& kernel = dispatch[D::kernel];
    capture.kernel = kernel[keys::CapturedKernel::name].text();
    capture.demangled = text_or_empty(kernel.find(keys::CapturedKernel::demangled));
    if (const Json* object = kernel.find(keys::CapturedKernel::object); object && !object->is_null())
        capture.kernel_object = object->address();
    const Json& code = kernel[keys::CapturedKernel::code_object];
    const Json *base = code.find(C::load_base), *size = code.find(C::load_size);
    if (base && size && !base->is_null() && !size->is_null())
        capture.code = AddressRange{base->address(), size64(*size, "load_size")};
    const Json& geometry = dispatch[D::geometry];
    capture.dimensions = size32(geometry[keys::DispatchGeometry::dimensions], "dimensions");
    if (capture.dimensions < 1 || capture.dimensions > 3) bad("dispatch.json: dimensions are 1, 2 or 3");
    const auto three = [](const Json& list, std::uint32_t (&into)[3], std::uint32_t most, const char* what) {
        if (list.items().size() != 3) bad(std::string("dispatch.json: ") + what + " must have three sizes");
        for (int i = 0; i < 3; ++i) {
            into[i] = size32(list.items()[static_cast<std::size_t>(i)], what);
            if (into[i] == 0 || into[i] > most) bad(std::string("dispatch.json: a size of ") + what + " cannot be");
        }
    };
    three(geometry[keys::DispatchGeometry::grid], capture.grid, 0xFFFFFFFFu, "grid");
    three(geometry[keys::DispatchGeometry::workgroup], capture.workgroup, 0xFFFFu, "workgroup");
    const Json& packet = dispatch[D::packet];
    capture.packet_private_size = size32(packet[keys::DispatchPacket::private_segment_size], "private_segment_size");
    capture.packet_group_size = size32(packet[keys::DispatchPacket::group_segment_size], "group_segment_size");
    const Json& kernarg = packet[keys::DispatchPacket::kernarg_address];
    capture.kernarg_address = kernarg.is_null() ? 0 : kernarg.address();
    capture.dynamic_group_size =
        size32(dispatch[D::segments][keys::DispatchSegments::dynamic_group_size], "dynamic_group_size");
    const Json& agent = dispatch[D::agent];
    capture.isa = agent[A::isa].text();
    capture.agent_name = text_or_empty(agent.find(A::name));
    capture.uuid = text_or_empty(agent.find(A::uuid));
    if (const Json* index = agent.find(A::index); index && !index->is_null()) capture.agent_index = index->integer();
    if (const Json* units = agent.find(A::compute_units); units && !units->is_null())
        capture.compute_units = units->integer();
    const Json& time = dispatch[D::time];
    const Json* in_app = time.find(T::in_app_ns);
    if (in_app && !in_app->is_null()) {
        capture.in_app_ns = in_app->real();
    } else {
        const Json* missing = time.find(keys::Recorded::missing);
        capture.in_app_missing = missing ? text_or_empty(missing->find(T::in_app_ns)) : "";
        if (capture.in_app_missing.empty()) capture.in_app_missing = "the capture does not have it";
    }
}

void read_code(Capture& capture) {
    capture.hsaco = read_file(capture.hsaco_path(), "capture");
    std::string reason;
    auto code = vrocm::codeobj::read_code_object(capture.hsaco, reason);
    if (!code) bad(capture.hsaco_path() + " is not a code object: " + reason);
    capture.code_object = std::move(*code);
    capture.metadata();
    capture.kernarg = read_file(capture.folder + "/" + keys::kKernargFile, "capture");
    if (capture.kernarg.size() < capture.metadata().kernarg_size)
        bad(capture.folder + "/kernarg.bin has " + std::to_string(capture.kernarg.size()) +
            " bytes, the kernel takes " + std::to_string(capture.metadata().kernarg_size));
}

}  // namespace

const char* name_of(RegionKind kind) {
    for (const auto& [name, k] : kKinds)
        if (k == kind) return name;
    return "unknown";
}

bool is_host(RegionKind kind) {
    return kind == RegionKind::Host || kind == RegionKind::Locked || kind == RegionKind::Managed;
}

std::string hexadecimal(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

std::vector<std::uint8_t> read_file(const std::string& path, const std::string& what) {
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw Failure{ExitCode::BadInput, what, path + " cannot be read: " + std::strerror(errno),
                      "check the path and who may read it"};
    std::vector<std::uint8_t> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (in.bad())
        throw Failure{ExitCode::BadInput, what, path + " cannot be read to its end", "check the disk it lies on"};
    return bytes;
}

const vrocm::codeobj::KernelMetadata& Capture::metadata() const {
    for (const vrocm::codeobj::KernelMetadata& candidate : code_object.kernels)
        if (candidate.name == kernel) return candidate;
    bad(hsaco_path() + " does not have the captured kernel " + kernel);
}

Capture read_capture(const std::string& given) {
    Capture capture;
    capture.folder = without_slashes(given);
    if (!is_folder(capture.folder)) {
        if (is_folder(capture.folder + ".partial"))
            bad(capture.folder + " was never finished: there is only " + capture.folder + ".partial",
                "capture the kernel again; the .partial folder can be deleted");
        bad(capture.folder + " is not a folder", "name the folder that rocm-perf capture made");
    }
    if (capture.folder.ends_with(".partial"))
        bad(capture.folder + " is an interrupted capture", "capture the kernel again; this folder can be deleted");
    if (!exists(capture.folder + "/" + keys::kManifestFile))
        bad(capture.folder + " has no manifest.json: it is not a capture, or one that was interrupted");
    try {
        const std::set<std::string> listed = check_manifest(capture.folder);
        read_dispatch(capture);
        read_code(capture);
        read_regions(capture, listed);
    } catch (const snapshot::FileError& error) {
        if (error.code == EMFILE || error.code == ENFILE)
            bad(error.message, "let the process open more files (ulimit -n)");
        bad(error.message);
    } catch (const snapshot::JsonError& error) {
        bad(capture.folder + " is damaged: " + error.what());
    }
    return capture;
}

}  // namespace rpl::replay
