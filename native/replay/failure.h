// Why a replay ended early: for people in words, for programs by kind and exit code.
#pragma once

#include <string>

namespace rpl::replay {

// docs/reference/capture-format.md lists them.
enum class ExitCode : int {
    Done = 0,
    HsaFailure = 1,
    Relocated = 2,
    NoDevice = 3,
    KernelFault = 4,
    BadInput = 6,
    TimedOut = 7,
    Refused = 9,
    Usage = 64,
};

struct Failure {
    ExitCode code = ExitCode::HsaFailure;
    std::string kind;     // one or two words, for programs
    std::string message;  // what happened, and to what
    std::string remedy;   // what to do about it
};

}  // namespace rpl::replay
