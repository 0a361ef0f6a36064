// The command full-vm: memory, then code, then the kernel as often as asked.
#pragma once

#include "replay/report.h"
#include "replay/session.h"

namespace rpl::replay {

// The addresses of the session are reserved. Throws Failure and snapshot::FileError.
ReplayResult replay(ReplaySession& session);

}  // namespace rpl::replay
