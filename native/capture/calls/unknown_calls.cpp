#include "capture/calls/unknown_calls.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

// Their parameters are unknown, too: each entry marks its number and jumps on, with registers and stack as they were.
extern "C" {
__attribute__((visibility("hidden"))) void* rpl_unknown_functions[32];
__attribute__((visibility("hidden"))) std::uint8_t rpl_unknown_called[32];
__attribute__((visibility("hidden"))) extern const char rpl_unknown_entries[];
}

asm(R"(
    .pushsection .text
    .hidden rpl_unknown_entries
    .globl rpl_unknown_entries
    .balign 32
rpl_unknown_entries:
    .set number, 0
    .rept 32
    .balign 32
    endbr64
    movb $1, rpl_unknown_called+number(%rip)
    jmp *rpl_unknown_functions+8*number(%rip)
    .set number, number+1
    .endr
    .popsection
)");

namespace rpl::capture {

namespace {

constexpr unsigned kMost = 32, kEntryBytes = 32;
static_assert(sizeof rpl_unknown_called == kMost);

struct Watched {
    const char* table;
    unsigned place;  // in the table, from 1
};
std::array<Watched, kMost> watched;
unsigned count = 0;

void watch(const char* name, ApiTableVersion& version, std::size_t known_bytes) {
    auto* table = reinterpret_cast<char*>(&version);
    for (std::size_t at = known_bytes; at + sizeof(void*) <= version.minor_id && count < kMost; at += sizeof(void*)) {
        std::memcpy(&rpl_unknown_functions[count], table + at, sizeof(void*));
        if (!rpl_unknown_functions[count]) continue;
        const char* entry = rpl_unknown_entries + count * kEntryBytes;
        std::memcpy(table + at, &entry, sizeof entry);
        watched[count++] = {name, static_cast<unsigned>((at - sizeof version) / sizeof(void*) + 1)};
    }
}

}  // namespace

void install_unknown(HsaApiTable& table) {
    watch("the core table", table.core_->version, sizeof(CoreApiTable));
    watch("AMD's table", table.amd_ext_->version, sizeof(AmdExtTable));
}

void judge_unknown_calls(Verdict& verdict) {
    for (unsigned i = 0; i < count; ++i)
        if (__atomic_load_n(&rpl_unknown_called[i], __ATOMIC_RELAXED))
            verdict.add({.what = "unknown call",
                         .name = "function " + std::to_string(watched[i].place) + " of " + watched[i].table,
                         .outcome = Outcome::LeftOut,
                         .reason = "the runtime is newer than this tool: what the call copied may have changed memory "
                                   "during the capture, and what it allocated may be missing"});
}

}  // namespace rpl::capture
