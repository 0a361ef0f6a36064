#include "sim/checkers/report.h"

#include <atomic>
#include <bit>
#include <cinttypes>
#include <cstdio>

#include "codeobj/elf.h"
#include "sim/code/code_map.h"
#include "sim/code/source_lines.h"
#include "sim/observe/json_line.h"

namespace vrocm::sim::checkers {

namespace {

using observe::JsonLine;

const char* name(observe::Space space) {
    switch (space) {
        case observe::Space::Global:
            return "global";
        case observe::Space::Lds:
            return "lds";
        case observe::Space::Scratch:
            return "scratch";
    }
    return "";
}

const char* name(observe::Kind kind) {
    switch (kind) {
        case observe::Kind::Read:
            return "read";
        case observe::Kind::Write:
            return "write";
        case observe::Kind::Atomic:
            return "atomic";
    }
    return "";
}

void write_triple(JsonLine& line, const char* key, const std::array<std::uint32_t, 3>& value) {
    line.key(key).open('[').number(value[0]).number(value[1]).number(value[2]).close(']');
}

// Keeps the code object beside the findings, for those who want to know more than a line; gives the file's name.
std::string keep_code(const LoadedCode& code) {
    const std::string& output = CheckOptions::process().output();
    if (output.empty()) return {};
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const std::uint8_t byte : code.elf) hash = (hash ^ byte) * 0x100000001b3;
    char suffix[40];
    std::snprintf(suffix, sizeof suffix, ".%016" PRIx64 ".co", hash);
    const std::string path = output + suffix;
    if (FILE* file = std::fopen(path.c_str(), "wbxe")) {
        std::fwrite(code.elf.data(), 1, code.elf.size(), file);
        std::fclose(file);
    }
    return path;
}

// The instruction: its offset in the code object stays the same from run to run.
void write_place(JsonLine& line, const Place& place) {
    const auto region = CodeMap::process().find(place.pc);
    line.key("pc").address(place.pc);
    if (region) {
        const auto& file = region->loaded().elf;
        const std::uint64_t offset = place.pc - region->loaded().load_base;
        line.key("code_offset").number(offset);
        const std::string code = keep_code(region->loaded());
        code.empty() ? line.key("code_object").null() : line.key("code_object").text(code);
        const Op* op = region->at(place.pc);
        line.key("instruction").text(op && op->inst ? isa::disassemble(region->loaded().arch, *op->inst) : "");
        const std::string source = source_line(codeobj::Elf(file), offset);
        source.empty() ? line.key("source").null() : line.key("source").text(source);
    } else {
        line.key("code_offset").null().key("code_object").null().key("instruction").null().key("source").null();
    }
    write_triple(line, "workgroup", place.workgroup);
    write_triple(line, "thread", place.thread);
    line.key("wave").number(place.wave).key("lanes").open('[');
    for (std::uint64_t left = place.lanes; left; left &= left - 1)
        line.number(static_cast<unsigned>(std::countr_zero(left)));
    line.close(']');
}

void write_allocation(JsonLine& line, const Allocation& allocation, bool freed) {
    line.key("allocation").open('{').key("base").address(allocation.base).key("bytes").number(allocation.size);
    line.key("kind").text(allocation.kind).key("freed").boolean(freed).key("where");
    allocation.where.empty() ? line.null() : line.text(allocation.where);
    line.close('}');
}

// A barrier is no access, and of an instruction that was looked at before it ran the address is not known.
void write_access(JsonLine& line, const Finding& finding) {
    if (finding.of == Class::DivergentBarrier)
        line.key("space").null().key("access").null();
    else
        line.key("space").text(name(finding.space)).key("access").text(name(finding.kind));
    if (finding.bytes)
        line.key("bytes").number(finding.bytes).key("address").address(finding.address);
    else
        line.key("bytes").null().key("address").null();
}

}  // namespace

void report_start() {
    static std::atomic<bool> started{false};
    if (started.exchange(true) || CheckOptions::process().output().empty()) return;
    JsonLine line;
    line.open('{').key("start").text("vrocm").close('}');
    line.append_to(CheckOptions::process().output());
}

void report(const FindingTable& findings, std::uint64_t dispatch, const std::string& kernel) {
    for (const std::string& note : findings.notes()) {
        JsonLine line;
        line.open('{').key("note").text(note + " (" + kernel + ")").close('}');
        if (!CheckOptions::process().output().empty()) line.append_to(CheckOptions::process().output());
    }
    for (const auto& [key, entry] : findings.entries()) {
        const Finding& f = entry.finding;
        JsonLine line;
        line.open('{').key("class").text(name(f.of)).key("kernel").text(kernel).key("dispatch").number(dispatch);
        write_place(line, f.place);
        write_access(line, f);
        if (f.allocation)
            write_allocation(line, *f.allocation, f.freed);
        else
            line.key("allocation").null();
        line.key("other");
        if (f.other) {
            line.open('{').key("access");
            f.of == Class::DivergentBarrier ? line.null() : line.text(name(f.other_kind));
            write_place(line, *f.other);
            line.close('}');
        } else {
            line.null();
        }
        line.key("explanation").text(f.explanation).key("count").number(entry.count).close('}');
        if (CheckOptions::process().output().empty())
            std::fprintf(stderr, "vrocm: %s\n", line.str().c_str());
        else
            line.append_to(CheckOptions::process().output());
    }
}

void report_leak(const Allocation& allocation) {
    if (!CheckOptions::process().wants(Class::Leak)) return;
    JsonLine line;
    line.open('{').key("class").text(name(Class::Leak)).key("kernel").null();
    write_allocation(line, allocation, false);
    line.key("explanation").text("the program has ended without freeing it").key("count").number(1).close('}');
    if (CheckOptions::process().output().empty())
        std::fprintf(stderr, "vrocm: %s\n", line.str().c_str());
    else
        line.append_to(CheckOptions::process().output());
}

}  // namespace vrocm::sim::checkers
