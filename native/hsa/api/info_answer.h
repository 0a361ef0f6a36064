// How functions that are asked for an attribute give the answer: at the address that the caller named, which may not be
// aligned for it.
#pragma once

#include <cstring>

#include "abi/hsa/hsa.h"

namespace vrocm::hsa {

template <typename T>
hsa_status_t give(void* value, T answer) {
    std::memcpy(value, &answer, sizeof answer);
    return HSA_STATUS_SUCCESS;
}

}  // namespace vrocm::hsa
