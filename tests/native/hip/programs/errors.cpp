// Error codes, their names and texts, and what the last error is.
#include <hip/hip_runtime_api.h>

#include <thread>

#include "check.h"

static void texts() {
    CHECK(!std::strcmp(hipGetErrorString(hipSuccess), "no error"));
    CHECK(!std::strcmp(hipGetErrorString(hipErrorInvalidValue), "invalid argument"));
    CHECK(!std::strcmp(hipGetErrorString(hipErrorOutOfMemory), "out of memory"));
    CHECK(!std::strcmp(hipGetErrorString(hipErrorNoDevice), "no ROCm-capable device is detected"));
    CHECK(!std::strcmp(hipGetErrorString(hipErrorLaunchFailure), "unspecified launch failure"));
    CHECK(!std::strcmp(hipGetErrorString(hipErrorIllegalAddress), "an illegal memory access was encountered"));
    CHECK(!std::strcmp(hipGetErrorString(static_cast<hipError_t>(12345)), "unknown error"));
    CHECK(!std::strcmp(hipGetErrorName(hipErrorInvalidDevice), "hipErrorInvalidDevice"));
    CHECK(!std::strcmp(hipGetErrorName(hipErrorMemoryAllocation), "hipErrorOutOfMemory"));
    CHECK(!std::strcmp(hipGetErrorName(hipErrorStreamCaptureUnjoined), "hipErrorStreamCaptureUnjoined"));
    const char* text = nullptr;
    OK(hipDrvGetErrorString(hipErrorNotFound, &text));
    CHECK(!std::strcmp(text, "named symbol not found"));
    OK(hipDrvGetErrorName(hipErrorNotFound, &text));
    CHECK(!std::strcmp(text, "hipErrorNotFound"));
}

static void last_error() {
    OK(hipGetLastError());
    GIVES(hipErrorInvalidDevice, hipSetDevice(99));
    GIVES(hipErrorInvalidDevice, hipPeekAtLastError());
    GIVES(hipErrorInvalidDevice, hipPeekAtLastError());  // looking does not clear
    OK(hipSetDevice(0));                                 // nor does success
    GIVES(hipErrorInvalidDevice, hipGetLastError());
    OK(hipGetLastError());
    GIVES(hipErrorInvalidValue, hipMalloc(static_cast<void**>(nullptr), 4));
    std::thread([] { OK(hipGetLastError()); }).join();  // each thread has its own
    GIVES(hipErrorInvalidValue, hipGetLastError());
}

static void not_ready_is_no_error() {
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    OK(hipLaunchHostFunc(
        stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }, nullptr));
    GIVES(hipErrorNotReady, hipStreamQuery(stream));
    OK(hipGetLastError());
    OK(hipStreamSynchronize(stream));
    OK(hipStreamDestroy(stream));
}

static void refused_by_name() {
    hipEvent_t event;
    GIVES(hipErrorNotSupported, hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
    (void)hipGetLastError();
}

int main() {
    texts();
    last_error();
    not_ready_is_no_error();
    refused_by_name();
    return finish();
}
