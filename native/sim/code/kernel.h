// The kernel descriptor and what it says about the first moment of a wave.
// Layout: LLVM AMDGPUUsage, "Kernel Descriptor" (code object v3 and later) and "Initial Kernel Execution State".
#pragma once

#include <cstdint>
#include <string>

#include "sim/gpu_model.h"

namespace vrocm::sim {

inline constexpr unsigned kDescriptorBytes = 64;
inline constexpr unsigned kMaxWorkgroup = 1024;  // work-items

struct KernelDescriptor {
    std::uint32_t group_segment_fixed_size = 0;
    std::uint32_t private_segment_fixed_size = 0;
    std::uint32_t kernarg_size = 0;
    std::int64_t entry_offset = 0;  // from the descriptor
    std::uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
    std::uint16_t properties = 0;
    std::uint16_t kernarg_preload = 0;

    static KernelDescriptor parse(const std::uint8_t bytes[kDescriptorBytes]);

    // Vector registers, both files together, and where the accumulation file begins in them.
    unsigned vgprs() const { return ((rsrc1 & 0x3f) + 1) * 8; }
    // Scalar registers of a wave, as they are given out: 16 at a time.
    unsigned sgprs() const { return ((rsrc1 >> 6 & 0xf) / 2 + 1) * 16; }
    unsigned accum_offset() const { return ((rsrc3 & 0x3f) + 1) * 4; }
    // MODE register: float round and denormal modes, dx10_clamp, ieee, fp16_ovfl.
    std::uint32_t mode() const;

    bool private_segment() const { return rsrc2 & 1; }
    unsigned user_sgprs() const { return rsrc2 >> 1 & 0x1f; }
    bool workgroup_id(unsigned axis) const { return rsrc2 >> (7 + axis) & 1; }
    bool workgroup_info() const { return rsrc2 >> 10 & 1; }
    unsigned workitem_id_axes() const { return (rsrc2 >> 11 & 3) + 1; }

    bool private_segment_buffer() const { return properties & 1; }
    bool dispatch_ptr() const { return properties >> 1 & 1; }
    bool queue_ptr() const { return properties >> 2 & 1; }
    bool kernarg_ptr() const { return properties >> 3 & 1; }
    bool dispatch_id() const { return properties >> 4 & 1; }
    bool flat_scratch_init() const { return properties >> 5 & 1; }
    bool private_segment_size() const { return properties >> 6 & 1; }
    bool wave32() const { return properties >> 10 & 1; }
    bool dynamic_stack() const { return properties >> 11 & 1; }

    unsigned preload_dwords() const { return kernarg_preload & 0x7f; }
    unsigned preload_offset_dwords() const { return kernarg_preload >> 7; }

    // Why this descriptor cannot be run on a GPU; empty when it can.
    std::string problem(const GpuModel& gpu) const;
};

// Workgroups that may be resident on one compute unit, as registers, LDS and wave slots allow.
unsigned workgroups_per_cu(const GpuModel& gpu, const KernelDescriptor& kernel, unsigned waves_per_workgroup,
                           std::uint32_t lds_bytes);

}  // namespace vrocm::sim
