// The names in the documents of a capture (docs/reference/capture-format.md): capture/ writes them, replay/ reads them.
// A struct is one object of a document, and has its name from the contract in Python, contracts/captures/capture.py.
#pragma once

namespace rpl::snapshot::keys {

inline constexpr char kFormat[] = "rocm-perf-capture";
inline constexpr int kVersion = 1;

inline constexpr char kManifestFile[] = "manifest.json";
inline constexpr char kDispatchFile[] = "dispatch.json";
inline constexpr char kRegionsFile[] = "memory_regions.json";
inline constexpr char kKernargFile[] = "kernarg.bin";
inline constexpr char kCodeObjectFile[] = "kernel.hsaco";

struct Recorded {
    static constexpr char missing[] = "missing";
};

struct CapturedCodeObject {
    static constexpr char file[] = "file", bytes[] = "bytes", xxh64[] = "xxh64", load_base[] = "load_base",
                          load_size[] = "load_size", load_delta[] = "load_delta", uri[] = "uri";
};

struct CapturedKernel {
    static constexpr char name[] = "name", demangled[] = "demangled", object[] = "object",
                          dispatch_index[] = "dispatch_index", code_object[] = "code_object";
};

struct DispatchGeometry {
    static constexpr char dimensions[] = "dimensions", grid[] = "grid", workgroup[] = "workgroup";
};

struct DispatchPacket {
    static constexpr char header[] = "header", setup[] = "setup", private_segment_size[] = "private_segment_size",
                          group_segment_size[] = "group_segment_size", kernarg_address[] = "kernarg_address",
                          completion_signal[] = "completion_signal", bytes[] = "bytes";
};

struct DispatchSegments {
    static constexpr char kernarg_size[] = "kernarg_size", static_group_size[] = "static_group_size",
                          dynamic_group_size[] = "dynamic_group_size", private_size[] = "private_size",
                          uses_dynamic_stack[] = "uses_dynamic_stack";
};

struct CapturedArgument {
    static constexpr char index[] = "index", name[] = "name", offset[] = "offset", size[] = "size",
                          value_kind[] = "value_kind", address_space[] = "address_space", access[] = "access",
                          value[] = "value", region[] = "region", region_offset[] = "region_offset";
};

struct CapturedAgent {
    static constexpr char index[] = "index", name[] = "name", product[] = "product", isa[] = "isa", uuid[] = "uuid",
                          node[] = "node", compute_units[] = "compute_units", wavefront_size[] = "wavefront_size",
                          xcc_count[] = "xcc_count", partition[] = "partition";
};

struct CapturedRuntime {
    static constexpr char hsa_version[] = "hsa_version", build[] = "build",
                          timestamp_frequency_hz[] = "timestamp_frequency_hz";
};

struct DispatchTime {
    static constexpr char in_app_ns[] = "in_app_ns", start_tick[] = "start_tick", end_tick[] = "end_tick";
};

struct CapturedProcess {
    static constexpr char pid[] = "pid", executable[] = "executable", queue_count[] = "queue_count",
                          drained_queues[] = "drained_queues", held_queues[] = "held_queues", waited_ns[] = "waited_ns",
                          before_ns[] = "before_ns", after_ns[] = "after_ns";
};

struct VerdictItem {
    static constexpr char what[] = "what", name[] = "name", outcome[] = "outcome", reason[] = "reason",
                          address[] = "address", bytes[] = "bytes";
};

struct Verdict {
    static constexpr char complete[] = "complete", items[] = "items";
};

struct Writer {
    static constexpr char name[] = "name", version[] = "version";
};

struct DispatchDocument {
    static constexpr char format[] = "format", version[] = "version", tool[] = "tool", kernel[] = "kernel",
                          geometry[] = "geometry", packet[] = "packet", segments[] = "segments",
                          arguments[] = "arguments", agent[] = "agent", runtime[] = "runtime", time[] = "time",
                          process[] = "process", verdict[] = "verdict";
};

struct MemoryRegion {
    static constexpr char base[] = "base", size[] = "size", kind[] = "kind", file[] = "file", after[] = "after",
                          stored_bytes[] = "stored_bytes", changed_pages[] = "changed_pages",
                          changed_bytes[] = "changed_bytes", pool[] = "pool", agent[] = "agent", access[] = "access",
                          handle[] = "handle", handle_offset[] = "handle_offset";
};

struct Reservation {
    static constexpr char base[] = "base", size[] = "size";
};

struct PhysicalHandle {
    static constexpr char id[] = "id", size[] = "size", agent[] = "agent", pool[] = "pool", pinned[] = "pinned";
};

struct MemoryRegionsDocument {
    static constexpr char format[] = "format", version[] = "version", page_size[] = "page_size", regions[] = "regions",
                          reservations[] = "reservations", handles[] = "handles";
};

struct ManifestFile {
    static constexpr char bytes[] = "bytes", xxh64[] = "xxh64";
};

struct ManifestDocument {
    static constexpr char format[] = "format", version[] = "version", files[] = "files";
};

struct Outcome {
    static constexpr char captured[] = "captured", rebound[] = "rebound", left_out[] = "left out",
                          refused[] = "refused";
};

struct RegionKind {
    static constexpr char device[] = "device", host[] = "host", locked[] = "locked", managed[] = "managed",
                          vmem[] = "vmem", globals[] = "globals";
};

}  // namespace rpl::snapshot::keys
