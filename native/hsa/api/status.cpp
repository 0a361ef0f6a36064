// hsa_status_string.
#include "hsa/api/functions.h"

namespace vrocm::hsa::api {

namespace {

struct Text {
    int status;
    const char* text;
};

// The name comes first, so that a message in a log can be looked up.
#define STATUS(name, words) {name, #name ": " words}
constexpr Text kTexts[] = {
    STATUS(HSA_STATUS_SUCCESS, "no error."),
    STATUS(HSA_STATUS_INFO_BREAK, "a callback ended the iteration early."),
    STATUS(HSA_STATUS_ERROR, "an error that no other status describes."),
    STATUS(HSA_STATUS_ERROR_INVALID_ARGUMENT, "an argument breaks a rule of the function."),
    STATUS(HSA_STATUS_ERROR_INVALID_QUEUE_CREATION, "the agent cannot make such a queue."),
    STATUS(HSA_STATUS_ERROR_INVALID_ALLOCATION, "the allocation is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_AGENT, "the agent is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_REGION, "the memory region is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_SIGNAL, "the signal is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_QUEUE, "the queue is not valid."),
    STATUS(HSA_STATUS_ERROR_OUT_OF_RESOURCES, "memory or another resource has run out."),
    STATUS(HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "the AQL packet is malformed."),
    STATUS(HSA_STATUS_ERROR_RESOURCE_FREE, "the resource could not be released."),
    STATUS(HSA_STATUS_ERROR_NOT_INITIALIZED, "hsa_init has not been called."),
    STATUS(HSA_STATUS_ERROR_REFCOUNT_OVERFLOW, "the reference count has reached its maximum."),
    STATUS(HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, "the arguments do not fit each other."),
    STATUS(HSA_STATUS_ERROR_INVALID_INDEX, "the index is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_ISA, "the instruction set is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_CODE_OBJECT, "the code object is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_EXECUTABLE, "the executable is not valid."),
    STATUS(HSA_STATUS_ERROR_FROZEN_EXECUTABLE, "the executable is frozen."),
    STATUS(HSA_STATUS_ERROR_INVALID_SYMBOL_NAME, "there is no symbol with this name."),
    STATUS(HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED, "the variable is defined already."),
    STATUS(HSA_STATUS_ERROR_VARIABLE_UNDEFINED, "the variable is not defined."),
    STATUS(HSA_STATUS_ERROR_EXCEPTION, "a kernel raised a hardware exception."),
    STATUS(HSA_STATUS_ERROR_INVALID_ISA_NAME, "the name of the instruction set is not known."),
    STATUS(HSA_STATUS_ERROR_INVALID_CODE_SYMBOL, "the code object symbol is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL, "the executable symbol is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_FILE, "the file descriptor is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER, "the code object reader is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_CACHE, "the cache is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_WAVEFRONT, "the wavefront is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP, "the signal group is not valid."),
    STATUS(HSA_STATUS_ERROR_INVALID_RUNTIME_STATE, "the runtime is not in the right state for this."),
    STATUS(HSA_STATUS_ERROR_FATAL, "the queue met an error from which the process may not recover."),
    STATUS(HSA_STATUS_ERROR_INVALID_MEMORY_POOL, "the memory pool is not valid."),
    STATUS(HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION, "a kernel accessed memory beyond an aperture or misaligned."),
    STATUS(HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION, "a kernel executed an instruction that cannot be executed."),
    STATUS(HSA_STATUS_ERROR_MEMORY_FAULT, "a kernel accessed an address that it may not access."),
    STATUS(HSA_STATUS_CU_MASK_REDUCED, "the mask was set, less the compute units that are disabled."),
    STATUS(HSA_STATUS_ERROR_OUT_OF_REGISTERS, "the kernel needs more vector registers than there are."),
    STATUS(HSA_STATUS_ERROR_RESOURCE_BUSY, "the resource is in use."),
    STATUS(HSA_STATUS_ERROR_NOT_SUPPORTED, "the system does not support this."),
    STATUS(HSA_EXT_STATUS_ERROR_INVALID_PROGRAM, "the program is not valid."),
    STATUS(HSA_EXT_STATUS_ERROR_INVALID_MODULE, "the module is not valid."),
    STATUS(HSA_EXT_STATUS_ERROR_INCOMPATIBLE_MODULE, "the module does not fit the program."),
    STATUS(HSA_EXT_STATUS_ERROR_MODULE_ALREADY_INCLUDED, "the module is in the program already."),
    STATUS(HSA_EXT_STATUS_ERROR_SYMBOL_MISMATCH, "declaration and definition of a symbol differ."),
    STATUS(HSA_EXT_STATUS_ERROR_FINALIZATION_FAILED, "finalization failed."),
    STATUS(HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH, "control directives contradict each other."),
    STATUS(HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED, "the image format is not supported."),
    STATUS(HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED, "the image size is not supported."),
    STATUS(HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED, "the image pitch is not supported."),
    STATUS(HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED, "the sampler descriptor is not supported."),
};
#undef STATUS

}  // namespace

// Works without an open runtime: its main use is to explain why there is none.
hsa_status_t hsa_status_string(hsa_status_t status, const char** status_string) {
    VROCM_CHECK(status_string, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    for (const Text& known : kTexts)
        if (known.status == static_cast<int>(status)) {
            *status_string = known.text;
            return HSA_STATUS_SUCCESS;
        }
    *status_string = nullptr;
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

}  // namespace vrocm::hsa::api
