// What compiled HIP programs call before main and around every kernel<<<...>>>.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "hip/call/enter.h"
#include "hip/device/device.h"
#include "hip/memory/allocation.h"
#include "hip/module/program.h"

using namespace vrocm::hip;

namespace {

EmbeddedCode* code_of(void** modules) {
    return reinterpret_cast<EmbeddedCode*>(modules);
}

}  // namespace

extern "C" {

HIP_PUBLIC_API void** __hipRegisterFatBinary(const void* data) {
    return reinterpret_cast<void**>(Program::get().add_code(data));
}

HIP_PUBLIC_API void __hipUnregisterFatBinary(void** modules) {
    // Kernels still in flight run from the code that is about to go.
    if (HipRuntime* runtime = HipRuntime::get_if_initialised(); runtime && sticky_error() == hipSuccess)
        for (const auto& device : runtime->devices()) device->synchronize();
    Program::get().remove_code(code_of(modules));
}

HIP_PUBLIC_API void __hipRegisterFunction(void** modules, const void* stub, char*, const char* name, unsigned int,
                                          void*, void*, dim3*, dim3*, int*) {
    Program::get().add_function(code_of(modules), stub, name);
}

HIP_PUBLIC_API void __hipRegisterVar(void** modules, void* shadow, char*, char* name, int, size_t size, int, int) {
    Program::get().add_variable(code_of(modules), shadow, name, size);
}

HIP_PUBLIC_API void __hipRegisterManagedVar(void** modules, void** pointer, void* initial, const char* name,
                                            size_t size, unsigned) {
    // The program reads and writes through the pointer from its first line on.
    const hipError_t status = enter([&] {
        *pointer = allocate_device(current_device(), size, HipAllocation::Kind::Managed, hipMemAttachGlobal);
        find_allocation(*pointer)->of_variable = true;
        if (initial) std::memcpy(*pointer, initial, size);
    });
    if (status != hipSuccess) {
        std::fprintf(stderr, "vrocm: no memory for the managed variable %s: %s\n", name, error_text(status));
        std::abort();
    }
    code_of(modules)->managed.push_back({pointer, name});
    Program::get().add_managed_variable(pointer, *pointer, size);
}

HIP_PUBLIC_API void __hipRegisterTexture(void** modules, void* shadow, char*, char* name, int, int, int) {
    Program::get().add_variable(code_of(modules), shadow, name, sizeof(textureReference));
}

HIP_PUBLIC_API void __hipRegisterSurface(void** modules, void* shadow, char*, char* name, int, int) {
    Program::get().add_variable(code_of(modules), shadow, name, sizeof(surfaceReference));
}

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, hipStream_t stream) {
    VROCM_API(__hipPushCallConfiguration, grid, block, shared, stream);
    thread_state().calls.push_back({grid, block, shared, stream});
    return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, hipStream_t* stream) {
    VROCM_API(__hipPopCallConfiguration, grid, block, shared, stream);
    ThreadState& thread = thread_state();
    if (thread.calls.empty()) return remember(hipErrorMissingConfiguration);
    const CallConfiguration call = thread.calls.back();
    thread.calls.pop_back();
    *grid = call.grid;
    *block = call.block;
    *shared = call.shared;
    *stream = call.stream;
    return hipSuccess;
}
}
