// vrocm_run_kernel: a whole dispatch without the HSA runtime, for tests, benchmarks and tools.
#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "capi/answer.h"
#include "capi/vrocm_sim.h"
#include "codeobj/loadable.h"
#include "codeobj/target.h"
#include "sim/code/kernel.h"
#include "sim/machine.h"
#include "sim/wave/workgroup.h"

using namespace vrocm;
using namespace vrocm::sim;
using vrocm::capi::say;
using vrocm::capi::Shared;

namespace {

isa::Arch runnable_arch_of(const codeobj::Loadable& code) {
    if (codeobj::runs_on(code.isa(), "gfx90a")) return isa::Arch::gfx90a;
    if (codeobj::runs_on(code.isa(), "gfx942")) return isa::Arch::gfx942;
    throw std::runtime_error("the code object is for another GPU");
}

// The loaded image of a code object: segments placed, relative relocations applied.
class Image {
  public:
    explicit Image(std::vector<std::uint8_t> file) : file_(std::move(file)) {
        std::string why;
        code_ = codeobj::Loadable::read(file_, why);
        if (!code_) throw std::runtime_error("the code object cannot be loaded: " + why);
        arch_ = runnable_arch_of(*code_);
        const std::uint64_t end = code_->first_vaddr() + code_->memory_size();
        if (end > 1ull << 32) throw std::runtime_error("the code object wants addresses that are too high");
        memory_ = Pages(end);
        for (const codeobj::Loadable::Segment& s : code_->segments())
            if (s.file_size) std::memcpy(memory_.data() + s.vaddr, file_.data() + s.file_offset, s.file_size);
        for (const Elf64_Rela& r : code_->relocations()) relocate(r);
    }
    std::uint64_t base() const { return reinterpret_cast<std::uint64_t>(memory_.data()); }
    std::size_t size() const { return memory_.size(); }
    isa::Arch arch() const { return arch_; }

    std::uint64_t descriptor(const std::string& kernel) const {
        for (const codeobj::Elf::Symbol& s : code_->elf().symbols()) {
            if (s.name != kernel + ".kd") continue;
            const codeobj::Loadable::Segment* segment = code_->segment_of(s.value);
            if (segment && segment->holds(s.value, kDescriptorBytes)) return base() + s.value;
        }
        throw std::runtime_error("no kernel " + kernel + " in the code object");
    }
    std::shared_ptr<LoadedCode> loaded() const {
        return std::make_shared<LoadedCode>(LoadedCode{arch_, base(), size(), file_});
    }

  private:
    void relocate(const Elf64_Rela& r) {
        constexpr std::uint32_t kRelative64 = 13;  // R_AMDGPU_RELATIVE64
        const codeobj::Loadable::Segment* segment = code_->segment_of(r.r_offset);
        if (ELF64_R_TYPE(r.r_info) != kRelative64 || !segment || !segment->holds(r.r_offset, 8))
            throw std::runtime_error("the code object has relocations that need a linker");
        const std::uint64_t value = base() + static_cast<std::uint64_t>(r.r_addend);
        std::memcpy(memory_.data() + r.r_offset, &value, 8);
    }

    std::vector<std::uint8_t> file_;
    std::unique_ptr<codeobj::Loadable> code_;
    isa::Arch arch_ = isa::Arch::gfx942;
    Pages memory_;
};

// Keeps the code loaded while it runs.
class LoadedImage {
  public:
    LoadedImage(Machine& machine, const Image& image) : machine_(machine), base_(image.base()) {
        machine.load(image.loaded());
    }
    ~LoadedImage() { machine_.unload(base_); }
    LoadedImage(const LoadedImage&) = delete;
    LoadedImage& operator=(const LoadedImage&) = delete;

  private:
    Machine& machine_;
    std::uint64_t base_;
};

Dispatch dispatch_of(const vrocm_launch& launch, std::uint64_t descriptor, const Pages& kernarg) {
    const auto kernel = KernelDescriptor::parse(reinterpret_cast<const std::uint8_t*>(descriptor));
    Dispatch dispatch;
    dispatch.kernel_object = descriptor;
    dispatch.kernarg_address = reinterpret_cast<std::uint64_t>(kernarg.data());
    for (unsigned i = 0; i < 3; ++i) {
        dispatch.grid[i] = launch.grid[i];
        dispatch.workgroup[i] = launch.workgroup[i];
    }
    dispatch.group_segment_size =
        launch.group_segment_size ? launch.group_segment_size : kernel.group_segment_fixed_size;
    dispatch.private_segment_size =
        launch.private_segment_size ? launch.private_segment_size : kernel.private_segment_fixed_size;
    return dispatch;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int vrocm_run_kernel(const uint8_t* elf, size_t elf_size,
                                                                       const char* kernel, const vrocm_launch* launch,
                                                                       const void* kernarg, size_t kernarg_size,
                                                                       const vrocm_memory* memory, size_t memory_count,
                                                                       vrocm_stats* stats, char* message,
                                                                       size_t message_size) {
    try {
        const Image image({elf, elf + elf_size});
        const std::uint64_t descriptor = image.descriptor(kernel);
        // Where they lie on their lines is a part of the time, so it is the same each time.
        const Pages arguments(kernarg_size / 8 * 8 + 8);
        if (kernarg_size) std::memcpy(arguments.data(), kernarg, kernarg_size);
        const Shared code(reinterpret_cast<const void*>(image.base()), image.size(), true, "code");
        const Shared kernarg_memory(arguments.data(), arguments.size(), false, "kernarg");
        std::deque<Shared> shared;
        for (size_t i = 0; i < memory_count; ++i) shared.emplace_back(memory[i].base, memory[i].size, true, "device");

        const auto machine = Machine::create(default_gpu_model(image.arch()));
        const LoadedImage loaded(*machine, image);
        const auto run = machine->begin(dispatch_of(*launch, descriptor, arguments));
        auto status = DispatchRun::Status::Running;
        std::uint64_t steps = 0;
        for (; status == DispatchRun::Status::Running; ++steps)
            status = run->step(launch->step ? launch->step : 1'000'000'000);
        const DispatchStats done = run->stats();
        const DispatchTime time = run->time();
        if (stats)
            *stats = {done.waves,        done.workgroups, done.instructions, steps,
                      done.host_threads, time.cycles,     time.nanoseconds,  time.sampled};
        if (status == DispatchRun::Status::Done) return say(Fault::Kind::None, "", message, message_size);
        return say(run->fault().fault.kind, run->fault().text(), message, message_size);
    } catch (const std::exception& error) {
        return say(Fault::Kind::Unsupported, error.what(), message, message_size);
    }
}
