// API: virtual memory management, and what is refused because it crosses processes.
#include <map>
#include <mutex>
#include <unordered_map>

#include "abi/hsa/hsa_ext_amd.h"
#include "hip/call/enter.h"
#include "hip/device/device.h"
#include "hip/memory/allocation.h"

using namespace vrocm::hip;

namespace {

struct Handle {
    hsa_amd_vmem_alloc_handle_t hsa{};
    std::size_t size = 0;
    hipMemAllocationProp properties{};
    unsigned references = 1;  // the program's and one for each mapping
};

struct Mapping {
    std::size_t size;
    Handle* handle;
};

struct VirtualMemory {
    std::mutex mutex;
    std::unordered_map<const Handle*, std::unique_ptr<Handle>> handles;
    std::map<std::uintptr_t, Mapping> mappings;
};
VirtualMemory& memory() {
    static VirtualMemory* instance = new VirtualMemory;
    return *instance;
}

Handle& to_handle(hipMemGenericAllocationHandle_t handle) {
    auto* known = reinterpret_cast<Handle*>(handle);
    require(known && memory().handles.count(known) != 0);
    return *known;
}

void drop(Handle& handle) {
    if (--handle.references != 0) return;
    hsa_amd_vmem_handle_release(handle.hsa);
    memory().handles.erase(&handle);
}

std::size_t granularity(Device& device, bool recommended) {
    std::size_t bytes = 0;
    require_hsa(hsa_amd_memory_pool_get_info(device.device_pool(),
                                             recommended ? HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_REC_GRANULE
                                                         : HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE,
                                             &bytes));
    return bytes;
}

Device& device_of(const hipMemAllocationProp& properties) {
    require(properties.type == hipMemAllocationTypePinned || properties.type == hipMemAllocationTypeUncached);
    if (properties.location.type == hipMemLocationTypeHost) return current_device();
    require(properties.location.type == hipMemLocationTypeDevice);
    return HipRuntime::get().device(properties.location.id);
}

}  // namespace

extern "C" {

hipError_t hipMemAddressReserve(void** pointer, size_t size, size_t alignment, void* address,
                                unsigned long long flags) {
    VROCM_API(hipMemAddressReserve, pointer, size, alignment, address, flags);
    return enter([&] {
        require(pointer && size && flags == 0);
        const std::size_t granule = granularity(current_device(), false);
        require(size % granule == 0 && (alignment & (alignment - 1)) == 0);
        const auto wanted = reinterpret_cast<std::uint64_t>(address);
        const hsa_status_t status = alignment > granule
                                        ? hsa_amd_vmem_address_reserve_align(pointer, size, wanted, alignment, 0)
                                        : hsa_amd_vmem_address_reserve(pointer, size, wanted, 0);
        require(status == HSA_STATUS_SUCCESS, hipErrorOutOfMemory);
    });
}

hipError_t hipMemAddressFree(void* pointer, size_t size) {
    VROCM_API(hipMemAddressFree, pointer, size);
    return enter([&] {
        require(pointer && size);
        require_hsa(hsa_amd_vmem_address_free(pointer, size));
    });
}

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t* handle, size_t size, const hipMemAllocationProp* properties,
                        unsigned long long flags) {
    VROCM_API(hipMemCreate, handle, size, properties, flags);
    return enter([&] {
        require(handle && size && properties && flags == 0);
        Device& device = device_of(*properties);
        require(size % granularity(device, false) == 0);
        if (properties->requestedHandleType != hipMemHandleTypeNone &&
            properties->requestedHandleType != hipMemHandleTypePosixFileDescriptor)
            fail(hipErrorInvalidValue);
        auto made = std::make_unique<Handle>();
        const bool on_host = properties->location.type == hipMemLocationTypeHost;
        require(hsa_amd_vmem_handle_create(on_host ? device.host_pool() : device.device_pool(), size,
                                           MEMORY_TYPE_PINNED, 0, &made->hsa) == HSA_STATUS_SUCCESS,
                hipErrorOutOfMemory);
        made->size = size;
        made->properties = *properties;
        *handle = reinterpret_cast<hipMemGenericAllocationHandle_t>(made.get());
        std::lock_guard lock(memory().mutex);
        Handle* raw = made.get();
        memory().handles.emplace(raw, std::move(made));
    });
}

hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
    VROCM_API(hipMemRelease, handle);
    return enter([&] {
        std::lock_guard lock(memory().mutex);
        drop(to_handle(handle));
    });
}

hipError_t hipMemMap(void* pointer, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle,
                     unsigned long long flags) {
    VROCM_API(hipMemMap, pointer, size, offset, handle, flags);
    return enter([&] {
        require(pointer && size && offset == 0 && flags == 0);
        std::lock_guard lock(memory().mutex);
        Handle& known = to_handle(handle);
        require(size <= known.size);
        require_hsa(hsa_amd_vmem_map(pointer, size, offset, known.hsa, 0));
        ++known.references;
        memory().mappings[reinterpret_cast<std::uintptr_t>(pointer)] = {size, &known};
        HipAllocation made;
        made.kind = HipAllocation::Kind::Mapped;
        made.base = static_cast<std::uint8_t*>(pointer);
        made.size = size;
        made.device = known.properties.location.type == hipMemLocationTypeDevice ? known.properties.location.id : 0;
        add_allocation(made);
    });
}

hipError_t hipMemUnmap(void* pointer, size_t size) {
    VROCM_API(hipMemUnmap, pointer, size);
    return enter([&] {
        require(pointer && size);
        for (const auto& device : HipRuntime::get().devices()) device->synchronize();
        std::lock_guard lock(memory().mutex);
        // Several mappings in a row may be undone at once.
        auto at = reinterpret_cast<std::uintptr_t>(pointer);
        const auto end = at + size;
        while (at < end) {
            auto found = memory().mappings.find(at);
            require(found != memory().mappings.end() && at + found->second.size <= end);
            const std::size_t mapped = found->second.size;
            require_hsa(hsa_amd_vmem_unmap(reinterpret_cast<void*>(at), mapped));
            remove_allocation(reinterpret_cast<void*>(at));
            drop(*found->second.handle);
            memory().mappings.erase(found);
            at += mapped;
        }
    });
}

hipError_t hipMemSetAccess(void* pointer, size_t size, const hipMemAccessDesc* list, size_t count) {
    VROCM_API(hipMemSetAccess, pointer, size, list, count);
    return enter([&] {
        require(pointer && size && list && count);
        for (size_t i = 0; i < count; ++i) {
            hsa_amd_memory_access_desc_t access{};
            access.permissions = list[i].flags == hipMemAccessFlagsProtReadWrite ? HSA_ACCESS_PERMISSION_RW
                                 : list[i].flags == hipMemAccessFlagsProtRead    ? HSA_ACCESS_PERMISSION_RO
                                                                                 : HSA_ACCESS_PERMISSION_NONE;
            access.agent_handle = list[i].location.type == hipMemLocationTypeDevice
                                      ? HipRuntime::get().device(list[i].location.id).agent()
                                      : HipRuntime::get().host_agent();
            require_hsa(hsa_amd_vmem_set_access(pointer, size, &access, 1));
        }
    });
}

hipError_t hipMemGetAccess(unsigned long long* flags, const hipMemLocation* location, void* pointer) {
    VROCM_API(hipMemGetAccess, flags, location, pointer);
    return enter([&] {
        require(flags && location && pointer && location->type == hipMemLocationTypeDevice);
        hsa_access_permission_t permission{};
        require_hsa(hsa_amd_vmem_get_access(pointer, &permission, HipRuntime::get().device(location->id).agent()));
        *flags = permission == HSA_ACCESS_PERMISSION_RW   ? hipMemAccessFlagsProtReadWrite
                 : permission == HSA_ACCESS_PERMISSION_RO ? hipMemAccessFlagsProtRead
                                                          : hipMemAccessFlagsProtNone;
    });
}

hipError_t hipMemGetAllocationGranularity(size_t* bytes, const hipMemAllocationProp* properties,
                                          hipMemAllocationGranularity_flags option) {
    VROCM_API(hipMemGetAllocationGranularity, bytes, properties, option);
    return enter([&] {
        require(bytes && properties);
        *bytes = granularity(device_of(*properties), option == hipMemAllocationGranularityRecommended);
    });
}

hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp* properties,
                                                   hipMemGenericAllocationHandle_t handle) {
    VROCM_API(hipMemGetAllocationPropertiesFromHandle, properties, handle);
    return enter([&] {
        require(properties != nullptr);
        std::lock_guard lock(memory().mutex);
        *properties = to_handle(handle).properties;
    });
}

hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t* handle, void* address) {
    VROCM_API(hipMemRetainAllocationHandle, handle, address);
    return enter([&] {
        require(handle && address);
        std::lock_guard lock(memory().mutex);
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        auto after = memory().mappings.upper_bound(at);
        require(after != memory().mappings.begin());
        const auto& [base, mapping] = *std::prev(after);
        require(at - base < mapping.size);
        ++mapping.handle->references;
        *handle = reinterpret_cast<hipMemGenericAllocationHandle_t>(mapping.handle);
    });
}
}
