// One dispatch made ready: where it enters the code and what every wave of it starts with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/code/kernel.h"
#include "sim/code/op.h"
#include "sim/gpu_model.h"
#include "sim/machine.h"
#include "sim/memory/address_space.h"
#include "sim/wave/workgroup.h"

namespace vrocm::sim {

class Launch {
  public:
    Launch(const GpuModel& model, const Dispatch& dispatch, const KernelDescriptor& kernel, AddressSpace& memory);

    // Why it cannot start; empty when it can.
    const std::string& problem() const { return problem_; }
    std::uint64_t entry_address() const { return entry_address_; }
    void set_entry(const Op* entry) { entry_ = entry; }

    std::uint64_t workgroups() const { return groups_[0] * groups_[1] * groups_[2]; }
    unsigned waves_per_workgroup() const { return waves_; }
    std::uint64_t resident_workgroups() const { return resident_; }
    std::uint32_t lds_bytes() const { return lds_bytes_; }
    std::uint64_t start_clock() const { return start_clock_; }
    // What the clocks of workgroups that start from now on show, and how they advance.
    void set_clock(std::uint64_t clock, std::uint64_t cycles_per_instruction) {
        start_clock_ = clock;
        cycles_per_instruction_ = cycles_per_instruction;
    }

    // Gives a workgroup its place in the grid and its waves their first state.
    void start(Workgroup& group, std::uint64_t index) const;

    const GpuModel& model() const { return model_; }

  private:
    void check(const KernelDescriptor& kernel);
    void lay_out_sgprs(const KernelDescriptor& kernel);
    void start_wave(Workgroup& group, unsigned wave) const;
    void start_scratch(Wave& wave) const;
    VReg work_item_ids(const std::uint32_t size[3], unsigned wave) const;

    static constexpr unsigned kAbsent = ~0u;
    const GpuModel& model_;
    isa::Arch arch_;
    Dispatch dispatch_;
    AddressSpace& memory_;
    std::string problem_;
    std::uint64_t entry_address_ = 0;
    const Op* entry_ = nullptr;

    std::uint64_t groups_[3] = {};
    unsigned waves_ = 0;
    std::uint64_t resident_ = 1;
    unsigned arch_vgprs_ = 0, acc_vgprs_ = 0;
    unsigned id_axes_ = 1;
    std::uint32_t mode_ = 0;
    // See Wave.
    std::uint64_t start_clock_ = 0, cycles_per_instruction_ = Wave::kFunctionalCycles;
    bool clock_of_host_ = false;
    std::uint32_t lds_bytes_ = 0, scratch_per_lane_ = 0;

    // SGPRs that are the same for every wave, and the places of those that are not.
    std::uint32_t sgprs_[128] = {};
    unsigned scratch_buffer_at_ = kAbsent, flat_scratch_at_ = kAbsent;
    unsigned workgroup_id_at_[3] = {kAbsent, kAbsent, kAbsent}, workgroup_info_at_ = kAbsent;
    std::vector<VReg> ids_;  // v0 of each wave of a full workgroup
};

}  // namespace vrocm::sim
