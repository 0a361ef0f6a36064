// API: modules and attributes of functions.
#include "hip/module/module.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "hip/call/enter.h"
#include "hip/device/device.h"
#include "hip/graph/capture.h"
#include "hip/launch/occupancy.h"
#include "hip/module/fat_binary.h"
#include "hip/module/program.h"

using namespace vrocm::hip;

namespace {

std::vector<char> read_file(const char* path) {
    std::ifstream file(path, std::ios::binary);
    require(file.good(), hipErrorFileNotFound);
    std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    return bytes;
}

void load(hipModule_t* module, const void* image, std::size_t size = kUnknownSize) {
    require(module && image);
    *module = publish_module(std::make_unique<Module>(current_device(), image, size));
}

hipFuncAttributes attributes_of(const Function& function) {
    const KernelMetadata& kernel = *function.metadata;
    hipFuncAttributes a{};
    a.binaryVersion = function.device().properties().major * 10 + function.device().properties().minor;
    a.ptxVersion = a.binaryVersion;
    a.localSizeBytes = kernel.private_size;
    a.sharedSizeBytes = kernel.group_size;
    a.maxDynamicSharedSizeBytes = static_cast<int>(function.max_dynamic_shared.load());
    a.maxThreadsPerBlock = static_cast<int>(kernel.max_flat_workgroup_size);
    a.numRegs = static_cast<int>(kernel.vgprs);
    return a;
}

Function& kernel(const void* func) {
    require(func != nullptr, hipErrorInvalidDeviceFunction);
    return resolve_kernel(func, current_device());
}

Function& handle(hipFunction_t function) {
    Function* known = to_function(function);
    require(known != nullptr, hipErrorInvalidHandle);
    return *known;
}

void active_blocks(int* blocks, const Function& function, int block_size, std::size_t dynamic_shared) {
    require(blocks && block_size > 0);
    *blocks = static_cast<int>(occupancy_of(function, static_cast<unsigned>(block_size), dynamic_shared).groups_per_cu);
}

// The block size with most threads resident; the largest of equals, as HIP prefers.
void potential_block_size(int* grid_size, int* block_size, const Function& function, std::size_t dynamic_shared,
                          int limit) {
    require(grid_size && block_size && limit >= 0);
    const auto wave = function.metadata->wavefront_size;
    unsigned largest = function.metadata->max_flat_workgroup_size;
    if (limit > 0) largest = std::min(largest, static_cast<unsigned>(limit));
    unsigned best = 0, best_groups = 0;
    for (unsigned size = std::max(largest / wave * wave, std::min(largest, wave)); size > 0;
         size = size > wave ? size - wave : 0) {
        const unsigned groups = occupancy_of(function, size, dynamic_shared).groups_per_cu;
        if (groups * size <= best_groups * best) continue;
        best = size;
        best_groups = groups;
    }
    *block_size = static_cast<int>(best);
    *grid_size = static_cast<int>(best_groups) * function.device().properties().multiProcessorCount;
}

}  // namespace

extern "C" {

hipError_t hipModuleLoad(hipModule_t* module, const char* path) {
    VROCM_API(hipModuleLoad, module, path);
    return enter([&] {
        require(module && path);
        const std::vector<char> bytes = read_file(path);
        require(!bytes.empty(), hipErrorInvalidImage);
        load(module, bytes.data(), bytes.size());
    });
}

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
    VROCM_API(hipModuleLoadData, module, image);
    return enter([&] { load(module, image); });
}

hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int numOptions, hipJitOption* options,
                               void** optionValues) {
    VROCM_API(hipModuleLoadDataEx, module, image, numOptions, options, optionValues);
    return enter([&] { load(module, image); });  // options speak to a compiler; the image is already compiled
}

hipError_t hipModuleLoadFatBinary(hipModule_t* module, const void* image) {
    VROCM_API(hipModuleLoadFatBinary, module, image);
    return enter([&] { load(module, image); });
}

hipError_t hipModuleUnload(hipModule_t module) {
    VROCM_API(hipModuleUnload, module);
    return enter([&] { unload_module(module); });
}

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* name) {
    VROCM_API(hipModuleGetFunction, function, module, name);
    return enter([&] {
        require(function && name);
        Function* found = to_module(module)->function(name);
        require(found != nullptr, hipErrorNotFound);
        *function = reinterpret_cast<hipFunction_t>(found);
    });
}

hipError_t hipModuleGetFunctionCount(unsigned int* count, hipModule_t module) {
    VROCM_API(hipModuleGetFunctionCount, count, module);
    return enter([&] {
        require(count != nullptr);
        *count = static_cast<unsigned>(to_module(module)->code().metadata.kernels.size());
    });
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t* pointer, size_t* size, hipModule_t module, const char* name) {
    VROCM_API(hipModuleGetGlobal, pointer, size, module, name);
    return enter([&] {
        require(name && (pointer || size));
        const Module::Global global = to_module(module)->global(name);
        require(global.address != nullptr, hipErrorNotFound);
        if (pointer) *pointer = global.address;
        if (size) *size = global.size;
    });
}

hipError_t hipModuleGetTexRef(textureReference** texRef, hipModule_t hmod, const char* name) {
    VROCM_API(hipModuleGetTexRef, texRef, hmod, name);
    return enter(
        [&] { refuse("hipModuleGetTexRef", "texture references of modules are not kept; use texture objects"); });
}

hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* func) {
    VROCM_API(hipFuncGetAttributes, attributes, func);
    return enter([&] {
        require(attributes != nullptr);
        *attributes = attributes_of(kernel(func));
    });
}

hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t function) {
    VROCM_API(hipFuncGetAttribute, value, attribute, function);
    return enter([&] {
        require(value != nullptr);
        const hipFuncAttributes a = attributes_of(handle(function));
        switch (attribute) {
            case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
                *value = a.maxThreadsPerBlock;
                break;
            case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
                *value = static_cast<int>(a.sharedSizeBytes);
                break;
            case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
            case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
            case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
                *value = 0;
                break;
            case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
                *value = static_cast<int>(a.localSizeBytes);
                break;
            case HIP_FUNC_ATTRIBUTE_NUM_REGS:
                *value = a.numRegs;
                break;
            case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
            case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
                *value = a.binaryVersion;
                break;
            case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
                *value = a.maxDynamicSharedSizeBytes;
                break;
            default:
                fail(hipErrorInvalidValue);
        }
    });
}

hipError_t hipFuncSetAttribute(const void* func, hipFuncAttribute attribute, int value) {
    VROCM_API(hipFuncSetAttribute, func, attribute, value);
    return enter([&] {
        Function& function = kernel(func);
        switch (attribute) {
            case hipFuncAttributeMaxDynamicSharedMemorySize: {
                const auto limit =
                    static_cast<int>(function.device().properties().sharedMemPerBlock - function.metadata->group_size);
                require(value >= 0 && value <= limit);
                function.max_dynamic_shared = static_cast<std::uint32_t>(value);
                break;
            }
            case hipFuncAttributePreferredSharedMemoryCarveout:
                require(value >= -1 && value <= 100);  // LDS and cache are separate: nothing to divide
                break;
            default:
                fail(hipErrorInvalidValue);
        }
    });
}

hipError_t hipFuncSetCacheConfig(const void* func, hipFuncCache_t config) {
    VROCM_API(hipFuncSetCacheConfig, func, config);
    return enter([&] {
        require(config >= hipFuncCachePreferNone && config <= hipFuncCachePreferEqual);
        kernel(func);
    });
}

hipError_t hipFuncSetSharedMemConfig(const void* func, hipSharedMemConfig config) {
    VROCM_API(hipFuncSetSharedMemConfig, func, config);
    return enter([&] {
        require(config >= hipSharedMemBankSizeDefault && config <= hipSharedMemBankSizeEightByte);
        kernel(func);
    });
}

hipError_t hipGetFuncBySymbol(hipFunction_t* function, const void* symbol) {
    VROCM_API(hipGetFuncBySymbol, function, symbol);
    return enter([&] {
        require(function && symbol);
        *function = reinterpret_cast<hipFunction_t>(&kernel(symbol));
    });
}

const char* hipKernelNameRef(const hipFunction_t function) {
    VROCM_API(hipKernelNameRef, function);
    Function* known = to_function(function);
    return known ? known->metadata->name.c_str() : nullptr;
}

const char* hipKernelNameRefByPtr(const void* stub, hipStream_t stream) {
    VROCM_API(hipKernelNameRefByPtr, stub, stream);
    return Program::get().function_name(stub);
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* f, int block_size, size_t shared) {
    VROCM_API(hipOccupancyMaxActiveBlocksPerMultiprocessor, blocks, f, block_size, shared);
    return enter([&] { active_blocks(blocks, kernel(f), block_size, shared); });
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* f, int block_size,
                                                                 size_t shared, unsigned int flags) {
    VROCM_API(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, blocks, f, block_size, shared, flags);
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, block_size, shared);
}
hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* f, size_t shared, int limit) {
    VROCM_API(hipOccupancyMaxPotentialBlockSize, grid, block, f, shared, limit);
    return enter([&] { potential_block_size(grid, block, kernel(f), shared, limit); });
}
hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* f, int blocks, int block_size) {
    VROCM_API(hipOccupancyAvailableDynamicSMemPerBlock, bytes, f, blocks, block_size);
    return enter([&] {
        require(bytes && blocks > 0 && block_size > 0);
        const Function& function = kernel(f);
        const std::size_t share =
            function.device().properties().sharedMemPerMultiprocessor / static_cast<std::size_t>(blocks) / 512 * 512;
        const std::size_t fixed = function.metadata->group_size;
        *bytes = share > fixed ? share - fixed : 0;
    });
}
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid, int* block, hipFunction_t f, size_t shared, int limit) {
    VROCM_API(hipModuleOccupancyMaxPotentialBlockSize, grid, block, f, shared, limit);
    return enter([&] { potential_block_size(grid, block, handle(f), shared, limit); });
}
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, hipFunction_t f, size_t shared,
                                                            int limit, unsigned int flags) {
    VROCM_API(hipModuleOccupancyMaxPotentialBlockSizeWithFlags, grid, block, f, shared, limit, flags);
    return hipModuleOccupancyMaxPotentialBlockSize(grid, block, f, shared, limit);
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t f, int block_size,
                                                              size_t shared) {
    VROCM_API(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, blocks, f, block_size, shared);
    return enter([&] { active_blocks(blocks, handle(f), block_size, shared); });
}
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, hipFunction_t f, int block_size,
                                                                       size_t shared, unsigned int flags) {
    VROCM_API(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, blocks, f, block_size, shared, flags);
    return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, block_size, shared);
}
}
