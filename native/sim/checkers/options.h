// What is checked: VROCM_CHECK lists classes of defects ("all", or names with commas), VROCM_CHECK_OUTPUT names the
// file that findings are appended to, one line of JSON each (docs/guide/check.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace vrocm::sim::checkers {

enum class Class : std::uint8_t {
    OutOfBounds,
    UseAfterFree,
    LdsOutOfBounds,
    Misaligned,
    UninitialisedMemory,
    UninitialisedLds,
    UninitialisedRegister,
    RaceGlobal,
    RaceLds,
    DivergentBarrier,
    Leak,
};
inline constexpr unsigned kClasses = 11;

std::string_view name(Class one);

class CheckOptions {
  public:
    static const CheckOptions& process();  // of the environment, read once
    bool any() const { return any_; }
    bool wants(Class one) const { return wanted_[static_cast<unsigned>(one)]; }
    const std::string& output() const { return output_; }

  private:
    CheckOptions();
    std::array<bool, kClasses> wanted_{};
    bool any_ = false;
    std::string output_;
};

inline bool checking() {
    return CheckOptions::process().any();
}

}  // namespace vrocm::sim::checkers
