#include "sim/wave/fault_report.h"

#include <elf.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "codeobj/demangle.h"
#include "codeobj/elf.h"
#include "sim/code/op.h"
#include "sim/code/source_lines.h"
#include "sim/memory/address_space.h"

namespace vrocm::sim {

namespace {

std::string hex(std::uint64_t value) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%" PRIx64, value);
    return text;
}

codeobj::Elf elf_of(const CodeRegion& region) {
    const auto& file = region.loaded().elf;
    return codeobj::Elf(file);
}

std::string disassemble_at(CodeRegion& region, std::uint64_t pc) {
    const Op* op = region.at(pc);
    return op && op->inst ? isa::disassemble(region.loaded().arch, *op->inst) : std::string();
}

// "12 bytes past the end of the 4096-byte device allocation at 0x7f..."
std::string where_address_lies(std::uint64_t address) {
    if (address < 4096) return "a null pointer, or an index applied to one";
    const std::uint64_t offset_in_window = address % kApertureSize;
    if (address - kSharedAperture < kApertureSize)
        return "byte " + std::to_string(offset_in_window) + " of shared memory (LDS), more than the workgroup has";
    if (address - kPrivateAperture < kApertureSize)
        return "byte " + std::to_string(offset_in_window) + " of the thread's scratch (stack), more than it has";
    const auto found = AddressSpace::process().nearest(address);
    if (!found) return "no memory has been allocated for the GPU";
    const Allocation& a = *found;
    const std::string name = "the " + std::to_string(a.size) + "-byte " + (a.kind.empty() ? "device" : a.kind) +
                             " allocation at " + hex(a.base);
    if (address < a.base) return std::to_string(a.base - address) + " bytes before " + name;
    const std::uint64_t offset = address - a.base;
    if (offset < a.size) return std::to_string(offset) + " bytes into " + name;
    if (offset == a.size) return "right at the end of " + name;
    return std::to_string(offset - a.size) + " bytes past the end of " + name;
}

std::string cause(const Fault& f) {
    const std::string size = f.bytes ? std::to_string(f.bytes) + "-byte " : "";
    switch (f.kind) {
        case Fault::Kind::None:
            return "no fault";
        case Fault::Kind::MemoryViolation:
            return "memory access fault: " + size + (f.write ? "write to " : "read of ") + hex(f.address);
        case Fault::Kind::Misaligned:
            return "misaligned access: " + size + (f.write ? "write to " : "read of ") + hex(f.address);
        case Fault::Kind::IllegalInstruction:
            return "illegal instruction";
        case Fault::Kind::Unsupported:
            return "not supported by the virtual GPU";
        case Fault::Kind::Trap:
            return "the kernel stopped itself (trap " + std::to_string(f.address) + ")";
        case Fault::Kind::Hang:
            return "the kernel does not end";
        case Fault::Kind::BadBranch:
            return "control left the code: jump to " + hex(f.address);
    }
    return "fault";
}

std::string remedy(const Fault& f) {
    switch (f.kind) {
        case Fault::Kind::MemoryViolation: {
            const auto inside = AddressSpace::process().find(f.address);
            if (inside && f.write && !inside->device_writable) return "the memory is read-only for kernels";
            if (inside && !f.write && !inside->device_readable) return "the memory is not readable by kernels";
            if (f.address < 4096) return "check that the pointer was allocated and that the allocation succeeded";
            return "check the index against the size of the buffer, and that the pointer is a device pointer that "
                   "has not been freed";
        }
        case Fault::Kind::Misaligned:
            return "align the address to the size of the access";
        case Fault::Kind::IllegalInstruction:
            return "build for the architecture of the virtual GPU";
        case Fault::Kind::Unsupported:
            return "please report the instruction named above";
        case Fault::Kind::Trap:
            return "an assert failed, or abort() or __builtin_trap() was reached";
        case Fault::Kind::Hang:
            return "look for a loop that never ends or waits for a workgroup that cannot start; a kernel that needs "
                   "longer can be given more with VROCM_INSTRUCTION_LIMIT (or VROCM_TIMEOUT)";
        case Fault::Kind::BadBranch:
            return "check function pointers, and returns from functions whose stack was overwritten";
        case Fault::Kind::None:
            break;
    }
    return {};
}

std::string triple(const std::uint32_t id[3]) {
    char text[48];
    std::snprintf(text, sizeof text, "(%u,%u,%u)", id[0], id[1], id[2]);
    return text;
}

}  // namespace

std::string kernel_name(const CodeRegion* region, std::uint64_t kernel_object) {
    if (region) {
        const std::uint64_t value = kernel_object - region->loaded().load_base;
        const codeobj::Elf elf = elf_of(*region);
        for (const codeobj::Elf::Symbol& s : elf.symbols())
            if (s.value == value && s.name.ends_with(".kd"))
                return codeobj::demangle(s.name.substr(0, s.name.size() - 3));
    }
    return "kernel at " + hex(kernel_object);
}

FaultReport describe(const Fault& fault, const std::string& kernel, const Workgroup* group, const Wave* wave) {
    FaultReport report;
    report.fault = fault;
    report.kernel = kernel;
    if (const auto region = CodeMap::process().find(fault.pc)) {
        report.instruction = disassemble_at(*region, fault.pc);
        report.source = source_line(elf_of(*region), fault.pc - region->loaded().load_base);
    }
    if (group) std::copy_n(group->id, 3, report.workgroup);
    if (group && wave) {
        const std::uint32_t flat = wave->index_in_group * kLanes + fault.lane;
        const std::uint32_t x = std::max(group->size[0], 1u), y = std::max(group->size[1], 1u);
        report.thread[0] = flat % x;
        report.thread[1] = flat / x % y;
        report.thread[2] = flat / x / y;
    }
    return report;
}

std::string FaultReport::text() const {
    std::string out = cause(fault);
    if (!fault.text.empty()) out += ": " + fault.text;
    const auto line = [&out](const char* label, const std::string& value) {
        if (!value.empty()) out += "\n  " + (std::string(label) + ":                ").substr(0, 14) + value;
    };
    if (fault.kind == Fault::Kind::MemoryViolation) line("address", where_address_lies(fault.address));
    line("kernel", kernel);
    line("source", source);
    if (fault.pc != 0) {  // 0: it never started
        line("instruction", (instruction.empty() ? "" : instruction + "  ") + "at " + hex(fault.pc));
        line("workgroup", triple(workgroup));
        line("thread", triple(thread));
    }
    line("remedy", remedy(fault));
    return out;
}

}  // namespace vrocm::sim
