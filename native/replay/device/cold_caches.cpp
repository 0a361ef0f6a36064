#include "replay/device/cold_caches.h"

namespace rpl::replay {

namespace {

// Twice the Infinity Cache of an MI300X (256 MB, AMD Instinct MI300X data sheet), the largest cache of these GPUs.
constexpr std::size_t kBytes = 512u << 20;

}  // namespace

ColdCaches::ColdCaches(const HsaLibrary& hsa, const ReplayDevice& device) : hsa_(hsa) {
    hsa.check(hsa.hsa_amd_memory_pool_allocate(device.coarse, kBytes, 0, &memory_),
              "allocating 512 MiB on the GPU for --cold");
}

ColdCaches::~ColdCaches() {
    hsa_.hsa_amd_memory_pool_free(memory_);
}

void ColdCaches::flush() {
    hsa_.check(hsa_.hsa_amd_memory_fill(memory_, ++value_, kBytes / sizeof value_), "filling 512 MiB for --cold");
}

}  // namespace rpl::replay
