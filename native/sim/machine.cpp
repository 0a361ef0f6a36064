#include "sim/machine.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>

#include "sim/code/code_map.h"
#include "sim/code/kernel.h"
#include "sim/code/order.h"
#include "sim/dispatch/launch.h"
#include "sim/dispatch/scheduler.h"
#include "sim/memory/address_space.h"
#include "sim/observe/installed.h"
#include "sim/wave/fault_report.h"

namespace vrocm::sim {

namespace {

// VROCM_PRETEND_OLD_HOST=1 stands in for a host without the instructions, for the test of what happens there.
bool has_host_vectors() {
    const char* pretend = std::getenv("VROCM_PRETEND_OLD_HOST");
    if (pretend && std::strcmp(pretend, "1") == 0) return false;
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}

// The executor is compiled for x86-64-v3.
void require_host_vectors() {
    if (has_host_vectors()) return;
    throw std::runtime_error(
        "the virtual GPU needs a host CPU with AVX2, FMA and BMI2 (x86-64-v3, Intel Haswell or AMD Zen and later)");
}

class VirtualGpu final : public Machine {
  public:
    explicit VirtualGpu(const GpuModel& model) : model_(model), arch_(model.arch) { require_host_vectors(); }

    void load(std::shared_ptr<const LoadedCode> code) override { CodeMap::process().add(std::move(code)); }

    void unload(std::uint64_t load_base) override {
        {
            std::lock_guard lock(mutex_);
            kernels_.clear();
        }
        CodeMap::process().remove(load_base);
    }

    std::unique_ptr<DispatchRun> begin(const Dispatch& dispatch) override {
        auto region = CodeMap::process().find(dispatch.kernel_object);
        if (!region || !region->contains(dispatch.kernel_object + kDescriptorBytes - 1))
            return refuse(nullptr, dispatch, "the kernel object of the packet is not in loaded code");
        if (region->loaded().arch != arch_) return refuse(region, dispatch, "the code is for another GPU");
        const auto kernel = KernelDescriptor::parse(reinterpret_cast<const std::uint8_t*>(dispatch.kernel_object));
        auto launch = std::make_unique<Launch>(model_, dispatch, kernel, AddressSpace::process());
        if (!launch->problem().empty()) return refuse(region, dispatch, launch->problem());
        const Op* entry = region->at(launch->entry_address());
        if (!entry) return refuse(region, dispatch, "the kernel descriptor points outside the code");
        launch->set_entry(entry);
        const Dependence dependence = dependence_of(*region, launch->entry_address());
        const checkers::CheckedDispatch checked{
            .lds_bytes = std::max(dispatch.group_segment_size, kernel.group_segment_fixed_size),
            .arguments = dispatch.kernarg_address,
            .argument_bytes = kernel.kernarg_size};
        auto observers = observe::installed(checked, [&] { return kernel_name(region.get(), dispatch.kernel_object); });
        // Only the functional path has watchers; what they see does not depend on time.
        timing::Clockwork* time = observers.empty() ? clockwork() : nullptr;
        return std::make_unique<Scheduler>(std::move(region), dispatch, std::move(launch), dependence, kernel, time,
                                           std::move(observers));
    }

    void written_through_caches(std::uint64_t bytes) override {
        if (timing::Clockwork* time = clockwork()) time->written_by_runtime += bytes;
    }

  private:
    static std::unique_ptr<DispatchRun> refuse(std::shared_ptr<CodeRegion> region, const Dispatch& dispatch,
                                               const std::string& why) {
        Fault fault;
        fault.kind = Fault::Kind::Unsupported;
        fault.text = "the launch: " + why;
        return std::make_unique<Scheduler>(std::move(region), dispatch, std::move(fault));
    }

    // Scanning code takes longer than running a small kernel, so the answer is kept.
    Dependence dependence_of(CodeRegion& region, std::uint64_t entry) {
        std::lock_guard lock(mutex_);
        const auto [it, fresh] = kernels_.try_emplace(entry);
        if (fresh) it->second = dependence_of_groups(region, entry);
        return it->second;
    }

    // Made when the first kernel is launched: its caches take memory.
    timing::Clockwork* clockwork() {
        if (timing::mode_from_environment() == timing::Mode::Off) return nullptr;
        std::lock_guard lock(mutex_);
        if (!clockwork_) clockwork_ = std::make_unique<timing::Clockwork>(model_);
        return clockwork_.get();
    }

    std::unique_ptr<timing::Clockwork> clockwork_;
    const GpuModel& model_;
    isa::Arch arch_;
    std::mutex mutex_;
    std::map<std::uint64_t, Dependence> kernels_;  // by entry
};

}  // namespace

std::unique_ptr<Machine> Machine::create(const GpuModel& model) {
    return std::make_unique<VirtualGpu>(model);
}

}  // namespace vrocm::sim
