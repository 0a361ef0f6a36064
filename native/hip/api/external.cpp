// What this runtime names and refuses: memory and semaphores of other APIs. And the device linker, which is hiprtc's.
#include <hip/hiprtc.h>

#include "hip/call/enter.h"

using namespace vrocm::hip;

namespace {

constexpr const char* kNoOtherApis = "the virtual GPU shares memory with no other API";

// The two states are one thing: hipLink and hiprtcLink are two names of the same functions.
hiprtcLinkState rtc(hipLinkState_t state) {
    return reinterpret_cast<hiprtcLinkState>(state);
}

void require_rtc(hiprtcResult result) {
    switch (result) {
        case HIPRTC_SUCCESS:
            return;
        case HIPRTC_ERROR_INVALID_INPUT:
            fail(hipErrorInvalidValue);
        case HIPRTC_ERROR_PROGRAM_CREATION_FAILURE:
            fail(hipErrorFileNotFound);
        case HIPRTC_ERROR_LINKING:
            fail(hipErrorInvalidImage);
        default:
            fail(hipErrorUnknown);
    }
}

}  // namespace

extern "C" {

hipError_t hipImportExternalMemory(hipExternalMemory_t* extMem_out, const hipExternalMemoryHandleDesc* memHandleDesc) {
    VROCM_API(hipImportExternalMemory, extMem_out, memHandleDesc);
    return enter([&] { refuse("hipImportExternalMemory", kNoOtherApis); });
}
hipError_t hipExternalMemoryGetMappedBuffer(void** devPtr, hipExternalMemory_t extMem,
                                            const hipExternalMemoryBufferDesc* bufferDesc) {
    VROCM_API(hipExternalMemoryGetMappedBuffer, devPtr, extMem, bufferDesc);
    return enter([&] { refuse("hipExternalMemoryGetMappedBuffer", kNoOtherApis); });
}
hipError_t hipExternalMemoryGetMappedMipmappedArray(hipMipmappedArray_t* mipmap, hipExternalMemory_t extMem,
                                                    const hipExternalMemoryMipmappedArrayDesc* mipmapDesc) {
    VROCM_API(hipExternalMemoryGetMappedMipmappedArray, mipmap, extMem, mipmapDesc);
    return enter([&] { refuse("hipExternalMemoryGetMappedMipmappedArray", kNoOtherApis); });
}
hipError_t hipDestroyExternalMemory(hipExternalMemory_t extMem) {
    VROCM_API(hipDestroyExternalMemory, extMem);
    return enter([&] { refuse("hipDestroyExternalMemory", kNoOtherApis); });
}
hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t* extSem_out,
                                      const hipExternalSemaphoreHandleDesc* semHandleDesc) {
    VROCM_API(hipImportExternalSemaphore, extSem_out, semHandleDesc);
    return enter([&] { refuse("hipImportExternalSemaphore", kNoOtherApis); });
}
hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t* extSemArray,
                                            const hipExternalSemaphoreSignalParams* paramsArray,
                                            unsigned int numExtSems, hipStream_t stream) {
    VROCM_API(hipSignalExternalSemaphoresAsync, extSemArray, paramsArray, numExtSems, stream);
    return enter([&] { refuse("hipSignalExternalSemaphoresAsync", kNoOtherApis); });
}
hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t* extSemArray,
                                          const hipExternalSemaphoreWaitParams* paramsArray, unsigned int numExtSems,
                                          hipStream_t stream) {
    VROCM_API(hipWaitExternalSemaphoresAsync, extSemArray, paramsArray, numExtSems, stream);
    return enter([&] { refuse("hipWaitExternalSemaphoresAsync", kNoOtherApis); });
}
hipError_t hipDestroyExternalSemaphore(hipExternalSemaphore_t extSem) {
    VROCM_API(hipDestroyExternalSemaphore, extSem);
    return enter([&] { refuse("hipDestroyExternalSemaphore", kNoOtherApis); });
}

hipError_t hipLinkCreate(unsigned int numOptions, hipJitOption* options, void** optionValues,
                         hipLinkState_t* stateOut) {
    VROCM_API(hipLinkCreate, numOptions, options, optionValues, stateOut);
    return enter([&] {
        hiprtcLinkState state = nullptr;
        require(stateOut != nullptr);
        require_rtc(hiprtcLinkCreate(numOptions, options, optionValues, &state));
        *stateOut = reinterpret_cast<hipLinkState_t>(state);
    });
}
hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void* data, size_t size, const char* name,
                          unsigned int numOptions, hipJitOption* options, void** optionValues) {
    VROCM_API(hipLinkAddData, state, type, data, size, name, numOptions, options, optionValues);
    return enter(
        [&] { require_rtc(hiprtcLinkAddData(rtc(state), type, data, size, name, numOptions, options, optionValues)); });
}
hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char* path, unsigned int numOptions,
                          hipJitOption* options, void** optionValues) {
    VROCM_API(hipLinkAddFile, state, type, path, numOptions, options, optionValues);
    return enter([&] { require_rtc(hiprtcLinkAddFile(rtc(state), type, path, numOptions, options, optionValues)); });
}
hipError_t hipLinkComplete(hipLinkState_t state, void** hipBinOut, size_t* sizeOut) {
    VROCM_API(hipLinkComplete, state, hipBinOut, sizeOut);
    return enter([&] { require_rtc(hiprtcLinkComplete(rtc(state), hipBinOut, sizeOut)); });
}
hipError_t hipLinkDestroy(hipLinkState_t state) {
    VROCM_API(hipLinkDestroy, state);
    return enter([&] { require_rtc(hiprtcLinkDestroy(rtc(state))); });
}
}
