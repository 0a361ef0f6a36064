#include "hip/error.h"

#include <cstdio>

#include "abi/hsa/hsa_ext_amd.h"

namespace vrocm::hip {

void require_hsa(hsa_status_t status) {
    switch (static_cast<int>(status)) {
        case HSA_STATUS_SUCCESS:
        case HSA_STATUS_INFO_BREAK:
            return;
        case HSA_STATUS_ERROR_OUT_OF_RESOURCES:
            fail(hipErrorOutOfMemory);
        case HSA_STATUS_ERROR_INVALID_CODE_OBJECT:
        case HSA_STATUS_ERROR_INVALID_ISA:
            fail(hipErrorInvalidImage);
        case HSA_STATUS_ERROR_INVALID_ARGUMENT:
        case HSA_STATUS_ERROR_INVALID_ALLOCATION:
            fail(hipErrorInvalidValue);
        case HSA_STATUS_ERROR_NOT_INITIALIZED:
            fail(hipErrorNotInitialized);
        default:
            fail(hipErrorRuntimeOther);
    }
}

void refuse(const char* what, const char* why) {
    std::fprintf(stderr, "vrocm: %s is not supported: %s\n", what, why);
    fail(hipErrorNotSupported);
}

const char* error_name(hipError_t code) {
    switch (code) {
#define ERROR(name, text) \
    case name:            \
        return #name;
#include "hip/error_codes.def"
#undef ERROR
        default:
            return "hipErrorUnknown";
    }
}

const char* error_text(hipError_t code) {
    switch (code) {
#define ERROR(name, text) \
    case name:            \
        return text;
#include "hip/error_codes.def"
#undef ERROR
        default:
            return "unknown error";
    }
}

}  // namespace vrocm::hip
