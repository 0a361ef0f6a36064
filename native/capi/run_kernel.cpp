// vrocm_run_kernel: a whole dispatch without the HSA runtime, for tests, benchmarks and tools.
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "capi/answer.h"
#include "capi/vrocm_sim.h"
#include "sim/elf.h"
#include "sim/kernel.h"
#include "sim/machine.h"
#include "sim/workgroup.h"

using namespace vrocm;
using namespace vrocm::sim;
using vrocm::capi::say;
using vrocm::capi::Shared;

namespace {

isa::Arch runnable_arch_of(const Elf64_Ehdr& header) {
    // AMDGPUUsage, EF_AMDGPU_MACH.
    switch (header.e_flags & 0xff) {
        case 0x3f:
            return isa::Arch::gfx90a;
        case 0x4c:
            return isa::Arch::gfx942;
        default:
            throw std::runtime_error("the code object is for another GPU");
    }
}

// The loaded image of a code object: segments placed, relative relocations applied.
class Image {
  public:
    explicit Image(std::vector<std::uint8_t> file) : file_(std::move(file)) {
        if (file_.size() < sizeof header_ || std::memcmp(file_.data(), ELFMAG, SELFMAG) != 0)
            throw std::runtime_error("not an ELF file");
        std::memcpy(&header_, file_.data(), sizeof header_);
        arch_ = runnable_arch_of(header_);
        std::uint64_t end = 0;
        for (unsigned i = 0; i < header_.e_phnum; ++i)
            if (const auto h = segment(i); h.p_type == PT_LOAD) end = std::max(end, h.p_vaddr + h.p_memsz);
        if (end == 0 || end > 1ull << 32) throw std::runtime_error("the code object has no loadable segments");
        memory_ = Pages(end);
        for (unsigned i = 0; i < header_.e_phnum; ++i)
            if (const auto h = segment(i); h.p_type == PT_LOAD) place(h);
        for (unsigned i = 0; i < header_.e_shnum; ++i) relocate(i);
    }
    std::uint64_t base() const { return reinterpret_cast<std::uint64_t>(memory_.data()); }
    std::size_t size() const { return memory_.size(); }
    isa::Arch arch() const { return arch_; }

    std::uint64_t descriptor(const std::string& kernel) const {
        const Elf elf({file_.data(), file_.size()});
        for (const Elf::Symbol& s : elf.symbols())
            if (s.name == kernel + ".kd" && s.value + kDescriptorBytes <= size()) return base() + s.value;
        throw std::runtime_error("no kernel " + kernel + " in the code object");
    }
    std::shared_ptr<LoadedCode> loaded() const {
        return std::make_shared<LoadedCode>(LoadedCode{arch_, base(), size(), file_});
    }

  private:
    template <typename T>
    T read(std::uint64_t offset) const {
        T value;
        if (offset > file_.size() || sizeof value > file_.size() - offset)
            throw std::runtime_error("the code object is cut short");
        std::memcpy(&value, file_.data() + offset, sizeof value);
        return value;
    }
    Elf64_Phdr segment(unsigned i) const { return read<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr)); }
    void place(const Elf64_Phdr& h) {
        if (h.p_offset > file_.size() || h.p_filesz > file_.size() - h.p_offset || h.p_filesz > h.p_memsz)
            throw std::runtime_error("the code object is cut short");
        std::memcpy(memory_.data() + h.p_vaddr, file_.data() + h.p_offset, h.p_filesz);
    }
    void relocate(unsigned section) {
        const auto h = read<Elf64_Shdr>(header_.e_shoff + section * sizeof(Elf64_Shdr));
        if (h.sh_type != SHT_RELA || !(h.sh_flags & SHF_ALLOC)) return;
        for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= h.sh_size; at += sizeof(Elf64_Rela)) {
            const auto r = read<Elf64_Rela>(h.sh_offset + at);
            constexpr std::uint32_t kRelative64 = 13;  // R_AMDGPU_RELATIVE64
            if (ELF64_R_TYPE(r.r_info) != kRelative64 || r.r_offset + 8 > size())
                throw std::runtime_error("the code object has relocations that need a linker");
            const std::uint64_t value = base() + static_cast<std::uint64_t>(r.r_addend);
            std::memcpy(memory_.data() + r.r_offset, &value, 8);
        }
    }

    std::vector<std::uint8_t> file_;
    Elf64_Ehdr header_{};
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
