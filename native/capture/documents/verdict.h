// The completeness verdict: each thing that a dispatch may need, with what became of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snapshot/json.h"

namespace rpl::capture {

enum class Outcome : std::uint8_t { Captured, Rebound, LeftOut, Refused };

struct VerdictItem {
    std::string what, name;
    Outcome outcome = Outcome::Captured;
    std::string reason;
    std::optional<std::uint64_t> address, bytes;
};

class Verdict {
  public:
    void add(VerdictItem item) { items_.push_back(std::move(item)); }
    bool complete() const;
    snapshot::Json json() const;

  private:
    std::vector<VerdictItem> items_;
};

}  // namespace rpl::capture
