// How functions inside the runtime report failure: they throw, the API boundary catches.
#pragma once

#include "abi/hsa/hsa.h"
#include "hip/hip_abi.h"

namespace vrocm::hip {

struct Error {
    hipError_t code;
};

[[noreturn]] inline void fail(hipError_t code) {
    throw Error{code};
}
inline void require(bool condition, hipError_t otherwise = hipErrorInvalidValue) {
    if (!condition) fail(otherwise);
}
// Throws the HIP error that stands for a failed HSA call.
void require_hsa(hsa_status_t status);

// Names something this runtime does not do, on standard error, then fails with hipErrorNotSupported.
[[noreturn]] void refuse(const char* what, const char* why);

const char* error_name(hipError_t code);
const char* error_text(hipError_t code);

}  // namespace vrocm::hip
