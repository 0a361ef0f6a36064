// Globals of the code object in this process: where the captured data segments belong, and whether the captured
// memory can be right when code is elsewhere.
#pragma once

#include <string>
#include <vector>

#include "replay/code/loaded_code.h"
#include "replay/memory/placed_region.h"
#include "replay/memory/restore.h"

namespace rpl::replay {

// Data segments of the captured code object follow it. Throws Failure when other memory points into code that is
// elsewhere now.
void place_globals(const Capture& capture, const ReplayedCode& code, const PointerSearch* search,
                   std::vector<PlacedRegion>& regions);

// In a variant only named variables are the same: each gets the captured contents. `captured` lists those of the
// captured code object at their captured addresses. Notes say which are not there.
void place_globals_of_variant(const Capture& capture, const std::vector<Variable>& captured, const ReplayedCode& code,
                              const PointerSearch* search, std::vector<PlacedRegion>& regions,
                              std::vector<std::string>& notes);

}  // namespace rpl::replay
