#include "hsa/memory/virtual_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "hsa/runtime.h"

namespace vrocm::hsa {

namespace {

// The name of the memory file says which pool it is of, so that another process can tell.
std::string file_name(const MemoryPool& pool, hsa_amd_memory_type_t type) {
    char text[64];
    std::snprintf(text, sizeof text, "vrocm-vmem-%u-%u-%d", pool.owner->index(), pool.flags, type);
    return text;
}

// Memory of nobody in place of what is there.
void blank(std::uint64_t base, std::uint64_t size, int protection) {
    mmap(reinterpret_cast<void*>(base), size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
         0);
}

// The contents of a part of a file are gone.
void give_up(int fd, std::uint64_t offset, std::uint64_t size) {
    fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset), static_cast<off_t>(size));
}

// What is not zero.
bool copy_part(int from, std::uint64_t offset, std::uint64_t size, int to) {
    std::vector<char> buffer(std::min<std::uint64_t>(size, 1 << 20));
    for (std::uint64_t done = 0; done < size;) {
        const std::size_t part = std::min<std::uint64_t>(buffer.size(), size - done);
        const ssize_t n = pread(from, buffer.data(), part, static_cast<off_t>(offset + done));
        if (n <= 0) return false;
        const auto count = static_cast<std::size_t>(n);
        const bool zero = std::all_of(buffer.begin(), buffer.begin() + n, [](char c) { return c == 0; });
        if (!zero && pwrite(to, buffer.data(), count, static_cast<off_t>(done)) != n) return false;
        done += count;
    }
    return true;
}

int protection_of(hsa_access_permission_t permission) {
    return (permission & HSA_ACCESS_PERMISSION_RO ? PROT_READ : PROT_NONE) |
           (permission & HSA_ACCESS_PERMISSION_WO ? PROT_WRITE : PROT_NONE);
}

}  // namespace

VirtualMemory::SharedFile::~SharedFile() {
    if (fd >= 0) close(fd);
}

std::optional<std::uint64_t> VirtualMemory::SharedFile::take(std::uint64_t size) {
    if (fd < 0) fd = memfd_create("vrocm-handles", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, static_cast<off_t>(end + size)) != 0) return std::nullopt;
    end += size;
    return end - size;
}

VirtualMemory::Physical::~Physical() {
    if (shared)
        give_up(fd, offset, size);
    else if (fd >= 0)
        close(fd);
    if (counted) Runtime::get()->memory.budget().give(size);
}

VirtualMemory::~VirtualMemory() {
    for (const auto& [base, mapping] : mappings_) take_away(base, mapping);
    mappings_.clear();
    for (const auto& [base, range] : reservations_) give_back(range);
}

// ---- addresses ---------------------------------------------------------------------------------------------------

hsa_status_t VirtualMemory::reserve(void** va, std::uint64_t size, std::uint64_t address, std::uint64_t alignment,
                                    bool registered) {
    if (alignment == 0) alignment = kPage;
    if (alignment < kPage || !std::has_single_bit(alignment)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (address % alignment) address = 0;
    if (size > std::numeric_limits<std::uint64_t>::max() - kPage) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    const std::uint64_t pages = page_up(size);
    std::lock_guard lock(mutex_);
    const std::uint64_t base = Runtime::get()->memory.reserve(pages, address, alignment);
    if (!base) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    if (registered) blank(base, pages, PROT_NONE);  // a bare range is ordinary memory of the host
    reservations_[base] = {base, pages, size, registered};
    *va = reinterpret_cast<void*>(base);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t VirtualMemory::free(void* va, std::uint64_t size) {
    std::lock_guard lock(mutex_);
    const auto it = reservations_.find(reinterpret_cast<std::uint64_t>(va));
    if (it == reservations_.end()) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    const Range& range = it->second;
    if (range.asked != size) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const auto mapping = mappings_.lower_bound(range.base);
    if (mapping != mappings_.end() && mapping->first < range.base + range.size) return HSA_STATUS_ERROR_RESOURCE_FREE;
    give_back(range);
    reservations_.erase(it);
    return HSA_STATUS_SUCCESS;
}

void VirtualMemory::give_back(const Range& range) {
    if (range.view) Runtime::get()->memory.give_view(range.view);
    Runtime::get()->memory.unreserve(range.base, range.size);
}

VirtualMemory::Range* VirtualMemory::range_at(std::uint64_t address) {
    const auto it = reservations_.upper_bound(address);
    if (it == reservations_.begin()) return nullptr;
    Range& range = std::prev(it)->second;
    return address - range.base < range.size ? &range : nullptr;
}

std::optional<VirtualMemory::Range> VirtualMemory::reservation(std::uint64_t address) const {
    std::lock_guard lock(mutex_);
    const Range* range = const_cast<VirtualMemory*>(this)->range_at(address);
    return range ? std::optional(*range) : std::nullopt;
}

// ---- physical memory -----------------------------------------------------------------------------------------------

std::shared_ptr<VirtualMemory::Physical> VirtualMemory::find(std::uint64_t handle) const {
    const auto it = handles_.find(handle);
    return it == handles_.end() ? nullptr : it->second;
}

hsa_status_t VirtualMemory::create(const MemoryPool& pool, std::uint64_t size, hsa_amd_memory_type_t type,
                                   hsa_amd_vmem_alloc_handle_t* handle) {
    if (size % kPage) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!pool.allocatable) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    if (!Runtime::get()->memory.budget().take(size)) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    auto physical = std::make_shared<Physical>();
    physical->size = size;
    physical->pool = &pool;
    physical->type = type;
    std::lock_guard lock(mutex_);
    const auto offset = file_->take(size);
    if (!offset) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    physical->shared = file_;
    physical->fd = file_->fd;
    physical->offset = *offset;
    handle->handle = next_handle_++;
    handles_[handle->handle] = std::move(physical);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t VirtualMemory::release(hsa_amd_vmem_alloc_handle_t handle) {
    std::lock_guard lock(mutex_);
    const auto physical = find(handle.handle);
    if (!physical) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    if (--physical->references == 0) handles_.erase(handle.handle);  // mappings keep the memory
    return HSA_STATUS_SUCCESS;
}

hsa_status_t VirtualMemory::retain(void* address, hsa_amd_vmem_alloc_handle_t* handle) {
    std::lock_guard lock(mutex_);
    Mapping* mapping = mapping_at(reinterpret_cast<std::uint64_t>(address));
    if (!mapping) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    if (find(mapping->handle)) {
        ++mapping->memory->references;
    } else {
        mapping->memory->references = 1;
        handles_[mapping->handle] = mapping->memory;
    }
    handle->handle = mapping->handle;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t VirtualMemory::properties(hsa_amd_vmem_alloc_handle_t handle, hsa_amd_memory_pool_t* pool,
                                       hsa_amd_memory_type_t* type) {
    std::lock_guard lock(mutex_);
    const auto physical = find(handle.handle);
    if (!physical) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    *pool = physical->pool->handle();
    *type = physical->type;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t VirtualMemory::export_handle(hsa_amd_vmem_alloc_handle_t handle, int* fd) {
    std::lock_guard lock(mutex_);
    const auto physical = find(handle.handle);
    if (!physical) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    if (physical->shared && !move_to_own_file(physical)) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    const int copy = dup(physical->fd);
    if (copy < 0) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    *fd = copy;
    return HSA_STATUS_SUCCESS;
}

// Same addresses, same contents, other pages. As with Memory::share, what is written meanwhile may be lost.
bool VirtualMemory::move_to_own_file(const std::shared_ptr<Physical>& physical) {
    const int own = memfd_create(file_name(*physical->pool, physical->type).c_str(), MFD_CLOEXEC);
    if (own < 0) return false;
    if (ftruncate(own, static_cast<off_t>(physical->size)) != 0 ||
        !copy_part(physical->fd, physical->offset, physical->size, own)) {
        close(own);
        return false;
    }
    give_up(physical->fd, physical->offset, physical->size);
    physical->shared.reset();
    physical->fd = own;
    physical->offset = 0;
    bool moved = true;
    for (const auto& [base, mapping] : mappings_) {
        if (mapping.memory != physical) continue;
        const auto host = mapping.access.find(Runtime::get()->cpu().index());
        moved &= show_to_gpus(base, mapping);
        moved &= show_to_host(base, mapping, host == mapping.access.end() ? HSA_ACCESS_PERMISSION_NONE : host->second);
    }
    return moved;
}

hsa_status_t VirtualMemory::import_handle(int fd, hsa_amd_vmem_alloc_handle_t* handle) {
    char link[64], name[128] = {};
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    struct stat info{};
    if (fstat(fd, &info) != 0 || readlink(link, name, sizeof name - 1) < 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    unsigned agent, flags;
    int type;
    const char* found = std::strstr(name, "vrocm-vmem-");
    if (!found || std::sscanf(found, "vrocm-vmem-%u-%u-%d", &agent, &flags, &type) != 3)
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    Runtime& runtime = *Runtime::get();
    const MemoryPool* pool = agent < runtime.agents.size() ? runtime.agents[agent]->pool(flags) : nullptr;
    if (!pool) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    auto physical = std::make_shared<Physical>();
    physical->counted = false;  // whoever made it has paid
    physical->size = static_cast<std::uint64_t>(info.st_size);
    physical->pool = pool;
    physical->type = static_cast<hsa_amd_memory_type_t>(type);
    physical->fd = dup(fd);
    if (physical->fd < 0) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    std::lock_guard lock(mutex_);
    handle->handle = next_handle_++;
    handles_[handle->handle] = std::move(physical);
    return HSA_STATUS_SUCCESS;
}

// ---- mappings ----------------------------------------------------------------------------------------------------

VirtualMemory::Mapping* VirtualMemory::mapping_at(std::uint64_t address, std::uint64_t* base) {
    const auto it = mappings_.upper_bound(address);
    if (it == mappings_.begin()) return nullptr;
    auto& [begin, mapping] = *std::prev(it);
    if (address - begin >= mapping.size) return nullptr;
    if (base) *base = begin;
    return &mapping;
}

hsa_status_t VirtualMemory::map(void* va, std::uint64_t size, hsa_amd_vmem_alloc_handle_t handle) {
    const auto base = reinterpret_cast<std::uint64_t>(va);
    std::lock_guard lock(mutex_);
    Range* range = range_at(base);
    if (!range || base % kPage || size % kPage || size > range->size - (base - range->base))
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    auto physical = find(handle.handle);
    if (!physical || size > physical->size) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const auto after = mappings_.lower_bound(base);
    const bool overlaps = mapping_at(base) || (after != mappings_.end() && after->first < base + size);
    if (overlaps) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!range->view) range->view = Runtime::get()->memory.take_view(range->size);
    if (!range->view) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    const std::uint64_t shift = range->view - range->base;
    Mapping mapping{size, std::move(physical), handle.handle, shift, {}};
    if (!show_to_gpus(base, mapping) || !show_to_host(base, mapping, HSA_ACCESS_PERMISSION_NONE)) {
        blank(base + shift, size, PROT_READ | PROT_WRITE);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    publish(base, mapping);
    mappings_[base] = std::move(mapping);
    return HSA_STATUS_SUCCESS;
}

bool VirtualMemory::show_to_gpus(std::uint64_t base, const Mapping& mapping) {
    return mmap(reinterpret_cast<void*>(base + mapping.shift), mapping.size, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_FIXED, mapping.memory->fd, static_cast<off_t>(mapping.memory->offset)) != MAP_FAILED;
}

bool VirtualMemory::show_to_host(std::uint64_t base, const Mapping& mapping, hsa_access_permission_t permission) {
    return mmap(reinterpret_cast<void*>(base), mapping.size, protection_of(permission), MAP_SHARED | MAP_FIXED,
                mapping.memory->fd, static_cast<off_t>(mapping.memory->offset)) != MAP_FAILED;
}

// The GPUs' side stays readable, so that a kernel that is just being refused cannot crash.
void VirtualMemory::take_away(std::uint64_t base, const Mapping& mapping) {
    Runtime::get()->memory.leave(base);
    blank(base, mapping.size, PROT_NONE);
    blank(base + mapping.shift, mapping.size, PROT_READ | PROT_WRITE);
}

void VirtualMemory::publish(std::uint64_t base, const Mapping& mapping) {
    Block block{.base = base,
                .size = mapping.size,
                .type = HSA_EXT_POINTER_TYPE_HSA_VMEM,
                .pool = mapping.memory->pool,
                .agents = 0,
                .kind = "vmem",
                .read_only = true,
                .shift = mapping.shift};
    for (const auto& [agent, permission] : mapping.access) {
        if (permission != HSA_ACCESS_PERMISSION_NONE) block.agents |= 1ull << agent;
        if (permission & HSA_ACCESS_PERMISSION_WO) block.read_only &= !Runtime::get()->agents[agent]->is_gpu();
    }
    Runtime::get()->memory.enter(block);
}

hsa_status_t VirtualMemory::unmap(void* va, std::uint64_t size) {
    std::lock_guard lock(mutex_);
    const auto it = mappings_.find(reinterpret_cast<std::uint64_t>(va));
    if (it == mappings_.end()) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    if (it->second.size != size) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    take_away(it->first, it->second);
    mappings_.erase(it);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t VirtualMemory::set_access(void* va, std::uint64_t size, const hsa_amd_memory_access_desc_t* list,
                                       std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (!Runtime::get()->agent(list[i].agent_handle)) return HSA_STATUS_ERROR_INVALID_AGENT;
    std::lock_guard lock(mutex_);
    const auto begin = reinterpret_cast<std::uint64_t>(va);
    // The range may cover several mappings, but each of them whole.
    std::uint64_t at = begin;
    while (at < begin + size) {
        const auto it = mappings_.find(at);
        if (it == mappings_.end()) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
        at += it->second.size;
    }
    if (at != begin + size) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (at = begin; at < begin + size; at += mappings_[at].size) {
        Mapping& mapping = mappings_[at];
        for (std::size_t i = 0; i < count; ++i) {
            const Agent& agent = *Runtime::get()->agent(list[i].agent_handle);
            if (!agent.is_gpu() && !show_to_host(at, mapping, list[i].permissions)) return HSA_STATUS_ERROR;
            mapping.access[agent.index()] = list[i].permissions;
        }
        publish(at, mapping);
    }
    return HSA_STATUS_SUCCESS;
}

hsa_status_t VirtualMemory::get_access(void* va, Agent& agent, hsa_access_permission_t* permission) {
    std::lock_guard lock(mutex_);
    Mapping* mapping = mapping_at(reinterpret_cast<std::uint64_t>(va));
    if (!mapping) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    const auto it = mapping->access.find(agent.index());
    *permission = it == mapping->access.end() ? HSA_ACCESS_PERMISSION_NONE : it->second;
    return HSA_STATUS_SUCCESS;
}

}  // namespace vrocm::hsa
