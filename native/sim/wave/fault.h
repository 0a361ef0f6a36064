// Why a wave could not go on.
#pragma once

#include <cstdint>
#include <string>

namespace vrocm::sim {

struct Fault {
    enum class Kind : std::uint8_t {
        None,
        MemoryViolation,  // address outside any allocation the agent may touch, or a write to read-only
        Misaligned,
        IllegalInstruction,  // bytes that do not decode
        Unsupported,         // decodes, but is not implemented; text names it
        Trap,                // s_trap: assert, abort, __builtin_trap
        Hang,                // instruction limit reached
        BadBranch,           // control left the code object
    };
    Kind kind = Kind::None;
    std::uint64_t pc = 0;
    std::uint64_t address = 0;  // of the access, or trap id
    std::uint32_t bytes = 0;
    bool write = false;
    std::uint8_t lane = 0;
    std::string text;  // what the kind cannot say
    explicit operator bool() const { return kind != Kind::None; }
};

}  // namespace vrocm::sim
