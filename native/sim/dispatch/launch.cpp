#include "sim/dispatch/launch.h"

#include <algorithm>
#include <cstring>

#include "isa/traits.h"
#include "sim/timing/mode.h"

namespace vrocm::sim {

namespace {

constexpr unsigned kFirstUserSgprLimit = 16;     // AMDGPUUsage: user SGPRs requested beyond 16 are ignored
constexpr std::uint32_t kTicksMhz = 100;         // CDNA3 ISA: S_MEMREALTIME counts at a constant 100 MHz
constexpr std::uint64_t kPreloadPrologue = 256;  // AMDGPUUsage: firmware that preloads skips this many bytes

std::uint32_t lo(std::uint64_t x) {
    return static_cast<std::uint32_t>(x);
}
std::uint32_t hi(std::uint64_t x) {
    return static_cast<std::uint32_t>(x >> 32);
}

// Per work-item. A kernel that calls functions the compiler could not see says only what its own frame needs; it gets
// a stack beside that. It costs nothing where it is not touched.
std::uint32_t scratch_bytes(const KernelDescriptor& kernel, const Dispatch& dispatch) {
    constexpr std::uint32_t kDynamicStack = 16384;
    if (!kernel.private_segment() && !kernel.dynamic_stack() && dispatch.private_segment_size == 0) return 0;
    const std::uint32_t fixed = kernel.private_segment_fixed_size + (kernel.dynamic_stack() ? kDynamicStack : 0);
    return (std::max(dispatch.private_segment_size, fixed) + 15) / 16 * 16;
}

}  // namespace

Launch::Launch(const GpuModel& model, const Dispatch& dispatch, const KernelDescriptor& kernel, AddressSpace& memory)
    : model_(model), arch_(model.arch), dispatch_(dispatch), memory_(memory) {
    check(kernel);
    if (!problem_.empty()) return;
    std::uint32_t items = 1;
    for (unsigned i = 0; i < 3; ++i) {
        items *= dispatch.workgroup[i];
        groups_[i] = (std::uint64_t{dispatch.grid[i]} + dispatch.workgroup[i] - 1) / dispatch.workgroup[i];
    }
    waves_ = (items + kLanes - 1) / kLanes;
    const std::uint32_t lds = std::max(dispatch.group_segment_size, kernel.group_segment_fixed_size);
    const std::uint32_t granule = model.architecture->lds_granule;
    lds_bytes_ = (lds + granule - 1) / granule * granule;
    scratch_per_lane_ = scratch_bytes(kernel, dispatch);
    arch_vgprs_ = std::min(std::min(kernel.accum_offset(), kernel.vgprs()), 256u);
    acc_vgprs_ = std::min(kernel.vgprs() - arch_vgprs_, 256u);
    start_clock_ = dispatch.start_time / 1000 * model.clock_mhz + dispatch.start_time % 1000 * model.clock_mhz / 1000;
    clock_of_host_ = timing::mode_from_environment() == timing::Mode::Off;
    mode_ = kernel.mode();
    id_axes_ = kernel.workitem_id_axes();
    resident_ = std::uint64_t{model.compute_units} * workgroups_per_cu(model, kernel, waves_, lds_bytes_);
    entry_address_ = dispatch.kernel_object + static_cast<std::uint64_t>(kernel.entry_offset);
    if (isa::traits(arch_).skips_preload && kernel.preload_dwords() != 0) entry_address_ += kPreloadPrologue;
    lay_out_sgprs(kernel);
    const std::uint32_t size[3] = {dispatch.workgroup[0], dispatch.workgroup[1], dispatch.workgroup[2]};
    for (unsigned wave = 0; wave < waves_; ++wave) ids_.push_back(work_item_ids(size, wave));
}

void Launch::check(const KernelDescriptor& kernel) {
    std::uint64_t items = 1;
    for (unsigned i = 0; i < 3; ++i) {
        items *= dispatch_.workgroup[i];
        if (dispatch_.grid[i] == 0) problem_ = "a dimension of the grid is 0";
    }
    if (items == 0) problem_ = "a dimension of the workgroup is 0";
    if (items > kMaxWorkgroup)
        problem_ = "the workgroup has " + std::to_string(items) + " work-items; the limit is 1024";
    if (dispatch_.group_segment_size > model_.lds_bytes)
        problem_ = "the launch asks for " + std::to_string(dispatch_.group_segment_size) +
                   " bytes of LDS (shared memory); a workgroup can have " + std::to_string(model_.lds_bytes);
    if (problem_.empty()) problem_ = kernel.problem(model_);
}

void Launch::lay_out_sgprs(const KernelDescriptor& kernel) {
    unsigned next = 0;
    const auto put = [&](std::uint32_t value) {
        if (next < kFirstUserSgprLimit) sgprs_[next] = value;
        ++next;
    };
    const auto put64 = [&](std::uint64_t value) {
        put(lo(value));
        put(hi(value));
    };
    if (kernel.private_segment_buffer()) {
        scratch_buffer_at_ = next;
        next += 4;
    }
    if (kernel.dispatch_ptr()) put64(dispatch_.packet_address);
    if (kernel.queue_ptr()) put64(dispatch_.queue_address);
    if (kernel.kernarg_ptr()) put64(dispatch_.kernarg_address);
    if (kernel.dispatch_id()) put64(dispatch_.dispatch_id);
    if (kernel.flat_scratch_init()) {
        flat_scratch_at_ = next;
        next += 2;
    }
    if (kernel.private_segment_size()) put(scratch_per_lane_);
    if (const unsigned count = kernel.preload_dwords()) {
        const std::uint64_t from = dispatch_.kernarg_address + kernel.preload_offset_dwords() * 4ull;
        const std::uint8_t* arguments = thread_ranges().reach(memory_, from, count * 4ull, false);
        if (!arguments)
            problem_ = "the kernel arguments are not in memory the GPU can read";
        else
            for (unsigned i = 0; i < count; ++i) {
                std::uint32_t value;
                std::memcpy(&value, arguments + i * 4, 4);
                put(value);
            }
    }
    // System SGPRs follow the user SGPRs the descriptor counts.
    next = kernel.user_sgprs();
    for (unsigned axis = 0; axis < 3; ++axis)
        if (kernel.workgroup_id(axis)) workgroup_id_at_[axis] = next++;
    if (kernel.workgroup_info()) workgroup_info_at_ = next++;
    // The wave offset of the private segment (no SGPR with architected flat scratch) stays 0: each wave's
    // scratch descriptor points at its own scratch.
}

VReg Launch::work_item_ids(const std::uint32_t size[3], unsigned wave) const {
    VReg ids = {};
    const std::uint32_t first = wave * kLanes, items = size[0] * size[1] * size[2];
    std::uint32_t x = first % size[0], y = first / size[0] % size[1], z = first / size[0] / size[1];
    for (unsigned lane = 0; lane < std::min(kLanes, items - first); ++lane) {
        // gfx90a and later pack the ids that are asked for into v0.
        ids.lane[lane] = x | (id_axes_ > 1 ? y << 10 : 0) | (id_axes_ > 2 ? z << 20 : 0);
        if (++x < size[0]) continue;
        x = 0;
        if (++y < size[1]) continue;
        y = 0;
        ++z;
    }
    return ids;
}

void Launch::start(Workgroup& group, std::uint64_t index) const {
    group.index = index;
    const std::uint64_t place[3] = {index % groups_[0], index / groups_[0] % groups_[1],
                                    index / groups_[0] / groups_[1]};
    std::uint32_t items = 1;
    for (unsigned i = 0; i < 3; ++i) {
        group.id[i] = static_cast<std::uint32_t>(place[i]);
        group.grid[i] = static_cast<std::uint32_t>(groups_[i]);
        const std::uint64_t first = place[i] * dispatch_.workgroup[i];
        group.size[i] =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(dispatch_.workgroup[i], dispatch_.grid[i] - first));
        items *= group.size[i];
    }
    group.wave_count = (items + kLanes - 1) / kLanes;
    if (lds_bytes_ != 0) group.lds.clear(lds_bytes_);
    group.parted = lds_bytes_ != 0 ? 0 : Workgroup::kApart;
    const std::size_t scratch = std::size_t{scratch_per_lane_} * kLanes * waves_;
    if (group.scratch.size() < scratch)
        group.scratch = Pages(scratch);
    else if (scratch != 0)
        group.scratch.clear(std::size_t{scratch_per_lane_} * kLanes * group.wave_count);
    for (unsigned wave = 0; wave < group.wave_count; ++wave) start_wave(group, wave);
}

void Launch::start_wave(Workgroup& group, unsigned number) const {
    Wave& wave = group.waves[number];
    wave.v = group.wave_registers(number);
    std::memset(wave.v, 0, arch_vgprs_ * sizeof(VReg));
    if (acc_vgprs_ != 0) std::memset(wave.v + 256, 0, acc_vgprs_ * sizeof(VReg));
    std::memcpy(wave.s, sgprs_, sizeof wave.s);
    wave.scc = false;
    wave.mode.bits = mode_;
    wave.state = WaveState::Ready;
    wave.next = entry_;
    wave.group = &group;
    wave.lds = group.lds.data();
    wave.lds_size = lds_bytes_;
    wave.index_in_group = number;
    wave.wave_id = group.index * waves_ + number;
    wave.instructions = 0;
    wave.clock = start_clock_;
    wave.cycles_per_instruction = cycles_per_instruction_;
    wave.clock_of_host = clock_of_host_;
    wave.clocks_per_tick = model_.clock_mhz / kTicksMhz;
    wave.wrote = false;
    wave.polling = 0;
    wave.memory = &memory_;
    wave.access = nullptr;
    wave.fault = Fault{};
    // Workgroups go round the dies and then round their compute units (CDNA3 white paper).
    const std::uint64_t dies = model_.xccs;
    const std::uint32_t unit = static_cast<std::uint32_t>(group.index / dies % (model_.compute_units / dies));
    wave.xcc_id = static_cast<std::uint32_t>(group.index % dies);
    // HW_ID: WAVE_ID[3:0] SIMD_ID[5:4] CU_ID[11:8] SE_ID[15:13].
    wave.hw_id = (number / 4 & 15) | (number & 3) << 4 | (unit % 10) << 8 | (unit / 10 & 7) << 13;

    const bool full = group.size[0] == dispatch_.workgroup[0] && group.size[1] == dispatch_.workgroup[1] &&
                      group.size[2] == dispatch_.workgroup[2];
    wave.v[0] = full ? ids_[number] : work_item_ids(group.size, number);
    const std::uint32_t items = group.size[0] * group.size[1] * group.size[2];
    const std::uint32_t lanes = std::min(items - number * kLanes, kLanes);
    wave.set_exec(lanes == kLanes ? ~0ull : (1ull << lanes) - 1);

    for (unsigned axis = 0; axis < 3; ++axis)
        if (workgroup_id_at_[axis] != kAbsent) wave.s[workgroup_id_at_[axis]] = group.id[axis];
    if (workgroup_info_at_ != kAbsent) wave.s[workgroup_info_at_] = (number == 0 ? 1u << 31 : 0) | group.wave_count;
    wave.scratch =
        scratch_per_lane_ ? group.scratch.data() + std::size_t{number} * scratch_per_lane_ * kLanes : nullptr;
    wave.scratch_per_lane = scratch_per_lane_;
    start_scratch(wave);
}

void Launch::start_scratch(Wave& wave) const {
    const auto address = reinterpret_cast<std::uint64_t>(wave.scratch);
    if (isa::traits(arch_).scratch_by_hardware) {  // architected
        wave.write_s64(isa::sreg::flat_scratch_lo, address);
        return;
    }
    if (flat_scratch_at_ != kAbsent) wave.write_s64(flat_scratch_at_, address);
    if (scratch_buffer_at_ == kAbsent) return;
    // Buffer descriptor of gfx9: swizzled, 64 lanes of 4-byte elements, thread id added to the index.
    constexpr std::uint32_t kSwizzle = 1u << 31;
    constexpr std::uint32_t kSelectXyzw = 4 | 5 << 3 | 6 << 6 | 7 << 9, kUint = 4 << 12, kFormat32 = 4 << 15;
    constexpr std::uint32_t kIndexStride64 = 3 << 21, kAddThreadId = 1 << 23;
    std::uint32_t* word = &wave.s[scratch_buffer_at_];
    word[0] = lo(address);
    word[1] = (hi(address) & 0xffff) | kSwizzle;
    word[2] = scratch_per_lane_ * kLanes;
    word[3] = kSelectXyzw | kUint | kFormat32 | kIndexStride64 | kAddThreadId;
}

}  // namespace vrocm::sim
