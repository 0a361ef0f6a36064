// The kernarg segment by its metadata: a list for dispatch.json, and the verdict on each argument that needs one.
#pragma once

#include <cstdint>
#include <span>

#include "capture/documents/verdict.h"
#include "capture/memory/inventory.h"
#include "capture/session.h"

namespace rpl::capture {

snapshot::Json describe_arguments(const Kernel& kernel, std::span<const std::uint8_t> kernarg,
                                  const Inventory& inventory, Verdict& verdict);

}  // namespace rpl::capture
