#include "hsa/memory/memory.h"

#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "abi/vrocm/memory.h"
#include "hsa/runtime.h"
#include "sim/checkers/call_site.h"
#include "sim/checkers/options.h"
#include "sim/checkers/uninitialised_bytes.h"
#include "sim/memory/address_space.h"

namespace vrocm::hsa {

namespace {

// Arenas besides those of the agents.
constexpr unsigned kRuntimeArena = 62;  // apart, so that the runtime's own blocks do not move those of clients
constexpr unsigned kReservedArena = 63;
constexpr unsigned kViewArena = 64;
// Far from where Linux puts programs, libraries, stacks and the shadow of the address sanitizer.
constexpr std::uint64_t kFirstArena = 0x2000'0000'0000, kArenaStride = 0x0100'0000'0000;

std::uint64_t parse_bytes(const char* text) {
    char* end = nullptr;
    const double number = std::strtod(text, &end);
    double unit = 1;
    switch (*end) {
        case 'k':
        case 'K':
            unit = 1024.0;
            break;
        case 'm':
        case 'M':
            unit = 1024.0 * 1024;
            break;
        case 'g':
        case 'G':
            unit = 1024.0 * 1024 * 1024;
            break;
        case 't':
        case 'T':
            unit = 1024.0 * 1024 * 1024 * 1024;
            break;
        default:
            break;
    }
    return number > 0 ? static_cast<std::uint64_t>(number * unit) : 0;
}

// The limit of the control group, when it is set; containers have less than the machine.
std::uint64_t cgroup_limit() {
    std::uint64_t limit = ~0ull;
    if (FILE* file = std::fopen("/sys/fs/cgroup/memory.max", "re")) {
        unsigned long long bytes;
        if (std::fscanf(file, "%llu", &bytes) == 1) limit = bytes;
        std::fclose(file);
    }
    return limit;
}

std::uint64_t accessible_bytes(const Block& block) {
    return strict_bounds() ? block.size : page_up(block.size);
}

constexpr std::uint64_t kSmallBlock = 2ull << 20;
constexpr std::uint64_t kGpus = ~1ull;  // bits of agents; agent 0 is the CPU

void publish(const Block& block) {
    const bool reachable = block.agents & kGpus;
    // ROCr cuts small allocations of a GPU from blocks that it maps as a whole.
    const auto [block_begin, block_end] =
        block.arena && !strict_bounds() ? block.arena->block_of(block.base) : std::pair<std::uint64_t, std::uint64_t>{};
    sim::AddressSpace::process().add({.base = block.base,
                                      .size = block.size,
                                      .accessible = accessible_bytes(block),
                                      .device_readable = reachable,
                                      .device_writable = reachable && !block.read_only,
                                      .block_begin = block_begin,
                                      .block_end = block_end,
                                      .shift = block.shift,
                                      .kind = block.kind,
                                      .where = sim::checkers::checking() ? sim::checkers::call_site() : ""});
}

bool mapped(std::uint64_t begin, std::uint64_t end) {
    // msync with no flags that matter only asks whether the pages exist.
    return msync(reinterpret_cast<void*>(begin), end - begin, MS_ASYNC) == 0;
}

}  // namespace

bool strict_bounds() {
    static const bool strict = [] {
        const char* text = std::getenv("VROCM_STRICT");
        return text && *text && std::strcmp(text, "0") != 0;
    }();
    return strict;
}

std::uint64_t MemoryBudget::host_memory() {
    struct sysinfo info{};
    sysinfo(&info);
    return static_cast<std::uint64_t>(info.totalram) * info.mem_unit;
}

MemoryBudget::MemoryBudget() {
    if (const char* text = std::getenv("VROCM_MEMORY"))
        if ((limit_ = parse_bytes(text)) != 0) return;
    struct sysinfo info{};
    sysinfo(&info);
    const std::uint64_t host = static_cast<std::uint64_t>(info.totalram + info.totalswap) * info.mem_unit;
    limit_ = std::min(host, cgroup_limit()) / 10 * 9;
}

bool MemoryBudget::take(std::uint64_t bytes) {
    std::uint64_t used = used_.load();
    do {
        if (bytes > limit_ || used > limit_ - bytes) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes));
    return true;
}

void MemoryBudget::give(std::uint64_t bytes) {
    used_.fetch_sub(bytes);
}

std::uint64_t MemoryBudget::available() const {
    const std::uint64_t used = used_.load();
    return used < limit_ ? limit_ - used : 0;
}

Memory::~Memory() {
    for (const auto& [base, block] : blocks_) {
        sim::AddressSpace::process().remove(base);
        if (block.shared_fd >= 0) close(block.shared_fd);
    }
}

AddressArena& Memory::arena(unsigned number) {
    return arenas_.try_emplace(number, kFirstArena + number * kArenaStride).first->second;
}

hsa_status_t Memory::place(Block& block, AddressArena& arena) {
    if (block.size > ~0ull - kPage || !budget_.take(page_up(block.size))) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    std::lock_guard lock(mutex_);
    block.base = arena.take(block.size);
    if (!block.base) {
        budget_.give(page_up(block.size));
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    block.arena = &arena;
    blocks_[block.base] = block;
    publish(block);
    return HSA_STATUS_SUCCESS;
}

AddressArena& Memory::blocks_of(unsigned number) {
    return small_.try_emplace(number, arena(number), kSmallBlock).first->second;
}

hsa_status_t Memory::allocate(const MemoryPool& pool, std::uint64_t size, std::uint32_t flags, std::uint64_t agents,
                              void** pointer) {
    Block block{
        .size = size, .pool = &pool, .agents = agents | pool.owner->bit(), .kind = pool.on_gpu() ? "device" : "host"};
    AddressArena* place_in;
    {
        std::lock_guard lock(mutex_);
        const unsigned number = pool.owner->index();
        const bool small = pool.on_gpu() && flags == 0 && size <= kSmallBlock - kPage;
        place_in = small ? &blocks_of(number) : &arena(number);
    }
    const hsa_status_t status = place(block, *place_in);
    if (status == HSA_STATUS_SUCCESS) *pointer = reinterpret_cast<void*>(block.base);
    return status;
}

void* Memory::allocate_internal(const MemoryPool& pool, std::uint64_t size, const char* kind) {
    Block block{.size = size, .pool = &pool, .agents = ~0ull, .kind = kind, .internal = true};
    AddressArena* place_in;
    {
        std::lock_guard lock(mutex_);
        place_in = &arena(pool.on_gpu() ? pool.owner->index() : kRuntimeArena);
    }
    return place(block, *place_in) == HSA_STATUS_SUCCESS ? reinterpret_cast<void*>(block.base) : nullptr;
}

hsa_status_t Memory::free(void* pointer, bool internal) {
    std::vector<Notice> notices;
    Block block;
    {
        std::lock_guard lock(mutex_);
        const auto base = reinterpret_cast<std::uint64_t>(pointer);
        const auto it = blocks_.find(base);
        if (it == blocks_.end() || it->second.internal != internal || it->second.type != HSA_EXT_POINTER_TYPE_HSA)
            return HSA_STATUS_ERROR_INVALID_ALLOCATION;
        const auto [first, last] = notices_.equal_range(base);
        for (auto n = first; n != last; ++n) notices.push_back(n->second);
        notices_.erase(first, last);
        block = it->second;
        blocks_.erase(it);
        sim::AddressSpace::process().remove(base);
        sim::checkers::UninitialisedBytes::process().written(base, block.size);
    }
    // Notifiers may call the runtime. The block is nobody's by then, but its pages are there until they are done.
    for (const Notice& notice : notices) notice.callback(notice.pointer, notice.data);
    std::lock_guard lock(mutex_);
    give_back(block);
    if (block.shared_fd >= 0) close(block.shared_fd);
    budget_.give(page_up(block.size));
    return HSA_STATUS_SUCCESS;
}

void Memory::give_back(const Block& block) {
    constexpr std::uint64_t kMost = 1ull << 40;  // address space only: it costs nothing
    if (!sim::checkers::checking() || block.shared_fd >= 0) return block.arena->give(block.base, block.shared_fd >= 0);
    block.arena->empty(block.base);
    quarantine_.push_back(block);
    for (quarantined_ += page_up(block.size); quarantined_ > kMost; quarantine_.pop_front()) {
        const Block& oldest = quarantine_.front();
        quarantined_ -= page_up(oldest.size);
        oldest.arena->give(oldest.base);
    }
}

Block* Memory::look_up(std::uint64_t address) {
    auto it = blocks_.upper_bound(address);
    if (it != blocks_.begin() && std::prev(it)->second.contains(address)) return &std::prev(it)->second;
    for (auto l = locked_.upper_bound(address); l != locked_.begin();)
        if ((--l)->second.contains(address)) return &l->second;
    return nullptr;
}

std::optional<Block> Memory::find(const void* pointer) const {
    std::lock_guard lock(mutex_);
    const Block* block = const_cast<Memory*>(this)->look_up(reinterpret_cast<std::uint64_t>(pointer));
    return block ? std::optional(*block) : std::nullopt;
}

bool Memory::covers(const void* pointer, std::uint64_t size) const {
    const auto block = find(pointer);
    if (!block) return false;
    return reinterpret_cast<std::uint64_t>(pointer) - block->base + size <= page_up(block->size);
}

hsa_status_t Memory::allow(std::uint64_t agents, const void* pointer) {
    std::lock_guard lock(mutex_);
    Block* block = look_up(reinterpret_cast<std::uint64_t>(pointer));
    if (!block || !block->pool) return HSA_STATUS_ERROR;
    if (block->type == HSA_EXT_POINTER_TYPE_HSA_VMEM) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    block->agents = agents | block->pool->owner->bit();
    if (block->type != HSA_EXT_POINTER_TYPE_LOCKED) publish(*block);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t Memory::set_user_data(const void* pointer, void* user_data) {
    std::lock_guard lock(mutex_);
    Block* block = look_up(reinterpret_cast<std::uint64_t>(pointer));
    if (!block) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    block->user_data = user_data;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t Memory::migrate(const void* pointer, const MemoryPool& pool) {
    std::lock_guard lock(mutex_);
    Block* block = look_up(reinterpret_cast<std::uint64_t>(pointer));
    if (!block || block->type != HSA_EXT_POINTER_TYPE_HSA) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    block->pool = &pool;
    block->agents = pool.owner->bit();
    block->kind = pool.on_gpu() ? "device" : "host";
    publish(*block);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t Memory::notify_on_free(void* pointer, hsa_amd_deallocation_callback_t callback, void* data) {
    std::lock_guard lock(mutex_);
    const Block* block = look_up(reinterpret_cast<std::uint64_t>(pointer));
    if (!block || block->type != HSA_EXT_POINTER_TYPE_HSA || block->internal)
        return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    notices_.insert({block->base, {pointer, callback, data}});
    return HSA_STATUS_SUCCESS;
}

hsa_status_t Memory::cancel_notify(void* pointer, hsa_amd_deallocation_callback_t callback) {
    std::lock_guard lock(mutex_);
    const Block* block = look_up(reinterpret_cast<std::uint64_t>(pointer));
    if (!block) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const auto [first, last] = notices_.equal_range(block->base);
    for (auto n = first; n != last; ++n)
        if (n->second.pointer == pointer && n->second.callback == callback) {
            notices_.erase(n);
            return HSA_STATUS_SUCCESS;
        }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t Memory::lock(void* pointer, std::uint64_t size, std::uint64_t agents, const MemoryPool& pool) {
    const auto begin = reinterpret_cast<std::uint64_t>(pointer);
    if (begin + size < begin) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    std::lock_guard lock(mutex_);
    const auto it = blocks_.upper_bound(begin);
    if (it != blocks_.begin() && std::prev(it)->second.contains(begin)) {
        Block& block = std::prev(it)->second;  // the runtime's own memory is pinned already
        block.agents |= agents;
        publish(block);
        return HSA_STATUS_SUCCESS;
    }
    const std::uint64_t first = page_down(begin), last = page_up(begin + size);
    if (!mapped(first, last)) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    const bool strict = strict_bounds() || sim::checkers::checking();
    Block block{.base = begin,
                .size = size,
                .type = HSA_EXT_POINTER_TYPE_LOCKED,
                .pool = &pool,
                .agents = agents,
                .kind = "registered"};
    block.host_range = host_ranges_.add(strict ? begin : first, strict ? begin + size : last, true);
    locked_.insert({begin, block});
    return HSA_STATUS_SUCCESS;
}

hsa_status_t Memory::unlock(void* pointer) {
    std::lock_guard lock(mutex_);
    const auto begin = reinterpret_cast<std::uint64_t>(pointer);
    const auto [first, last] = locked_.equal_range(begin);
    if (first == last) return look_up(begin) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const auto newest = std::prev(last);
    host_ranges_.remove(newest->second.host_range);
    locked_.erase(newest);
    return HSA_STATUS_SUCCESS;
}

int Memory::share(void* pointer, std::uint64_t size) {
    std::lock_guard lock(mutex_);
    const auto it = blocks_.find(reinterpret_cast<std::uint64_t>(pointer));
    if (it == blocks_.end() || it->second.type != HSA_EXT_POINTER_TYPE_HSA || it->second.internal) return -1;
    Block& block = it->second;
    if (page_up(size) != page_up(block.size)) return -1;
    if (block.shared_fd >= 0) return block.shared_fd;
    const std::uint64_t span = page_up(block.size);
    const int fd = memfd_create("vrocm-ipc", MFD_CLOEXEC);
    if (fd < 0) return -1;
    // Written through the file, then mapped over the old pages: same address, same contents.
    for (std::uint64_t done = 0; done < span;) {
        const ssize_t n = pwrite(fd, static_cast<char*>(pointer) + done, span - done, static_cast<off_t>(done));
        if (n <= 0) {
            close(fd);
            return -1;
        }
        done += static_cast<std::uint64_t>(n);
    }
    if (mmap(pointer, span, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
        close(fd);
        return -1;
    }
    return block.shared_fd = fd;
}

void Memory::enter(const Block& block) {
    std::lock_guard lock(mutex_);
    blocks_[block.base] = block;
    if (block.type != HSA_EXT_POINTER_TYPE_RESERVED_ADDR) publish(block);
}

void Memory::leave(std::uint64_t base) {
    std::lock_guard lock(mutex_);
    if (blocks_.erase(base)) sim::AddressSpace::process().remove(base);
}

std::uint64_t Memory::reserve(std::uint64_t size, std::uint64_t exact, std::uint64_t alignment) {
    std::lock_guard lock(mutex_);
    if (exact) {
        const std::uint64_t number_of_exact = (exact - kFirstArena) / kArenaStride;
        if (exact >= kFirstArena && number_of_exact < kRuntimeArena) arena(static_cast<unsigned>(number_of_exact));
        for (auto& [number, arena] : arenas_)
            if (arena.take_exact(exact, size)) return exact;
        void* at = mmap(reinterpret_cast<void*>(exact), size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (at != MAP_FAILED) {
            // A kernel older than 4.17 takes the address as a hint.
            if (reinterpret_cast<std::uint64_t>(at) == exact) return exact;
            munmap(at, size);
        }
    }
    return arena(kReservedArena).take(size, alignment);
}

void Memory::unreserve(std::uint64_t base, std::uint64_t size) {
    std::lock_guard lock(mutex_);
    for (auto& [number, arena] : arenas_)
        if (arena.owns(base)) return arena.give(base, true);
    munmap(reinterpret_cast<void*>(base), size);
}

std::uint64_t Memory::take_view(std::uint64_t size) {
    std::lock_guard lock(mutex_);
    return arena(kViewArena).take(size);
}

void Memory::give_view(std::uint64_t base) {
    std::lock_guard lock(mutex_);
    arena(kViewArena).give(base, true);
}

void* Memory::gpu_view(const void* pointer, std::uint64_t size) const {
    const auto begin = reinterpret_cast<std::uint64_t>(pointer);
    std::lock_guard lock(mutex_);
    auto it = blocks_.upper_bound(begin);
    if (it == blocks_.begin()) return const_cast<void*>(pointer);
    const std::uint64_t shift = (--it)->second.shift;
    if (!shift || !it->second.contains(begin)) return const_cast<void*>(pointer);
    // The bytes may lie in several mappings of one reservation.
    for (std::uint64_t at = begin; it != blocks_.end() && it->first <= at && it->second.shift == shift; ++it) {
        if (!(it->second.agents & kGpus)) break;
        at = it->first + it->second.size;
        if (at - begin >= size) return reinterpret_cast<void*>(begin + shift);
    }
    std::fprintf(stderr, "vrocm: %llu bytes at %p are mapped, but not all of them for a GPU\n",
                 static_cast<unsigned long long>(size), pointer);
    return nullptr;
}

}  // namespace vrocm::hsa

void* vrocm_memory_gpu_view(const void* address, size_t bytes) {
    return vrocm::hsa::Runtime::get()->memory.gpu_view(address, bytes);
}
