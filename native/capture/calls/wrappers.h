// The functions this library puts in the place of the runtime's, by area. Each calls the original and books what it
// did; those that change memory pass the gate first.
#pragma once

#include "abi/hsa/hsa_api_trace.h"

namespace rpl::capture {

void install_memory(HsaApiTable& table);
void install_virtual_memory(HsaApiTable& table);
void install_copies(HsaApiTable& table);
void install_code(HsaApiTable& table);
void install_queues(HsaApiTable& table);
void install_signals(HsaApiTable& table);

}  // namespace rpl::capture
