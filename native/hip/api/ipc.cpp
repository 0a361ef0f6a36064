// Device memory of another process on this machine. Events stay in their process.
#include <unistd.h>

#include <cstring>

#include "abi/hsa/hsa_ext_amd.h"
#include "hip/call/enter.h"
#include "hip/device/device.h"
#include "hip/memory/allocation.h"

using namespace vrocm::hip;

namespace {

// What a hipIpcMemHandle_t holds.
struct Ticket {
    hsa_amd_ipc_memory_t memory;
    std::uint64_t size, offset;
    std::int32_t owner;
};
static_assert(sizeof(Ticket) <= sizeof(hipIpcMemHandle_t));

constexpr const char* kEventsStay = "events belong to one process";

void synchronize_devices() {
    for (const auto& device : HipRuntime::get().devices()) device->synchronize();
}

}  // namespace

extern "C" {

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* devPtr) {
    VROCM_API(hipIpcGetMemHandle, handle, devPtr);
    return enter([&] {
        require(handle && devPtr);
        const auto allocation = find_allocation(devPtr);
        require(allocation && allocation->kind == HipAllocation::Kind::Device && !allocation->pool);
        Ticket ticket{};
        ticket.size = allocation->size;
        ticket.offset = static_cast<std::uint64_t>(static_cast<std::uint8_t*>(devPtr) - allocation->base);
        ticket.owner = getpid();
        // The pages move into a file: nothing may be writing them.
        synchronize_devices();
        require_hsa(hsa_amd_ipc_memory_create(allocation->base, allocation->size, &ticket.memory));
        std::memset(handle, 0, sizeof *handle);
        std::memcpy(handle, &ticket, sizeof ticket);
    });
}

hipError_t hipIpcOpenMemHandle(void** devPtr, hipIpcMemHandle_t handle, unsigned int flags) {
    VROCM_API(hipIpcOpenMemHandle, devPtr, handle, flags);
    return enter([&] {
        require(devPtr && flags == hipIpcMemLazyEnablePeerAccess);
        Ticket ticket;
        std::memcpy(&ticket, &handle, sizeof ticket);
        require(ticket.owner != getpid(), hipErrorInvalidContext);
        Device& device = current_device();
        const hsa_agent_t agent = device.agent();
        void* base = nullptr;
        require(hsa_amd_ipc_memory_attach(&ticket.memory, ticket.size, 1, &agent, &base) == HSA_STATUS_SUCCESS);
        HipAllocation allocation;
        allocation.base = static_cast<std::uint8_t*>(base);
        allocation.size = ticket.size;
        allocation.device = device.id();
        allocation.kind = HipAllocation::Kind::Mapped;
        add_allocation(allocation);
        *devPtr = allocation.base + ticket.offset;
    });
}

hipError_t hipIpcCloseMemHandle(void* devPtr) {
    VROCM_API(hipIpcCloseMemHandle, devPtr);
    return enter([&] {
        const auto allocation = find_allocation(devPtr);
        require(allocation != nullptr);
        synchronize_devices();
        require(hsa_amd_ipc_memory_detach(allocation->base) == HSA_STATUS_SUCCESS);
        remove_allocation(allocation->base);
    });
}

hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t* handle, hipEvent_t event) {
    VROCM_API(hipIpcGetEventHandle, handle, event);
    return enter([&] { refuse("hipIpcGetEventHandle", kEventsStay); });
}
hipError_t hipIpcOpenEventHandle(hipEvent_t* event, hipIpcEventHandle_t handle) {
    VROCM_API(hipIpcOpenEventHandle, event, handle);
    return enter([&] { refuse("hipIpcOpenEventHandle", kEventsStay); });
}
}
