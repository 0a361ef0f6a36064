// What the compiler registered before main: kernels and variables of the program itself, by the
// address of their host stub or shadow. Code is loaded on a device when first used there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "hip/module/module.h"

namespace vrocm::hip {

struct ManagedVariable {
    void** host_pointer;  // the shadow: points to the managed memory
    std::string name;     // of the device variable that must hold the same pointer
};

// One translation unit's device code (or one -fgpu-rdc link).
class EmbeddedCode {
  public:
    explicit EmbeddedCode(const void* image) : image_(image) {}
    Module& on(Device& device);  // loads on first use
    std::vector<ManagedVariable> managed;

  private:
    const void* image_;
    std::mutex mutex_;
    std::unordered_map<int, std::unique_ptr<Module>> modules_;
};

class Program {
  public:
    static Program& get();

    EmbeddedCode* add_code(const void* wrapper);
    void remove_code(EmbeddedCode* code);
    void add_function(EmbeddedCode* code, const void* stub, const char* name);
    void add_variable(EmbeddedCode* code, const void* shadow, const char* name, std::size_t size);

    // A __managed__ variable: one piece of memory for the host and all devices, behind its shadow pointer.
    void add_managed_variable(const void* shadow, void* memory, std::size_t size);

    // The kernel a host stub stands for, on a device. Null when the address is not a stub.
    Function* function(const void* stub, Device& device);
    const char* function_name(const void* stub);
    // The device copy of a variable; null address when the shadow is unknown.
    Module::Global variable(const void* shadow, Device& device);

  private:
    struct Symbol {
        EmbeddedCode* code;
        std::string name;
        std::size_t size = 0;
        void* managed = nullptr;
        std::unordered_map<int, Function*> functions;  // by device, filled on use
    };
    std::mutex mutex_;
    std::unordered_map<const void*, Symbol> functions_, variables_;
    std::unordered_map<EmbeddedCode*, std::unique_ptr<EmbeddedCode>> codes_;
};

// A kernel named either by its host stub or by a hipFunction_t, on the given device.
// Throws hipErrorInvalidDeviceFunction when it is neither.
Function& resolve_kernel(const void* kernel, Device& device);

// Where the current device has a part of a variable, named by its shadow. Throws when there is no such variable or
// part.
std::uint8_t* symbol_place(const void* symbol, std::size_t size, std::size_t offset);

}  // namespace vrocm::hip
