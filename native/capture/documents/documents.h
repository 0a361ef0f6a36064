// dispatch.json and memory_regions.json (docs/reference/capture-format.md).
#pragma once

#include <cstdint>
#include <span>

#include "capture/documents/verdict.h"
#include "capture/memory/inventory.h"
#include "capture/packets/quiesce.h"
#include "capture/session.h"

namespace rpl::capture {

// The kernarg segment by its metadata: a list for dispatch.json, and the verdict on each argument that needs one.
snapshot::Json describe_arguments(const Kernel& kernel, std::span<const std::uint8_t> kernarg,
                                  const Inventory& inventory, Verdict& verdict);

struct DispatchFacts {
    const Target& target;
    snapshot::Json arguments;
    hsa_amd_profiling_dispatch_time_t time{};
    const Quiesce& quiesce;
    const Verdict& verdict;
    std::uint64_t before_ns = 0, after_ns = 0;  // how long the two snapshots took
};

snapshot::Json dispatch_document(const DispatchFacts& facts);
snapshot::Json regions_document(const Inventory& inventory);

}  // namespace rpl::capture
