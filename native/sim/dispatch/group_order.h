// The order in which workgroups start when time is not modelled. VROCM_GROUP_ORDER=N chooses another one than their
// numbers: results that differ between orders depend on something hardware does not promise.
#pragma once

#include <cstdint>

namespace vrocm::sim {

class GroupOrder {
  public:
    GroupOrder() = default;  // by number
    // `window`: groups that fit on the GPU together. Groups change places within such a window only, so that one that
    // waits for an earlier one still finds it started.
    GroupOrder(std::uint64_t seed, std::uint64_t groups, std::uint64_t window);
    static GroupOrder from_environment(std::uint64_t groups, std::uint64_t window);

    // The group that starts as the n-th.
    std::uint64_t operator()(std::uint64_t n) const;

  private:
    std::uint64_t seed_ = 0, groups_ = 0, window_ = 0;  // seed 0: by number
};

}  // namespace vrocm::sim
