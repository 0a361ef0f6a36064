// What happens after a kernel has failed: the error sticks to the process, as a broken context does.
#pragma once

#include "abi/hsa/hsa.h"
#include "hip/hip_abi.h"

namespace vrocm::hip {

// hipSuccess until a kernel fails; afterwards the error that every call returns.
hipError_t sticky_error();

// Error callback of every HSA queue; HSA has printed its report by then.
void on_queue_error(hsa_status_t status, hsa_queue_t* queue, void* stream);

}  // namespace vrocm::hip
