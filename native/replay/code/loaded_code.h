// The code object in this process: loaded, brought to its captured address where that can be done, and its symbols.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "replay/addresses/placement.h"
#include "replay/device/device.h"
#include "replay/device/hsa_library.h"

namespace rpl::replay {

struct KernelSymbol {
    std::uint64_t object = 0;
    std::uint32_t group_size = 0, private_size = 0, kernarg_size = 0;
    bool dynamic_stack = false;
};

struct Variable {
    std::string name;
    std::uint64_t address = 0, size = 0;
};

class ReplayedCode {
  public:
    // `bytes` must stay. `path` is for messages. Throws Failure.
    ReplayedCode(const HsaLibrary& hsa, const ReplayDevice& device, std::span<const std::uint8_t> bytes,
                 const std::string& path);
    ~ReplayedCode();
    ReplayedCode(const ReplayedCode&) = delete;
    ReplayedCode& operator=(const ReplayedCode&) = delete;

    AddressRange range() const { return range_; }
    KernelSymbol kernel(const std::string& name) const;  // mangled, without .kd
    std::vector<Variable> variables() const;

  private:
    const HsaLibrary& hsa_;
    const ReplayDevice& device_;
    std::string path_;
    hsa_code_object_reader_t reader_{};
    hsa_executable_t executable_{};
    AddressRange range_;
};

// Makes the next code object of that size come to the address, as far as that can be done: looks where the runtime
// would put one, and reserves what lies between there and the address until it would land there. The reservations
// last until AddressPlacement::unblock. False when the place is taken or cannot be reached.
bool lead_code_to(const HsaLibrary& hsa, const ReplayDevice& device, AddressPlacement& space, AddressRange target);

}  // namespace rpl::replay
