// API: errors. None of these touches the device.
#include "hip/call/enter.h"

using namespace vrocm::hip;

extern "C" {

hipError_t hipGetLastError(void) {
    VROCM_API(hipGetLastError);
    if (hipError_t stuck = sticky_error(); stuck != hipSuccess) return stuck;  // cannot be cleared
    hipError_t last = thread_state().last_error;
    thread_state().last_error = hipSuccess;
    return last;
}

hipError_t hipExtGetLastError(void) {
    VROCM_API(hipExtGetLastError);
    return hipGetLastError();
}

hipError_t hipPeekAtLastError(void) {
    VROCM_API(hipPeekAtLastError);
    if (hipError_t stuck = sticky_error(); stuck != hipSuccess) return stuck;
    return thread_state().last_error;
}

const char* hipGetErrorName(hipError_t error) {
    VROCM_API(hipGetErrorName, error);
    return error_name(error);
}
const char* hipGetErrorString(hipError_t error) {
    VROCM_API(hipGetErrorString, error);
    return error_text(error);
}

hipError_t hipDrvGetErrorName(hipError_t error, const char** name) {
    VROCM_API(hipDrvGetErrorName, error, name);
    if (!name) return hipErrorInvalidValue;
    *name = error_name(error);
    return hipSuccess;
}

hipError_t hipDrvGetErrorString(hipError_t error, const char** text) {
    VROCM_API(hipDrvGetErrorString, error, text);
    if (!text) return hipErrorInvalidValue;
    *text = error_text(error);
    return hipSuccess;
}
}
