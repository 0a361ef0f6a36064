#include "hsa/memory/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <new>

#include "hsa/runtime.h"

namespace vrocm::hsa {

namespace {

// The 32 bytes that travel between processes.
struct Ticket {
    std::uint32_t magic;
    std::int32_t process;
    std::int32_t descriptor;
    std::uint32_t is_signal;
    std::uint64_t size;
    std::uint64_t inode;  // tells a descriptor that was closed and used again
};
static_assert(sizeof(Ticket) == sizeof(hsa_amd_ipc_memory_t));
constexpr std::size_t kEndedSignals = 64;
constexpr std::uint32_t kTicketMagic = 0x76726f63;  // "vroc"

std::uint64_t inode_of(int fd) {
    struct stat info{};
    return fstat(fd, &info) == 0 ? info.st_ino : 0;
}

void write_ticket(int fd, std::uint64_t size, bool is_signal, hsa_amd_ipc_memory_t* handle) {
    const Ticket ticket{kTicketMagic, getpid(), fd, is_signal, size, inode_of(fd)};
    std::memcpy(handle, &ticket, sizeof ticket);
}

// The memory file of a ticket, opened anew; -1 when it is not valid any more.
int open_ticket(const hsa_amd_ipc_memory_t& handle, bool is_signal, Ticket& ticket) {
    std::memcpy(&ticket, &handle, sizeof ticket);
    if (ticket.magic != kTicketMagic || ticket.is_signal != (is_signal ? 1u : 0u)) return -1;
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", ticket.process, ticket.descriptor);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 && inode_of(fd) != ticket.inode) {
        close(fd);
        return -1;
    }
    return fd;
}

}  // namespace

SharedMemory::~SharedMemory() {
    for (const auto& [base, attached] : attached_) {
        Runtime::get()->memory.leave(base);
        munmap(reinterpret_cast<void*>(base), page_up(attached.size));
    }
    for (const auto& [signal, fd] : signals_) {
        Runtime::get()->memory.leave(reinterpret_cast<std::uint64_t>(signal));
        munmap(signal, kPage);
        close(fd);
    }
    for (Signal* signal : ended_) munmap(signal, kPage);
}

hsa_status_t SharedMemory::export_memory(void* pointer, std::uint64_t size, hsa_amd_ipc_memory_t* handle) {
    const auto block = Runtime::get()->memory.find(pointer);
    if (!block || block->base != reinterpret_cast<std::uint64_t>(pointer)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const int fd = Runtime::get()->memory.share(pointer, size);
    if (fd < 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    write_ticket(fd, block->size, false, handle);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t SharedMemory::attach(const hsa_amd_ipc_memory_t& handle, std::uint64_t size, std::uint64_t agents,
                                  void** pointer) {
    Ticket ticket;
    const int fd = open_ticket(handle, false, ticket);
    if (fd < 0 || page_up(size) != page_up(ticket.size)) {
        if (fd >= 0) close(fd);
        return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    void* at = mmap(nullptr, page_up(size), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (at == MAP_FAILED) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    Runtime& runtime = *Runtime::get();
    const Agent& owner = runtime.agents.size() > 1 ? *runtime.agents[1] : runtime.cpu();
    Block block{.base = reinterpret_cast<std::uint64_t>(at),
                .size = ticket.size,
                .type = HSA_EXT_POINTER_TYPE_IPC,
                .pool = owner.pool(kCoarseGrained),
                .agents = agents | owner.bit(),
                .kind = "shared"};
    runtime.memory.enter(block);
    std::lock_guard lock(mutex_);
    attached_[block.base] = {ticket.size, 1};
    *pointer = at;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t SharedMemory::detach(void* pointer) {
    std::lock_guard lock(mutex_);
    const auto it = attached_.find(reinterpret_cast<std::uint64_t>(pointer));
    if (it == attached_.end()) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (--it->second.references) return HSA_STATUS_SUCCESS;
    Runtime::get()->memory.leave(it->first);
    munmap(pointer, page_up(it->second.size));
    attached_.erase(it);
    return HSA_STATUS_SUCCESS;
}

// ---- signals -----------------------------------------------------------------------------------------------------

namespace {

void enter_signal(Signal* signal) {
    Runtime& runtime = *Runtime::get();
    runtime.memory.enter({.base = reinterpret_cast<std::uint64_t>(signal),
                          .size = sizeof(Signal),
                          .pool = &runtime.system_pool(),
                          .agents = ~0ull,
                          .kind = "signals",
                          .internal = true});
    runtime.signals.adopt(signal);
}

Signal* map_signal(int fd) {
    void* at = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return at == MAP_FAILED ? nullptr : static_cast<Signal*>(at);
}

}  // namespace

Signal* SharedMemory::create_signal(hsa_signal_value_t initial) {
    const int fd = memfd_create("vrocm-signal", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, kPage) != 0) return nullptr;
    Signal* signal = map_signal(fd);
    if (!signal) return nullptr;
    initialise(*signal, initial, true);
    enter_signal(signal);
    std::lock_guard lock(mutex_);
    signals_[signal] = fd;
    return signal;
}

hsa_status_t SharedMemory::export_signal(Signal& signal, hsa_amd_ipc_signal_t* handle) {
    std::lock_guard lock(mutex_);
    const auto it = signals_.find(&signal);
    if (it == signals_.end()) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    write_ticket(it->second, kPage, true, handle);
    return HSA_STATUS_SUCCESS;
}

hsa_status_t SharedMemory::attach_signal(const hsa_amd_ipc_signal_t& handle, hsa_signal_t* signal) {
    Ticket ticket;
    const int fd = open_ticket(handle, true, ticket);
    if (fd < 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    Signal* mapped = map_signal(fd);
    if (!mapped || mapped->magic != Signal::kMagic) {
        close(fd);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    enter_signal(mapped);
    std::lock_guard lock(mutex_);
    signals_[mapped] = fd;
    *signal = mapped->handle();
    return HSA_STATUS_SUCCESS;
}

bool SharedMemory::destroy_signal(Signal& signal) {
    std::lock_guard lock(mutex_);
    const auto it = signals_.find(&signal);
    if (it == signals_.end()) return false;
    Runtime::get()->signals.drop(&signal);
    Runtime::get()->memory.leave(reinterpret_cast<std::uint64_t>(&signal));
    close(it->second);
    signals_.erase(it);
    ended_.push_back(&signal);
    if (ended_.size() > kEndedSignals) {
        munmap(ended_.front(), kPage);
        ended_.pop_front();
    }
    return true;
}

}  // namespace vrocm::hsa
