// API: initialisation, devices and their settings, peers.
#include "hip/device/device.h"

#include <cstdio>
#include <cstring>

#include "abi/hsa/hsa_ext_amd.h"
#include "hip/call/enter.h"
#include "hip/graph/capture.h"
#include "hip/memory/allocation.h"
#include "hip/stream/stream.h"

using namespace vrocm::hip;

namespace {

Device& device(int id) {
    return HipRuntime::get().device(id);
}

// Every GPU of a node is reached over one link (Infinity Fabric between MI300X).
constexpr std::uint32_t kLinkXgmi = 4;  // HSA_AMD_LINK_INFO_TYPE_XGMI

}  // namespace

extern "C" {

hipError_t hipInit(unsigned int flags) {
    VROCM_API(hipInit, flags);
    return enter([&] { require(flags == 0); });
}

hipError_t hipDriverGetVersion(int* version) {
    VROCM_API(hipDriverGetVersion, version);
    return enter([&] {
        require(version != nullptr);
        *version = HIP_VERSION;
    });
}

hipError_t hipRuntimeGetVersion(int* version) {
    VROCM_API(hipRuntimeGetVersion, version);
    return enter([&] {
        require(version != nullptr);
        *version = HIP_VERSION;
    });
}

hipError_t hipGetDeviceCount(int* count) {
    VROCM_API(hipGetDeviceCount, count);
    if (!count) return remember(hipErrorInvalidValue);
    *count = 0;
    return enter([&] { *count = HipRuntime::get().device_count(); });
}

hipError_t hipSetDevice(int id) {
    VROCM_API(hipSetDevice, id);
    return enter([&] {
        device(id);
        thread_state().device = id;
    });
}

hipError_t hipGetDevice(int* id) {
    VROCM_API(hipGetDevice, id);
    return enter([&] {
        require(id != nullptr);
        *id = thread_state().device;
    });
}

hipError_t hipSetValidDevices(int* devices, int count) {
    VROCM_API(hipSetValidDevices, devices, count);
    return enter([&] {
        require(count >= 0 && count <= HipRuntime::get().device_count());
        for (int i = 0; i < count; ++i) device(devices[i]);
        if (count > 0) thread_state().device = devices[0];
    });
}

hipError_t hipDeviceSynchronize(void) {
    VROCM_API(hipDeviceSynchronize);
    return enter([&] {
        forbid_during_any_capture();
        current_device().synchronize();
    });
}

hipError_t hipDeviceReset(void) {
    VROCM_API(hipDeviceReset);
    return enter([&] { reset_device(current_device()); });
}

hipError_t hipDeviceGet(hipDevice_t* out, int ordinal) {
    VROCM_API(hipDeviceGet, out, ordinal);
    return enter([&] {
        require(out != nullptr);
        device(ordinal);
        *out = ordinal;
    });
}

hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t id) {
    VROCM_API(hipDeviceComputeCapability, major, minor, id);
    return enter([&] {
        require(major && minor);
        *major = device(id).properties().major;
        *minor = device(id).properties().minor;
    });
}

hipError_t hipDeviceGetName(char* name, int len, hipDevice_t id) {
    VROCM_API(hipDeviceGetName, name, len, id);
    return enter([&] {
        require(name && len > 0);
        std::snprintf(name, static_cast<std::size_t>(len), "%s", device(id).properties().name);
    });
}

hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t id) {
    VROCM_API(hipDeviceGetUuid, uuid, id);
    return enter([&] {
        require(uuid != nullptr);
        *uuid = device(id).properties().uuid;
    });
}

hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attribute, int source, int target) {
    VROCM_API(hipDeviceGetP2PAttribute, value, attribute, source, target);
    return enter([&] {
        require(value != nullptr);
        device(source);
        device(target);
        require(source != target, hipErrorInvalidDevice);
        switch (attribute) {
            case hipDevP2PAttrPerformanceRank:
                *value = 1;
                break;
            case hipDevP2PAttrAccessSupported:
            case hipDevP2PAttrNativeAtomicSupported:
                *value = 1;
                break;
            case hipDevP2PAttrHipArrayAccessSupported:
                *value = 0;
                break;
            default:
                fail(hipErrorInvalidValue);
        }
    });
}

hipError_t hipDeviceGetPCIBusId(char* text, int len, int id) {
    VROCM_API(hipDeviceGetPCIBusId, text, len, id);
    return enter([&] {
        const hipDeviceProp_t& p = device(id).properties();
        require(text && len > 0);
        std::snprintf(text, static_cast<std::size_t>(len), "%04x:%02x:%02x.0", p.pciDomainID, p.pciBusID,
                      p.pciDeviceID);
    });
}

hipError_t hipDeviceGetByPCIBusId(int* id, const char* text) {
    VROCM_API(hipDeviceGetByPCIBusId, id, text);
    return enter([&] {
        require(id && text);
        int domain = 0, bus = 0, slot = 0;
        require(std::sscanf(text, "%x:%x:%x", &domain, &bus, &slot) == 3);
        for (const auto& candidate : HipRuntime::get().devices()) {
            const hipDeviceProp_t& p = candidate->properties();
            if (p.pciDomainID != domain || p.pciBusID != bus || p.pciDeviceID != slot) continue;
            *id = candidate->id();
            return;
        }
        fail(hipErrorInvalidValue);
    });
}

hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t id) {
    VROCM_API(hipDeviceTotalMem, bytes, id);
    return enter([&] {
        require(bytes != nullptr);
        *bytes = device(id).properties().totalGlobalMem;
    });
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int id) {
    VROCM_API(hipDeviceGetAttribute, value, attribute, id);
    return enter([&] {
        require(value != nullptr);
        *value = device(id).attribute(attribute);
    });
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* properties, int id) {
    VROCM_API(hipGetDevicePropertiesR0600, properties, id);
    return enter([&] {
        require(properties != nullptr);
        *properties = device(id).properties();
    });
}

hipError_t hipChooseDeviceR0600(int* id, const hipDeviceProp_tR0600* wanted) {
    VROCM_API(hipChooseDeviceR0600, id, wanted);
    return enter([&] {
        require(id && wanted);
        // The device that meets most of what was asked for; the first of equals.
        int best = 0, best_score = -1;
        for (const auto& candidate : HipRuntime::get().devices()) {
            const hipDeviceProp_t& p = candidate->properties();
            int score = 0;
            score += wanted->major && p.major >= wanted->major;
            score += wanted->minor && p.minor >= wanted->minor;
            score += wanted->totalGlobalMem && p.totalGlobalMem >= wanted->totalGlobalMem;
            score += wanted->sharedMemPerBlock && p.sharedMemPerBlock >= wanted->sharedMemPerBlock;
            score += wanted->maxThreadsPerBlock && p.maxThreadsPerBlock >= wanted->maxThreadsPerBlock;
            score += wanted->multiProcessorCount && p.multiProcessorCount >= wanted->multiProcessorCount;
            if (score > best_score) {
                best = candidate->id();
                best_score = score;
            }
        }
        *id = best;
    });
}

hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config) {
    VROCM_API(hipDeviceSetCacheConfig, config);
    return enter([&] { current_device().cache_config = config; });
}

hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
    VROCM_API(hipDeviceGetCacheConfig, config);
    return enter([&] {
        require(config != nullptr);
        *config = current_device().cache_config;
    });
}

hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
    VROCM_API(hipDeviceGetSharedMemConfig, config);
    return enter([&] {
        require(config != nullptr);
        *config = current_device().shared_config;
    });
}

hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config) {
    VROCM_API(hipDeviceSetSharedMemConfig, config);
    return enter([&] { current_device().shared_config = config; });
}

hipError_t hipDeviceGetLimit(size_t* value, enum hipLimit_t limit) {
    VROCM_API(hipDeviceGetLimit, value, limit);
    return enter([&] {
        require(value != nullptr);
        Device& current = current_device();
        switch (limit) {
            case hipLimitStackSize:
                *value = current.stack_limit;
                break;
            case hipLimitPrintfFifoSize:
                *value = current.printf_limit;
                break;
            case hipLimitMallocHeapSize:
                *value = current.heap_limit;
                break;
            default:
                fail(hipErrorUnsupportedLimit);
        }
    });
}

hipError_t hipDeviceSetLimit(enum hipLimit_t limit, size_t value) {
    VROCM_API(hipDeviceSetLimit, limit, value);
    return enter([&] {
        Device& current = current_device();
        switch (limit) {
            case hipLimitStackSize:
                // A lane's scratch is at most 128 KiB less 16 bytes.
                require(value <= 131072 - 16);
                current.stack_limit = value;
                break;
            case hipLimitPrintfFifoSize:
                current.printf_limit = value;
                break;
            case hipLimitMallocHeapSize:
                current.heap_limit = value;  // counts for the heap that is made with the first use of malloc
                break;
            default:
                fail(hipErrorUnsupportedLimit);
        }
    });
}

hipError_t hipGetDeviceFlags(unsigned int* flags) {
    VROCM_API(hipGetDeviceFlags, flags);
    return enter([&] {
        require(flags != nullptr);
        *flags = current_device().flags;
    });
}

hipError_t hipSetDeviceFlags(unsigned flags) {
    VROCM_API(hipSetDeviceFlags, flags);
    return enter([&] {
        constexpr unsigned known = hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax;
        require((flags & ~known) == 0);
        current_device().flags = flags;
    });
}

hipError_t hipExtGetLinkTypeAndHopCount(int device1, int device2, uint32_t* type, uint32_t* hops) {
    VROCM_API(hipExtGetLinkTypeAndHopCount, device1, device2, type, hops);
    return enter([&] {
        require(type && hops && device1 != device2);
        device(device1);
        device(device2);
        *type = kLinkXgmi;
        *hops = 1;
    });
}

hipError_t hipDeviceGetTexture1DLinearMaxWidth(size_t* width, const hipChannelFormatDesc* desc, int id) {
    VROCM_API(hipDeviceGetTexture1DLinearMaxWidth, width, desc, id);
    return enter([&] {
        require(width && desc);
        *width = static_cast<size_t>(device(id).properties().maxTexture1DLinear);
    });
}

hipError_t hipDeviceCanAccessPeer(int* can, int id, int peer) {
    VROCM_API(hipDeviceCanAccessPeer, can, id, peer);
    return enter([&] {
        require(can != nullptr);
        device(id);
        device(peer);
        *can = id != peer;
    });
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned int flags) {
    VROCM_API(hipDeviceEnablePeerAccess, peer, flags);
    return enter([&] {
        require(flags == 0);
        device(peer);
        Device& current = current_device();
        require(peer != current.id(), hipErrorInvalidDevice);
        {
            std::lock_guard lock(current.submission());
            require(current.peers.insert(peer).second, hipErrorPeerAccessAlreadyEnabled);
        }
        grant_access(peer, current.agent());
    });
}

hipError_t hipDeviceDisablePeerAccess(int peer) {
    VROCM_API(hipDeviceDisablePeerAccess, peer);
    return enter([&] {
        device(peer);
        Device& current = current_device();
        std::lock_guard lock(current.submission());
        require(current.peers.erase(peer) == 1, hipErrorPeerAccessNotEnabled);
    });
}

hipError_t hipProfilerStart(void) {
    VROCM_API(hipProfilerStart);
    return enter([] {});
}
hipError_t hipProfilerStop(void) {
    VROCM_API(hipProfilerStop);
    return enter([] {});
}
}
