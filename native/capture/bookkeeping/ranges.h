// Every range of memory that the application asked the runtime for, as the calls passed by: allocations, locked host
// memory, reservations with their handles and mappings, shared virtual memory, memory of other processes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "abi/hsa/hsa_ext_amd.h"

namespace rpl::capture {

struct AllocatedRange {
    std::uint64_t base = 0, size = 0;  // as asked for
    bool arguments = false;            // a packet had its kernel's arguments there
};

struct LockedRange {
    std::uint64_t host = 0, agent_address = 0, size = 0;
    std::vector<std::uint64_t> agents;  // empty: all
};

struct PhysicalMemory {
    std::uint64_t id = 0;  // a number of our own: the runtime may use a handle again
    std::uint64_t size = 0;
    hsa_amd_memory_pool_t pool{0};
    bool pinned = false;
    bool imported = false;  // made by another process
};

struct Mapping {
    std::uint64_t base = 0, size = 0, offset = 0;
    std::shared_ptr<const PhysicalMemory> memory;
    std::map<std::uint64_t, hsa_access_permission_t> access;  // by agent
    bool arguments = false;
};

struct Reservation {
    std::uint64_t base = 0, size = 0;
};

// A range with the attributes of shared virtual memory that matter here.
struct SvmRange {
    std::uint64_t base = 0, end = 0;
    std::set<std::uint64_t> agents;  // that may reach it
    bool read_only = false;
};

struct ForeignRange {
    std::uint64_t base = 0, size = 0;
};

class Bookkeeping {
  public:
    void allocated(void* base, std::uint64_t size);
    std::uint64_t freed(void* base);  // the size that was booked, 0 when none was

    void locked(LockedRange range);
    void unlocked(void* host);

    void reserved(void* base, std::uint64_t size);
    void unreserved(void* base);
    void handle_made(hsa_amd_vmem_alloc_handle_t handle, std::uint64_t size, hsa_amd_memory_pool_t pool, bool pinned);
    void handle_imported(hsa_amd_vmem_alloc_handle_t handle);
    void handle_retained(hsa_amd_vmem_alloc_handle_t handle, void* address);
    void handle_released(hsa_amd_vmem_alloc_handle_t handle);
    void mapped(void* base, std::uint64_t size, std::uint64_t offset, hsa_amd_vmem_alloc_handle_t handle);
    void unmapped(void* base);
    void access_set(void* base, std::uint64_t size, const hsa_amd_memory_access_desc_t* list, std::size_t count);

    void svm_set(void* base, std::uint64_t size, const hsa_amd_svm_attribute_pair_t* list, std::size_t count);

    // A packet with arguments there is on its way. Allocates nothing.
    void arguments_at(const void* address);

    void attached(void* base, std::uint64_t size);
    void detached(void* base);

    // Copies of what is known now, in the order of addresses.
    std::vector<AllocatedRange> allocations() const;
    std::vector<LockedRange> locked_ranges() const;
    std::vector<Reservation> reservations() const;
    std::vector<Mapping> mappings() const;
    std::vector<SvmRange> svm_ranges() const;
    std::vector<ForeignRange> foreign_ranges() const;

  private:
    struct Handle {
        std::shared_ptr<PhysicalMemory> memory;
        unsigned references = 1;
    };
    void cut_svm(std::uint64_t at);

    mutable std::mutex mutex_;
    std::map<std::uint64_t, AllocatedRange> allocations_;
    std::multimap<std::uint64_t, LockedRange> locked_;  // by host address
    std::map<std::uint64_t, Reservation> reservations_;
    std::map<std::uint64_t, Handle> handles_;
    std::uint64_t next_id_ = 1;
    std::map<std::uint64_t, Mapping> mappings_;
    std::map<std::uint64_t, SvmRange> svm_;
    std::map<std::uint64_t, ForeignRange> foreign_;
};

Bookkeeping& bookkeeping();

}  // namespace rpl::capture
