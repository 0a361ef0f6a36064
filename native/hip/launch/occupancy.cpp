#include "hip/launch/occupancy.h"

#include <algorithm>

#include "gpus/architecture.h"
#include "hip/device/device.h"

namespace vrocm::hip {

namespace {

std::size_t round_up(std::size_t value, std::size_t granule) {
    return (value + granule - 1) / granule * granule;
}

unsigned waves_per_simd(const gpus::Architecture& unit, const KernelMetadata& kernel) {
    const std::size_t allocated = round_up(std::max(kernel.vgprs, 1u), unit.register_granule);
    unsigned waves = std::min(unit.waves_per_simd, static_cast<unsigned>(unit.registers / allocated));
    if (kernel.sgprs > unit.scalars_for_all_waves) waves = std::min(waves, unit.waves_per_simd - 1);
    return waves;
}

}  // namespace

Occupancy occupancy_of(const Function& function, unsigned threads_per_group, std::size_t dynamic_shared) {
    const KernelMetadata& kernel = *function.metadata;
    const hipDeviceProp_t& device = function.device().properties();
    const std::string_view target = device.gcnArchName;
    const gpus::Architecture& unit = gpus::architecture(target.substr(0, target.find(':')));
    Occupancy result;
    if (threads_per_group == 0 || threads_per_group > kernel.max_flat_workgroup_size) return result;
    result.waves_per_group = (threads_per_group + kernel.wavefront_size - 1) / kernel.wavefront_size;
    const std::size_t lds = round_up(kernel.group_size + dynamic_shared, unit.lds_granule);
    if (lds > device.sharedMemPerMultiprocessor) return result;

    // A group's waves are dealt over the SIMDs, so what counts is how many whole rounds fit.
    const unsigned waves_on_cu = waves_per_simd(unit, kernel) * unit.simds_per_cu;
    result.groups_per_cu = waves_on_cu / result.waves_per_group;
    if (result.waves_per_group > 1) result.groups_per_cu = std::min(result.groups_per_cu, unit.barriers);
    if (lds)
        result.groups_per_cu =
            std::min(result.groups_per_cu, static_cast<unsigned>(device.sharedMemPerMultiprocessor / lds));
    return result;
}

}  // namespace vrocm::hip
