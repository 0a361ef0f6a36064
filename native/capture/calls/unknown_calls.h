// Functions of a runtime that is newer than the tables this library knows. What they do is not known, so nothing can
// be booked for them; that the application calls them can be told.
#pragma once

#include "abi/hsa/hsa_api_trace.h"
#include "capture/documents/verdict.h"

namespace rpl::capture {

void install_unknown(HsaApiTable& table);
// One item for each of them that was called.
void judge_unknown_calls(Verdict& verdict);

}  // namespace rpl::capture
