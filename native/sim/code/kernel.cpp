#include "sim/code/kernel.h"

#include <algorithm>
#include <cstring>

#include "isa/traits.h"

namespace vrocm::sim {

KernelDescriptor KernelDescriptor::parse(const std::uint8_t bytes[kDescriptorBytes]) {
    KernelDescriptor d;
    const auto take = [bytes](auto& field, unsigned offset) { std::memcpy(&field, bytes + offset, sizeof field); };
    take(d.group_segment_fixed_size, 0);
    take(d.private_segment_fixed_size, 4);
    take(d.kernarg_size, 8);
    take(d.entry_offset, 16);
    take(d.rsrc3, 44);
    take(d.rsrc1, 48);
    take(d.rsrc2, 52);
    take(d.properties, 56);
    take(d.kernarg_preload, 58);
    return d;
}

std::uint32_t KernelDescriptor::mode() const {
    const std::uint32_t float_mode = rsrc1 >> 12 & 0xff;
    const std::uint32_t dx10_clamp = rsrc1 >> 21 & 1, ieee = rsrc1 >> 23 & 1, fp16_ovfl = rsrc1 >> 26 & 1;
    return float_mode | dx10_clamp << 8 | ieee << 9 | fp16_ovfl << 23;
}

std::string KernelDescriptor::problem(const GpuModel& gpu) const {
    if (wave32()) return "the kernel was compiled for wave32; this architecture has 64 lanes";
    if (isa::traits(gpu.arch).scratch_by_hardware && (private_segment_buffer() || flat_scratch_init()))
        return "the kernel asks for a scratch descriptor, which " + std::string(gpu.gfx) +
               " does not have (compiled for another GPU?)";
    if (accum_offset() > std::max(vgprs(), 4u) && accum_offset() > 256) return "accum_offset is out of range";
    if (private_segment_fixed_size > 1u << 24) return "private segment size is out of range";
    if (group_segment_fixed_size > gpu.lds_bytes) return "the kernel needs more LDS than a compute unit has";
    return {};
}

unsigned workgroups_per_cu(const GpuModel& gpu, const KernelDescriptor& kernel, unsigned waves_per_workgroup,
                           std::uint32_t lds_bytes) {
    const gpus::Architecture& unit = *gpu.architecture;
    const unsigned waves = unit.simds_per_cu * std::clamp(unit.registers / kernel.vgprs(), 1u, unit.waves_per_simd);
    unsigned groups = std::max(waves / std::max(waves_per_workgroup, 1u), 1u);
    if (waves_per_workgroup > 1) groups = std::min(groups, unit.barriers);
    if (lds_bytes != 0) groups = std::clamp(gpu.lds_bytes / lds_bytes, 1u, groups);
    return groups;
}

}  // namespace vrocm::sim
