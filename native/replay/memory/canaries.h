// Canaries: bytes in the pages of regions that belong to no region. They hold a pattern; a kernel that writes past
// the end of a buffer, by less than a page, changes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replay/captured/folder.h"
#include "replay/device/copy_lane.h"

namespace rpl::replay {

class Canaries {
  public:
    Canaries(const Capture& capture, CopyLanes& lanes);
    std::uint64_t bytes() const;
    void write();
    // Says in words what was changed, and makes it whole again.
    std::vector<std::string> check(std::uint64_t iteration);

  private:
    struct Canary {
        AddressRange range;
        bool host;
        std::string where;
    };
    void add(const Capture& capture, AddressRange range, const CapturedRegion& region, const char* side);
    void put(CopyLane& lane, const Canary& canary);

    CopyLanes& lanes_;
    std::vector<Canary> canaries_;
};

}  // namespace rpl::replay
