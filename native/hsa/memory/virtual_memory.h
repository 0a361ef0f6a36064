// Virtual memory management: reserved addresses, physical memory by handle, and mappings between them. Physical
// memory is part of a memory file, so that one handle can be mapped at several addresses, and a file of its own once
// other processes may map it: descriptors are few, and handles of ROCr take none. Every
// mapping has two sides: at its own addresses what the host was given access to, as with ROCr, and elsewhere in the
// process what kernels and copies of GPUs use.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "hsa/agent/agent.h"

namespace vrocm::hsa {

class VirtualMemory {
  public:
    ~VirtualMemory();

    // `registered`: known to the driver, as opposed to a bare range of addresses. It makes no difference but in
    // what hsa_amd_pointer_info says.
    hsa_status_t reserve(void** va, std::uint64_t size, std::uint64_t address, std::uint64_t alignment,
                         bool registered);
    hsa_status_t free(void* va, std::uint64_t size);

    hsa_status_t create(const MemoryPool& pool, std::uint64_t size, hsa_amd_memory_type_t type,
                        hsa_amd_vmem_alloc_handle_t* handle);
    hsa_status_t release(hsa_amd_vmem_alloc_handle_t handle);
    hsa_status_t retain(void* address, hsa_amd_vmem_alloc_handle_t* handle);
    hsa_status_t properties(hsa_amd_vmem_alloc_handle_t handle, hsa_amd_memory_pool_t* pool,
                            hsa_amd_memory_type_t* type);
    hsa_status_t export_handle(hsa_amd_vmem_alloc_handle_t handle, int* fd);
    hsa_status_t import_handle(int fd, hsa_amd_vmem_alloc_handle_t* handle);

    // Always from the first byte of the handle.
    hsa_status_t map(void* va, std::uint64_t size, hsa_amd_vmem_alloc_handle_t handle);
    hsa_status_t unmap(void* va, std::uint64_t size);
    hsa_status_t set_access(void* va, std::uint64_t size, const hsa_amd_memory_access_desc_t* list, std::size_t count);
    hsa_status_t get_access(void* va, Agent& agent, hsa_access_permission_t* permission);

    struct Range {
        std::uint64_t base, size;  // whole pages
        std::uint64_t asked;       // the size that it is freed with
        bool registered;
        std::uint64_t view = 0;  // of the GPUs; from the first mapping on
    };
    // The reservation around an address.
    std::optional<Range> reservation(std::uint64_t address) const;

  private:
    // The file that handles are parts of. Holes in it cost nothing, so that no part is used again.
    struct SharedFile {
        int fd = -1;
        std::uint64_t end = 0;
        ~SharedFile();
        // The offset of a new part; nothing when the system has no file.
        std::optional<std::uint64_t> take(std::uint64_t size);
    };
    struct Physical {
        std::shared_ptr<SharedFile> shared;  // null: a file of its own
        int fd = -1;
        std::uint64_t offset = 0, size = 0;
        const MemoryPool* pool = nullptr;
        hsa_amd_memory_type_t type = MEMORY_TYPE_NONE;
        unsigned references = 1;
        bool counted = true;  // against the memory budget
        ~Physical();
    };
    struct Mapping {
        std::uint64_t size;
        std::shared_ptr<Physical> memory;
        std::uint64_t handle;
        std::uint64_t shift;                                 // from its addresses to the GPUs' side
        std::map<unsigned, hsa_access_permission_t> access;  // by agent
    };
    std::shared_ptr<Physical> find(std::uint64_t handle) const;
    Mapping* mapping_at(std::uint64_t address, std::uint64_t* base = nullptr);
    Range* range_at(std::uint64_t address);
    bool move_to_own_file(const std::shared_ptr<Physical>& physical);
    static bool show_to_gpus(std::uint64_t base, const Mapping& mapping);
    static bool show_to_host(std::uint64_t base, const Mapping& mapping, hsa_access_permission_t permission);
    void take_away(std::uint64_t base, const Mapping& mapping);
    void give_back(const Range& range);
    void publish(std::uint64_t base, const Mapping& mapping);

    mutable std::mutex mutex_;
    std::shared_ptr<SharedFile> file_ = std::make_shared<SharedFile>();
    std::map<std::uint64_t, Range> reservations_;  // by base
    std::map<std::uint64_t, std::shared_ptr<Physical>> handles_;
    std::map<std::uint64_t, Mapping> mappings_;  // by base; disjoint
    std::uint64_t next_handle_ = 0x1000;
};

}  // namespace vrocm::hsa
