#include "hip/launch/occupancy.h"

#include <algorithm>

#include "hip/device/device.h"

namespace vrocm::hip {

namespace {

// gfx90a and gfx942 (LLVM AMDGPUBaseInfo): four SIMDs a CU with eight wave slots each, 512 registers a
// lane in both files together allocated in granules of eight, sixteen barriers a CU.
constexpr unsigned kSimds = 4, kSlots = 8, kVgprs = 512, kVgprGranule = 8, kBarriers = 16;
constexpr unsigned kSgprsForAllSlots = 100;  // above this a SIMD holds seven waves
constexpr std::size_t kLdsGranule = 512;

std::size_t round_up(std::size_t value, std::size_t granule) {
    return (value + granule - 1) / granule * granule;
}

unsigned waves_per_simd(const KernelMetadata& kernel) {
    const std::size_t allocated = round_up(std::max(kernel.vgprs, 1u), kVgprGranule);
    unsigned waves = std::min(kSlots, static_cast<unsigned>(kVgprs / allocated));
    if (kernel.sgprs > kSgprsForAllSlots) waves = std::min(waves, kSlots - 1);
    return waves;
}

}  // namespace

Occupancy occupancy_of(const Function& function, unsigned threads_per_group, std::size_t dynamic_shared) {
    const KernelMetadata& kernel = *function.metadata;
    const hipDeviceProp_t& device = function.device().properties();
    Occupancy result;
    if (threads_per_group == 0 || threads_per_group > kernel.max_flat_workgroup_size) return result;
    result.waves_per_group = (threads_per_group + kernel.wavefront_size - 1) / kernel.wavefront_size;
    const std::size_t lds = round_up(kernel.group_size + dynamic_shared, kLdsGranule);
    if (lds > device.sharedMemPerMultiprocessor) return result;

    // A group's waves are dealt over the SIMDs, so what counts is how many whole rounds fit.
    const unsigned waves_on_cu = waves_per_simd(kernel) * kSimds;
    result.groups_per_cu = waves_on_cu / result.waves_per_group;
    if (result.waves_per_group > 1) result.groups_per_cu = std::min(result.groups_per_cu, kBarriers);
    if (lds)
        result.groups_per_cu =
            std::min(result.groups_per_cu, static_cast<unsigned>(device.sharedMemPerMultiprocessor / lds));
    return result;
}

}  // namespace vrocm::hip
