// Every range of memory the runtime knows: allocated, locked, reserved, mapped or attached.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "hsa/agent/agent.h"
#include "hsa/memory/address_arena.h"
#include "hsa/memory/host_ranges.h"

namespace vrocm::hsa {

struct Block {
    std::uint64_t base = 0, size = 0;  // as asked for
    hsa_amd_pointer_type_t type = HSA_EXT_POINTER_TYPE_HSA;
    const MemoryPool* pool = nullptr;  // null for a reserved address
    std::uint64_t agents = 0;          // bits of the agents that have access
    void* user_data = nullptr;
    const char* kind = "device";
    bool read_only = false;  // to kernels
    bool internal = false;   // belongs to the runtime: clients cannot free it
    AddressArena* arena = nullptr;
    std::uint64_t shift = 0;       // from the addresses of a mapping to where a GPU's side of it is in this process
    std::uint64_t host_range = 0;  // identity in HostRanges for locked memory
    int shared_fd = -1;            // memory file after it was prepared for other processes
    unsigned references = 1;       // attaches of IPC memory, locks of the same pointer
    bool contains(std::uint64_t address) const { return address >= base && address - base < (size ? size : 1); }
};

// How much memory the host may be asked for: 90 % of RAM and swap, or VROCM_MEMORY.
class MemoryBudget {
  public:
    MemoryBudget();
    bool take(std::uint64_t bytes);
    void give(std::uint64_t bytes);
    std::uint64_t limit() const { return limit_; }
    std::uint64_t available() const;
    static std::uint64_t host_memory();  // RAM in bytes

  private:
    std::uint64_t limit_;
    std::atomic<std::uint64_t> used_{0};
};

class Memory {
  public:
    Memory() = default;
    ~Memory();

    // `flags` of hsa_amd_memory_pool_allocate: as with ROCr, small memory of a GPU is cut from blocks without any, and
    // lies where executable memory does, which is never cut from blocks, with them.
    hsa_status_t allocate(const MemoryPool& pool, std::uint64_t size, std::uint32_t flags, std::uint64_t agents,
                          void** pointer);
    // Memory of the runtime's own that kernels may reach: signals, queues, code. Null when there is none.
    void* allocate_internal(const MemoryPool& pool, std::uint64_t size, const char* kind);
    hsa_status_t free(void* pointer, bool internal = false);

    std::optional<Block> find(const void* pointer) const;
    // True when [pointer, pointer+size) lies in one block.
    bool covers(const void* pointer, std::uint64_t size) const;

    hsa_status_t allow(std::uint64_t agents, const void* pointer);
    hsa_status_t set_user_data(const void* pointer, void* user_data);
    hsa_status_t migrate(const void* pointer, const MemoryPool& pool);
    hsa_status_t notify_on_free(void* pointer, hsa_amd_deallocation_callback_t callback, void* data);
    hsa_status_t cancel_notify(void* pointer, hsa_amd_deallocation_callback_t callback);

    hsa_status_t lock(void* pointer, std::uint64_t size, std::uint64_t agents, const MemoryPool& pool);
    hsa_status_t unlock(void* pointer);

    // Makes the pages of an allocation a memory file that another process can map; its descriptor.
    int share(void* pointer, std::uint64_t size);
    // Enters and removes ranges that others have mapped (virtual memory, IPC).
    void enter(const Block& block);
    void leave(std::uint64_t base);
    // A range of address space without memory; 0 when there is none. `exact` is tried first, if not 0.
    std::uint64_t reserve(std::uint64_t size, std::uint64_t exact, std::uint64_t alignment);
    void unreserve(std::uint64_t base, std::uint64_t size);
    // Addresses of this process for the GPUs' side of memory whose own addresses are the host's side; 0 when there are
    // none.
    std::uint64_t take_view(std::uint64_t size);
    void give_view(std::uint64_t base);
    // Where the bytes of a GPU are in this process; null, with a message, when they are mapped and not for a GPU.
    void* gpu_view(const void* pointer, std::uint64_t size) const;

    MemoryBudget& budget() { return budget_; }
    HostRanges& host_ranges() { return host_ranges_; }

  private:
    struct Notice {
        void* pointer;  // as registered: anywhere in the block
        hsa_amd_deallocation_callback_t callback;
        void* data;
    };
    AddressArena& arena(unsigned number);
    AddressArena& blocks_of(unsigned number);
    // Gives the addresses of a block back, at once or, while programs are checked, as late as possible: who still uses
    // them is then found out.
    void give_back(const Block& block);
    hsa_status_t place(Block& block, AddressArena& arena);
    Block* look_up(std::uint64_t address);

    mutable std::mutex mutex_;
    MemoryBudget budget_;
    HostRanges host_ranges_;
    std::map<unsigned, AddressArena> arenas_;       // by agent, and three more
    std::map<unsigned, AddressArena> small_;        // by agent, in blocks of its arena
    std::map<std::uint64_t, Block> blocks_;         // by base; disjoint
    std::multimap<std::uint64_t, Block> locked_;    // by base; may overlap
    std::multimap<std::uint64_t, Notice> notices_;  // by base of the block
    std::deque<Block> quarantine_;                  // freed, oldest first; only while programs are checked
    std::uint64_t quarantined_ = 0;                 // bytes of addresses
};

// VROCM_STRICT=1: kernels may touch the bytes asked for, not whole pages.
bool strict_bounds();

}  // namespace vrocm::hsa
