// API: stream-ordered allocation.
#include "hip/memory/mem_pool.h"

#include "hip/call/enter.h"
#include "hip/device/device.h"
#include "hip/graph/capture.h"
#include "hip/graph/graph.h"
#include "hip/memory/allocation.h"
#include "hip/stream/stream.h"

using namespace vrocm::hip;

namespace {

void allocate(void** pointer, std::size_t size, StreamOrderedPool& pool, Stream& stream) {
    require(pointer != nullptr);
    *pointer = nullptr;
    if (size == 0) return;
    if (is_capturing(stream)) {
        std::lock_guard lock(graph_mutex());
        AllocateOperation operation;
        operation.memory = std::make_shared<GraphMemory>(stream.device(), size);
        operation.parameters.bytesize = size;
        operation.parameters.dptr = operation.memory->pointer;
        *pointer = operation.memory->pointer;
        capture_operation(stream, operation);
        return;
    }
    *pointer = pool.allocate(size, stream);
}

}  // namespace

extern "C" {

hipError_t hipMallocAsync(void** pointer, size_t size, hipStream_t handle) {
    VROCM_API(hipMallocAsync, pointer, size, handle);
    return enter([&] {
        Stream& stream = to_stream(handle);
        allocate(pointer, size, stream.device().current_pool(), stream);
    });
}

hipError_t hipMallocFromPoolAsync(void** pointer, size_t size, hipMemPool_t pool, hipStream_t handle) {
    VROCM_API(hipMallocFromPoolAsync, pointer, size, pool, handle);
    return enter([&] { allocate(pointer, size, to_pool(pool), to_stream(handle)); });
}

hipError_t hipFreeAsync(void* pointer, hipStream_t handle) {
    VROCM_API(hipFreeAsync, pointer, handle);
    return enter([&] {
        require(pointer != nullptr);
        Stream& stream = to_stream(handle);
        auto allocation = find_allocation(pointer);
        require(allocation && allocation->base == pointer);
        if (is_capturing(stream)) {
            capture_operation(stream, FreeOperation{nullptr, pointer});
            return;
        }
        if (allocation->pool) {
            allocation->pool->free_after(pointer, stream);
            return;
        }
        // Memory of hipMalloc may be freed in stream order as well.
        stream.synchronize();
        free_memory(pointer);
    });
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
    VROCM_API(hipDeviceGetDefaultMemPool, pool, device);
    return enter([&] {
        require(pool != nullptr);
        *pool = pool_handle(HipRuntime::get().device(device).default_pool());
    });
}

hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool) {
    VROCM_API(hipDeviceSetMemPool, device, pool);
    return enter([&] {
        StreamOrderedPool& known = to_pool(pool);
        require(known.device().id() == device, hipErrorInvalidDevice);
        HipRuntime::get().device(device).set_current_pool(&known);
    });
}

hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device) {
    VROCM_API(hipDeviceGetMemPool, pool, device);
    return enter([&] {
        require(pool != nullptr);
        *pool = pool_handle(HipRuntime::get().device(device).current_pool());
    });
}

hipError_t hipMemPoolCreate(hipMemPool_t* pool, const hipMemPoolProps* properties) {
    VROCM_API(hipMemPoolCreate, pool, properties);
    return enter([&] {
        require(pool && properties);
        require(properties->allocType == hipMemAllocationTypePinned);
        require(properties->location.type == hipMemLocationTypeDevice);
        if (properties->handleTypes != hipMemHandleTypeNone)
            refuse("hipMemPoolCreate with a handle type", "memory is not shared between processes");
        *pool = create_pool(HipRuntime::get().device(properties->location.id), properties->maxSize);
    });
}

hipError_t hipMemPoolDestroy(hipMemPool_t pool) {
    VROCM_API(hipMemPoolDestroy, pool);
    return enter([&] { destroy_pool(pool); });
}

hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t keep) {
    VROCM_API(hipMemPoolTrimTo, pool, keep);
    return enter([&] { to_pool(pool).trim(keep); });
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value) {
    VROCM_API(hipMemPoolSetAttribute, pool, attribute, value);
    return enter([&] {
        require(value != nullptr);
        to_pool(pool).set(attribute, value);
    });
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value) {
    VROCM_API(hipMemPoolGetAttribute, pool, attribute, value);
    return enter([&] {
        require(value != nullptr);
        to_pool(pool).get(attribute, value);
    });
}

hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc* list, size_t count) {
    VROCM_API(hipMemPoolSetAccess, pool, list, count);
    return enter([&] {
        require(list && count);
        StreamOrderedPool& known = to_pool(pool);
        for (size_t i = 0; i < count; ++i) {
            require(list[i].location.type == hipMemLocationTypeDevice);
            HipRuntime::get().device(list[i].location.id);
            // The owner's access cannot be taken away.
            require(list[i].location.id != known.device().id() || list[i].flags == hipMemAccessFlagsProtReadWrite,
                    hipErrorInvalidDevice);
            known.access[list[i].location.id] = list[i].flags;
        }
    });
}

hipError_t hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t pool, hipMemLocation* location) {
    VROCM_API(hipMemPoolGetAccess, flags, pool, location);
    return enter([&] {
        require(flags && location && location->type == hipMemLocationTypeDevice);
        StreamOrderedPool& known = to_pool(pool);
        HipRuntime::get().device(location->id);
        auto found = known.access.find(location->id);
        *flags = location->id == known.device().id() ? hipMemAccessFlagsProtReadWrite
                 : found == known.access.end()       ? hipMemAccessFlagsProtNone
                                                     : found->second;
    });
}
}
