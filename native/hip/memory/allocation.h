// Every piece of memory the program got from HIP, by address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "abi/hsa/hsa.h"
#include "hip/hip_abi.h"

namespace vrocm::hip {

class Device;
class StreamOrderedPool;

struct HipAllocation {
    enum class Kind : std::uint8_t { Device, Host, Managed, Registered, Array, Mapped, Variable };
    Kind kind = Kind::Device;
    std::uint8_t* base = nullptr;
    std::size_t size = 0;
    int device = 0;
    unsigned flags = 0;
    StreamOrderedPool* pool = nullptr;  // from hipMallocAsync
    std::uint64_t id = 0;               // HIP_POINTER_ATTRIBUTE_BUFFER_ID
    bool of_variable = false;           // holds a managed variable, for as long as the program runs

    // Advice, kept to be given back (hipMemRangeGetAttribute).
    bool read_mostly = false;
    int preferred_location = hipInvalidDeviceId;
    int last_prefetch = hipInvalidDeviceId;
    std::uint64_t accessed_by = 0;  // bit per device, bit 63 the host
    bool coarse_grained = false;

    bool is_host() const { return kind == Kind::Host || kind == Kind::Registered; }
};

// The allocation that contains an address, or null.
std::shared_ptr<HipAllocation> find_allocation(const void* address);
// True when any part of the range is already known.
bool overlaps_allocation(const void* address, std::size_t size);
void add_allocation(const HipAllocation& allocation);
// Forgets the allocation that begins at the address; null when none does.
std::shared_ptr<HipAllocation> remove_allocation(const void* base);

// Device or host memory from HSA, entered in the map. Throws hipErrorOutOfMemory.
void* allocate_device(Device& device, std::size_t size, HipAllocation::Kind kind, unsigned flags = 0);
void* allocate_host(Device& device, std::size_t size, unsigned flags);
// Frees memory made by these, after everything that may use it has ended. Throws hipErrorInvalidValue.
void free_memory(void* pointer);

// Lets an agent touch everything allocated on a device so far (hipDeviceEnablePeerAccess).
void grant_access(int device, hsa_agent_t agent);
// Everything the program left allocated on a device (hipDeviceReset).
void free_allocations_of(int device);

// Throws hipErrorInvalidValue when the range begins inside an allocation and ends beyond it.
void check_range(const void* address, std::size_t size);

}  // namespace vrocm::hip
