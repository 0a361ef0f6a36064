// A code object loaded on one device, and the kernels in it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "abi/hsa/hsa.h"
#include "hip/hip_abi.h"
#include "hip/module/module_code.h"

namespace vrocm::hip {

class Device;
class Module;

// A kernel on one device: what hipFunction_t points to.
struct Function {
    Module* module = nullptr;
    const KernelMetadata* metadata = nullptr;
    std::uint64_t kernel_object = 0;
    std::uint32_t private_size = 0;
    std::atomic<std::uint32_t> max_dynamic_shared{0};  // hipFuncAttributeMaxDynamicSharedMemorySize
    Device& device() const;
};

class Module {
  public:
    // image: ELF or bundle; size as in select_code_object. Throws Error.
    Module(Device& device, const void* image, std::size_t size);
    ~Module();
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    Function* function(std::string_view name);  // null when there is none
    struct Global {
        void* address = nullptr;
        std::size_t size = 0;
    };
    Global global(const std::string& name);  // null address when there is none
    Device& device() const { return device_; }
    const ModuleCode& code() const { return *code_; }

  private:
    void load();
    Device& device_;
    std::shared_ptr<const ModuleCode> code_;
    hsa_code_object_reader_t reader_{};
    hsa_executable_t executable_{};
    std::mutex mutex_;
    std::unordered_map<std::string, std::unique_ptr<Function>> functions_;
    std::unordered_map<std::string, Global> globals_;  // known to the allocation map
};

// Handles the program may hold. A handle that is not (any longer) valid is refused, not followed.
Function* to_function(hipFunction_t handle);
Module* to_module(hipModule_t handle);
hipModule_t publish_module(std::unique_ptr<Module> module);
void unload_module(hipModule_t handle);

}  // namespace vrocm::hip
