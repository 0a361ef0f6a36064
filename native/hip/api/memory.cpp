// API: allocation, registration, queries and advice.
#include <algorithm>
#include <cstring>

#include "abi/hsa/hsa_ext_amd.h"
#include "hip/call/enter.h"
#include "hip/device/device.h"
#include "hip/graph/capture.h"
#include "hip/memory/allocation.h"
#include "hip/stream/stream.h"

using namespace vrocm::hip;

namespace {

constexpr std::size_t kPitchAlignment = 256;  // textureAlignment: rows can be used as textures

std::size_t pitch_of(std::size_t width) {
    return (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
}

void allocate(void** pointer, std::size_t size, HipAllocation::Kind kind, unsigned flags) {
    require(pointer != nullptr);
    forbid_during_any_capture();
    *pointer = nullptr;
    if (size == 0) return;  // HIP succeeds with a null pointer
    *pointer = allocate_device(current_device(), size, kind, flags);
}

void allocate_on_host(void** pointer, std::size_t size, unsigned flags) {
    require(pointer != nullptr);
    forbid_during_any_capture();
    constexpr unsigned known = hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined |
                               hipHostMallocUncached | hipHostMallocNumaUser | hipHostMallocCoherent |
                               hipHostMallocNonCoherent;
    require((flags & ~known) == 0);
    require(!((flags & hipHostMallocCoherent) && (flags & hipHostMallocNonCoherent)));
    *pointer = nullptr;
    if (size == 0) return;
    *pointer = allocate_host(current_device(), size, flags);
}

void pitched(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height, std::size_t depth) {
    require(pointer && pitch);
    forbid_during_any_capture();
    *pointer = nullptr;
    *pitch = 0;
    if (width == 0 || height == 0 || depth == 0) return;
    const std::size_t row = pitch_of(width);
    require(row >= width && row <= SIZE_MAX / height / depth, hipErrorOutOfMemory);
    *pointer = allocate_device(current_device(), row * height * depth, HipAllocation::Kind::Device);
    *pitch = row;
}

std::shared_ptr<HipAllocation> managed_range(const void* pointer, std::size_t count) {
    require(pointer && count);
    auto allocation = find_allocation(pointer);
    require(allocation != nullptr);
    check_range(pointer, count);
    return allocation;
}

void check_location(int device) {
    require(device == hipCpuDeviceId || (device >= 0 && device < HipRuntime::get().device_count()),
            hipErrorInvalidDevice);
}

std::uint64_t location_bit(int device) {
    return std::uint64_t{1} << (device == hipCpuDeviceId ? 63 : device);
}

int device_of_location(hipMemLocation location) {
    require(location.type != hipMemLocationTypeInvalid);
    return location.type == hipMemLocationTypeDevice ? location.id : hipCpuDeviceId;
}

void advise(const void* pointer, std::size_t count, hipMemoryAdvise advice, int device) {
    check_location(device);
    auto allocation = managed_range(pointer, count);
    switch (advice) {
        case hipMemAdviseSetReadMostly:
        case hipMemAdviseUnsetReadMostly:
            allocation->read_mostly = advice == hipMemAdviseSetReadMostly;
            break;
        case hipMemAdviseSetPreferredLocation:
            allocation->preferred_location = device;
            break;
        case hipMemAdviseUnsetPreferredLocation:
            allocation->preferred_location = hipInvalidDeviceId;
            break;
        case hipMemAdviseSetAccessedBy:
            allocation->accessed_by |= location_bit(device);
            break;
        case hipMemAdviseUnsetAccessedBy:
            allocation->accessed_by &= ~location_bit(device);
            break;
        case hipMemAdviseSetCoarseGrain:
        case hipMemAdviseUnsetCoarseGrain:
            allocation->coarse_grained = advice == hipMemAdviseSetCoarseGrain;
            break;
        default:
            fail(hipErrorInvalidValue);
    }
}

void range_attribute(void* data, std::size_t size, hipMemRangeAttribute attribute, const HipAllocation& allocation) {
    require(data != nullptr && size >= sizeof(std::uint32_t) && size % sizeof(std::uint32_t) == 0);
    auto* values = static_cast<int*>(data);
    switch (attribute) {
        case hipMemRangeAttributeReadMostly:
            *values = allocation.read_mostly;
            break;
        case hipMemRangeAttributePreferredLocation:
            *values = allocation.preferred_location;
            break;
        case hipMemRangeAttributeLastPrefetchLocation:
            *values = allocation.last_prefetch;
            break;
        case hipMemRangeAttributeCoherencyMode:
            *values =
                allocation.coarse_grained ? hipMemRangeCoherencyModeCoarseGrain : hipMemRangeCoherencyModeFineGrain;
            break;
        case hipMemRangeAttributeAccessedBy: {
            std::fill_n(values, size / sizeof(int), hipInvalidDeviceId);
            std::size_t at = 0;
            for (int device = hipCpuDeviceId; device < HipRuntime::get().device_count(); ++device)
                if ((allocation.accessed_by & location_bit(device)) && at < size / sizeof(int)) values[at++] = device;
            break;
        }
        default:
            fail(hipErrorInvalidValue);
    }
}

hipMemoryType type_of(const HipAllocation& allocation) {
    switch (allocation.kind) {
        case HipAllocation::Kind::Host:
        case HipAllocation::Kind::Registered:
            return hipMemoryTypeHost;
        case HipAllocation::Kind::Managed:
            return hipMemoryTypeManaged;
        case HipAllocation::Kind::Array:
            return hipMemoryTypeArray;
        default:
            return hipMemoryTypeDevice;
    }
}

template <class T>
void give(void* data, T value) {
    std::memcpy(data, &value, sizeof value);
}

void pointer_attribute(void* data, hipPointer_attribute attribute, const void* pointer) {
    auto allocation = find_allocation(pointer);
    require(allocation != nullptr);
    auto* address = const_cast<void*>(pointer);
    switch (attribute) {
        case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
            return give(data, type_of(*allocation));
        case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
            return give(data, address);
        case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
            require(allocation->is_host() || allocation->kind == HipAllocation::Kind::Managed);
            return give(data, address);
        case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
            return give(data, 0);
        case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
            return give(data, allocation->id);
        case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
            return give(data, allocation->kind == HipAllocation::Kind::Managed);
        case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
            return give(data, allocation->device);
        case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
            return give(data, static_cast<void*>(allocation->base));
        case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
            return give(data, allocation->size);
        case HIP_POINTER_ATTRIBUTE_MAPPED:
            return give(data, true);
        case HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
            return give(data, hipMemHandleTypeNone);
        case HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS:
            return give(data, hipMemAccessFlagsProtReadWrite);
        case HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
            return give(data, reinterpret_cast<hipMemPool_t>(allocation->pool));
        case HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE:
        case HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
            return give(data, false);
        case HIP_POINTER_ATTRIBUTE_CONTEXT:
        case HIP_POINTER_ATTRIBUTE_P2P_TOKENS:
            fail(hipErrorNotSupported);
    }
    fail(hipErrorInvalidValue);
}

}  // namespace

extern "C" {

hipError_t hipMalloc(void** pointer, size_t size) {
    VROCM_API(hipMalloc, pointer, size);
    return enter([&] { allocate(pointer, size, HipAllocation::Kind::Device, 0); });
}

hipError_t hipExtMallocWithFlags(void** pointer, size_t size, unsigned int flags) {
    VROCM_API(hipExtMallocWithFlags, pointer, size, flags);
    return enter([&] {
        require(flags <= hipDeviceMallocContiguous);
        require(flags != hipMallocSignalMemory || size == 8);
        allocate(pointer, size, HipAllocation::Kind::Device, flags);
    });
}

hipError_t hipMallocManaged(void** pointer, size_t size, unsigned int flags) {
    VROCM_API(hipMallocManaged, pointer, size, flags);
    return enter([&] {
        require(flags == hipMemAttachGlobal || flags == hipMemAttachHost);
        require(size != 0);
        allocate(pointer, size, HipAllocation::Kind::Managed, flags);
    });
}

hipError_t hipMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    VROCM_API(hipMallocPitch, pointer, pitch, width, height);
    return enter([&] { pitched(pointer, pitch, width, height, 1); });
}

hipError_t hipMemAllocPitch(hipDeviceptr_t* pointer, size_t* pitch, size_t width, size_t height, unsigned int element) {
    VROCM_API(hipMemAllocPitch, pointer, pitch, width, height, element);
    return enter([&] {
        require(element == 4 || element == 8 || element == 16);
        require(width && height);
        pitched(pointer, pitch, width, height, 1);
    });
}

hipError_t hipMalloc3D(hipPitchedPtr* out, hipExtent extent) {
    VROCM_API(hipMalloc3D, out, extent);
    return enter([&] {
        require(out != nullptr);
        void* pointer = nullptr;
        std::size_t pitch = 0;
        pitched(&pointer, &pitch, extent.width, extent.height, extent.depth);
        *out = make_hipPitchedPtr(pointer, pitch, extent.width, extent.height);
    });
}

hipError_t hipFree(void* pointer) {
    VROCM_API(hipFree, pointer);
    return enter([&] {
        forbid_during_any_capture();
        free_memory(pointer);
    });
}

hipError_t hipHostMalloc(void** pointer, size_t size, unsigned int flags) {
    VROCM_API(hipHostMalloc, pointer, size, flags);
    return enter([&] { allocate_on_host(pointer, size, flags); });
}
hipError_t hipHostAlloc(void** pointer, size_t size, unsigned int flags) {
    VROCM_API(hipHostAlloc, pointer, size, flags);
    return enter([&] { allocate_on_host(pointer, size, flags); });
}
hipError_t hipMallocHost(void** pointer, size_t size) {
    VROCM_API(hipMallocHost, pointer, size);
    return hipHostMalloc(pointer, size, hipHostMallocDefault);
}
hipError_t hipMemAllocHost(void** pointer, size_t size) {
    VROCM_API(hipMemAllocHost, pointer, size);
    return hipHostMalloc(pointer, size, hipHostMallocDefault);
}
hipError_t hipHostFree(void* pointer) {
    VROCM_API(hipHostFree, pointer);
    return hipFree(pointer);
}
hipError_t hipFreeHost(void* pointer) {
    VROCM_API(hipFreeHost, pointer);
    return hipFree(pointer);
}

hipError_t hipHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned int flags) {
    VROCM_API(hipHostGetDevicePointer, device_pointer, host_pointer, flags);
    return enter([&] {
        require(device_pointer && host_pointer && flags == 0);
        auto allocation = find_allocation(host_pointer);
        require(allocation && (allocation->is_host() || allocation->kind == HipAllocation::Kind::Managed));
        *device_pointer = host_pointer;
    });
}

hipError_t hipHostGetFlags(unsigned int* flags, void* pointer) {
    VROCM_API(hipHostGetFlags, flags, pointer);
    return enter([&] {
        require(flags && pointer);
        auto allocation = find_allocation(pointer);
        require(allocation && allocation->is_host());
        *flags = allocation->flags;
    });
}

hipError_t hipHostRegister(void* pointer, size_t size, unsigned int flags) {
    VROCM_API(hipHostRegister, pointer, size, flags);
    return enter([&] {
        constexpr unsigned known = hipHostRegisterPortable | hipHostRegisterMapped | hipHostRegisterIoMemory |
                                   hipHostRegisterReadOnly | hipExtHostRegisterUncached;
        require(pointer && size && (flags & ~known) == 0);
        require(!overlaps_allocation(pointer, size), hipErrorHostMemoryAlreadyRegistered);
        std::vector<hsa_agent_t> agents = HipRuntime::get().gpu_agents();
        void* device_pointer = nullptr;
        require(hsa_amd_memory_lock(pointer, size, agents.data(), static_cast<int>(agents.size()), &device_pointer) ==
                    HSA_STATUS_SUCCESS,
                hipErrorOutOfMemory);
        HipAllocation made;
        made.kind = HipAllocation::Kind::Registered;
        made.base = static_cast<std::uint8_t*>(pointer);
        made.size = size;
        made.device = thread_state().device;
        made.flags = flags;
        add_allocation(made);
    });
}

hipError_t hipHostUnregister(void* pointer) {
    VROCM_API(hipHostUnregister, pointer);
    return enter([&] {
        require(pointer != nullptr);
        auto allocation = find_allocation(pointer);
        require(allocation && allocation->kind == HipAllocation::Kind::Registered && allocation->base == pointer,
                hipErrorHostMemoryNotRegistered);
        for (const auto& device : HipRuntime::get().devices()) device->synchronize();
        remove_allocation(pointer);
        require_hsa(hsa_amd_memory_unlock(pointer));
    });
}

hipError_t hipMemGetInfo(size_t* free, size_t* total) {
    VROCM_API(hipMemGetInfo, free, total);
    return enter([&] {
        Device& device = current_device();
        if (free) *free = device.free_memory();
        if (total) *total = device.properties().totalGlobalMem;
    });
}

hipError_t hipMemPtrGetInfo(void* pointer, size_t* size) {
    VROCM_API(hipMemPtrGetInfo, pointer, size);
    return enter([&] {
        require(size != nullptr);
        auto allocation = find_allocation(pointer);
        require(allocation && allocation->base == pointer);
        *size = allocation->size;
    });
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* size, hipDeviceptr_t pointer) {
    VROCM_API(hipMemGetAddressRange, base, size, pointer);
    return enter([&] {
        auto allocation = find_allocation(pointer);
        require(allocation != nullptr, hipErrorNotFound);
        if (base) *base = allocation->base;
        if (size) *size = allocation->size;
    });
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
    VROCM_API(hipPointerGetAttributes, attributes, pointer);
    return enter([&] {
        require(attributes && pointer);
        *attributes = {};
        auto allocation = find_allocation(pointer);
        if (!allocation) {  // memory HIP does not know is host memory it can copy, no more
            attributes->type = hipMemoryTypeUnregistered;
            attributes->device = hipInvalidDeviceId;
            return;
        }
        auto* address = const_cast<void*>(pointer);
        const bool managed = allocation->kind == HipAllocation::Kind::Managed;
        attributes->type = type_of(*allocation);
        attributes->device = allocation->device;
        attributes->devicePointer = address;
        attributes->hostPointer = allocation->is_host() || managed ? address : nullptr;
        attributes->isManaged = managed;
        attributes->allocationFlags = allocation->flags;
    });
}

hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute, hipDeviceptr_t pointer) {
    VROCM_API(hipPointerGetAttribute, data, attribute, pointer);
    return enter([&] {
        require(data && pointer);
        pointer_attribute(data, attribute, pointer);
    });
}

hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute, hipDeviceptr_t pointer) {
    VROCM_API(hipPointerSetAttribute, value, attribute, pointer);
    return enter([&] {
        require(value && pointer && attribute == HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS);
        require(find_allocation(pointer) != nullptr, hipErrorInvalidDevicePointer);
    });
}

hipError_t hipDrvPointerGetAttributes(unsigned int count, hipPointer_attribute* attributes, void** data,
                                      hipDeviceptr_t pointer) {
    VROCM_API(hipDrvPointerGetAttributes, count, attributes, data, pointer);
    return enter([&] {
        require(count && attributes && data);
        for (unsigned i = 0; i < count; ++i) pointer_attribute(data[i], attributes[i], pointer);
    });
}

hipError_t hipMemPrefetchAsync(const void* pointer, size_t count, int device, hipStream_t stream) {
    VROCM_API(hipMemPrefetchAsync, pointer, count, device, stream);
    return enter([&] {
        check_location(device);
        to_stream(stream);
        managed_range(pointer, count)->last_prefetch = device;
    });
}

hipError_t hipMemPrefetchAsync_v2(const void* pointer, size_t count, hipMemLocation location, unsigned int flags,
                                  hipStream_t stream) {
    VROCM_API(hipMemPrefetchAsync_v2, pointer, count, location, flags, stream);
    return enter([&] {
        require(flags == 0);
        const int device = device_of_location(location);
        check_location(device);
        to_stream(stream);
        managed_range(pointer, count)->last_prefetch = device;
    });
}

hipError_t hipMemAdvise(const void* pointer, size_t count, hipMemoryAdvise advice, int device) {
    VROCM_API(hipMemAdvise, pointer, count, advice, device);
    return enter([&] { advise(pointer, count, advice, device); });
}

hipError_t hipMemAdvise_v2(const void* pointer, size_t count, hipMemoryAdvise advice, hipMemLocation location) {
    VROCM_API(hipMemAdvise_v2, pointer, count, advice, location);
    return enter([&] { advise(pointer, count, advice, device_of_location(location)); });
}

hipError_t hipMemRangeGetAttribute(void* data, size_t size, hipMemRangeAttribute attribute, const void* pointer,
                                   size_t count) {
    VROCM_API(hipMemRangeGetAttribute, data, size, attribute, pointer, count);
    return enter([&] { range_attribute(data, size, attribute, *managed_range(pointer, count)); });
}

hipError_t hipMemRangeGetAttributes(void** data, size_t* sizes, hipMemRangeAttribute* attributes, size_t number,
                                    const void* pointer, size_t count) {
    VROCM_API(hipMemRangeGetAttributes, data, sizes, attributes, number, pointer, count);
    return enter([&] {
        require(data && sizes && attributes && number);
        auto allocation = managed_range(pointer, count);
        for (size_t i = 0; i < number; ++i) range_attribute(data[i], sizes[i], attributes[i], *allocation);
    });
}
}
