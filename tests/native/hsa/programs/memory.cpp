// Allocation, access, copies, host memory, pointers, sharing between processes.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>

#include "harness.h"

static void allocation() {
    void* p = nullptr;
    CHECK_STATUS(hsa_amd_memory_pool_allocate(device_pool(), 0, 0, &p), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(hsa_amd_memory_pool_allocate(device_pool(), 64, 0, nullptr), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(hsa_amd_memory_pool_allocate({5}, 64, 0, &p), HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    CHECK_STATUS(hsa_amd_memory_pool_allocate(device_pool(), 1ull << 40, 0, &p), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    // Less than the GPU claims to have, more than the host gives in this test (VROCM_MEMORY=1G).
    std::size_t most = 0;
    OK(hsa_amd_memory_pool_get_info(device_pool(), HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE, &most));
    CHECK(most == 1u << 30);
    CHECK_STATUS(hsa_amd_memory_pool_allocate(device_pool(), most + 4096, 0, &p), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    OK(hsa_amd_memory_pool_allocate(device_pool(), most / 4 * 3, 0, &p));
    void* rest = nullptr;
    CHECK_STATUS(hsa_amd_memory_pool_allocate(device_pool(), most / 2, 0, &rest), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    OK(hsa_amd_memory_pool_free(p));
    std::uint64_t before = 0, during = 0;
    const auto avail = static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_MEMORY_AVAIL);
    OK(hsa_agent_get_info(gpu(), avail, &before));
    std::vector<int*> blocks;
    for (int i = 0; i < 500; ++i) {
        blocks.push_back(allocate<int>(device_pool(), 100));
        blocks.back()[0] = blocks.back()[99] = i;
        CHECK(reinterpret_cast<std::uint64_t>(blocks.back()) % 4096 == 0);
    }
    OK(hsa_agent_get_info(gpu(), avail, &during));
    CHECK(before - during == 500 * 4096);
    for (int i = 0; i < 500; ++i) {
        CHECK(blocks[i][0] == i && blocks[i][99] == i);
        OK(hsa_amd_memory_pool_free(blocks[i]));
    }
    CHECK_STATUS(hsa_amd_memory_pool_free(blocks[0]), HSA_STATUS_ERROR_INVALID_ALLOCATION);  // freed twice
    int local;
    CHECK_STATUS(hsa_memory_free(&local), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    OK(hsa_agent_get_info(gpu(), avail, &during));
    CHECK(before == during);
    // Reused memory is clean.
    auto* fresh = allocate<int>(device_pool(), 100);
    CHECK(fresh[0] == 0 && fresh[99] == 0);
    OK(hsa_memory_free(fresh));
}

static void pointers() {
    auto* p = allocate<char>(device_pool(), 10000);
    hsa_amd_pointer_info_t info{};
    info.size = sizeof info;
    std::uint32_t count = 0;
    hsa_agent_t* accessible = nullptr;
    OK(hsa_amd_pointer_info(p + 5000, &info, std::malloc, &count, &accessible));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_HSA && info.agentBaseAddress == p && info.sizeInBytes == 10000);
    CHECK(info.agentOwner.handle == gpu().handle &&
          info.global_flags == HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
    CHECK(count == 1 && accessible[0].handle == gpu().handle);
    std::free(accessible);
    hsa_agent_t both[2] = {cpu(), gpu()};
    OK(hsa_amd_agents_allow_access(2, both, nullptr, p));
    OK(hsa_amd_pointer_info(p, &info, std::malloc, &count, &accessible));
    CHECK(count == 2);
    std::free(accessible);
    OK(hsa_amd_pointer_info_set_userdata(p, &info));
    OK(hsa_amd_pointer_info(p, &info, nullptr, nullptr, nullptr));
    CHECK(info.userData == &info);
    int local;
    OK(hsa_amd_pointer_info(&local, &info, nullptr, nullptr, nullptr));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_UNKNOWN);
    CHECK_STATUS(hsa_amd_agents_allow_access(2, both, nullptr, &local), HSA_STATUS_ERROR);
    // A caller that knows an older, shorter struct gets no more than that.
    struct {
        hsa_amd_pointer_info_t info;
        char canary[8];
    } small;
    std::memset(&small, 0x55, sizeof small);
    small.info.size = 8;
    OK(hsa_amd_pointer_info(p, &small.info, nullptr, nullptr, nullptr));
    CHECK(small.info.size == 8 && small.info.type == HSA_EXT_POINTER_TYPE_HSA);
    CHECK(reinterpret_cast<char*>(&small.info.agentBaseAddress)[0] == 0x55);
    // Notices of deallocation.
    static int notices = 0;
    const auto notice = [](void* pointer, void* data) {
        CHECK(pointer == data);
        ++notices;
    };
    OK(hsa_amd_register_deallocation_callback(p, notice, p));
    OK(hsa_amd_register_deallocation_callback(p + 1024, notice, p + 1024));
    OK(hsa_amd_register_deallocation_callback(
        p,
        [](void* pointer, void*) {
            CHECK_STATUS(hsa_amd_memory_pool_free(pointer), HSA_STATUS_ERROR_INVALID_ALLOCATION);  // a second time
            hsa_amd_memory_pool_free(allocate<char>(device_pool(), 100));
        },
        nullptr));
    CHECK_STATUS(hsa_amd_register_deallocation_callback(&local, notice, p), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    OK(hsa_amd_memory_pool_free(p));
    CHECK(notices == 2);
    p = allocate<char>(device_pool(), 100);
    OK(hsa_amd_register_deallocation_callback(p, notice, p));
    OK(hsa_amd_deregister_deallocation_callback(p, notice));
    CHECK_STATUS(hsa_amd_deregister_deallocation_callback(p, notice), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    OK(hsa_amd_memory_pool_free(p));
    CHECK(notices == 2);
}

// Memory of the runtime cannot be freed from under it.
static void memory_in_use() {
    static std::uint64_t told = 0;
    OK(hsa_amd_register_system_event_handler(
        [](const hsa_amd_event_t* event, void*) {
            if (event->event_type == HSA_AMD_GPU_MEMORY_ERROR_EVENT &&
                event->memory_error.error_reason_mask == HSA_AMD_MEMORY_ERROR_MEMORY_IN_USE)
                told = event->memory_error.virtual_address;
            return HSA_STATUS_SUCCESS;
        },
        nullptr));
    hsa_queue_t* queue = make_queue(gpu());
    CHECK_STATUS(hsa_memory_free(queue->base_address), HSA_STATUS_ERROR_RESOURCE_FREE);
    CHECK(told == reinterpret_cast<std::uint64_t>(queue->base_address));
    OK(hsa_queue_destroy(queue));
}

static void host_memory() {
    auto* p = static_cast<char*>(std::malloc(100000));
    void* locked = nullptr;
    hsa_agent_t agent = gpu();
    OK(hsa_amd_memory_lock(p + 10, 50000, &agent, 1, &locked));
    CHECK(locked == p + 10);
    hsa_amd_pointer_info_t info{};
    info.size = sizeof info;
    OK(hsa_amd_pointer_info(p + 100, &info, nullptr, nullptr, nullptr));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_LOCKED && info.hostBaseAddress == p + 10 && info.sizeInBytes == 50000);
    void* again = nullptr;
    OK(hsa_amd_memory_lock(p + 20000, 60000, nullptr, 0, &again));  // overlaps
    OK(hsa_amd_memory_unlock(p + 10));
    OK(hsa_amd_memory_unlock(p + 20000));
    CHECK_STATUS(hsa_amd_memory_unlock(p + 10), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(hsa_amd_memory_lock(p, 0, nullptr, 0, &locked), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(hsa_amd_memory_lock(reinterpret_cast<void*>(0x10000), 4096, nullptr, 0, &locked),
                 HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    std::free(p);
}

static void copies() {
    constexpr std::size_t kCount = 100000;
    auto* a = allocate<int>(device_pool(), kCount);
    auto* b = allocate<int>(device_pool(), kCount);
    std::iota(a, a + kCount, 0);
    OK(hsa_memory_copy(b, a, kCount * sizeof(int)));
    CHECK(std::memcmp(a, b, kCount * sizeof(int)) == 0);
    OK(hsa_amd_memory_fill(b, 0xdeadbeef, kCount));
    CHECK(static_cast<unsigned>(b[0]) == 0xdeadbeef && static_cast<unsigned>(b[kCount - 1]) == 0xdeadbeef);
    CHECK_STATUS(hsa_amd_memory_fill(reinterpret_cast<char*>(b) + 1, 0, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    // Asynchronous, after a signal; a second copy waits for the first.
    OK(hsa_amd_profiling_async_copy_enable(true));
    const hsa_signal_t gate = make_signal(1), first = make_signal(1), second = make_signal(1);
    auto* c = allocate<int>(kernarg_pool(), kCount);
    OK(hsa_amd_memory_async_copy(c, cpu(), b, gpu(), kCount * sizeof(int), 1, &first, second));
    OK(hsa_amd_memory_async_copy(b, gpu(), a, gpu(), kCount * sizeof(int), 1, &gate, first));
    CHECK(hsa_signal_wait_scacquire(first, HSA_SIGNAL_CONDITION_EQ, 0, 5'000'000, HSA_WAIT_STATE_BLOCKED) == 1);
    hsa_signal_store_screlease(gate, 0);
    wait_for(second, 0);
    CHECK(std::memcmp(a, c, kCount * sizeof(int)) == 0);
    hsa_amd_profiling_async_copy_time_t time{};
    OK(hsa_amd_profiling_get_async_copy_time(second, &time));
    CHECK(time.end > time.start && time.start > 0);
    CHECK_STATUS(hsa_amd_profiling_get_async_copy_time(gate, &time), HSA_STATUS_ERROR);
    CHECK_STATUS(hsa_amd_memory_async_copy(b, gpu(), a, gpu(), 4, 0, nullptr, {0}), HSA_STATUS_ERROR_INVALID_SIGNAL);
    CHECK_STATUS(hsa_amd_memory_async_copy(b, gpu(), a, gpu(), 4, 1, nullptr, first),
                 HSA_STATUS_ERROR_INVALID_ARGUMENT);
    // A copy from nowhere fails in its signal and leaves the process alone.
    hsa_signal_store_relaxed(first, 1);
    OK(hsa_amd_memory_async_copy(b, gpu(), reinterpret_cast<void*>(0x10000), cpu(), 64, 0, nullptr, first));
    CHECK(hsa_signal_wait_scacquire(first, HSA_SIGNAL_CONDITION_LT, 1, ~0ull, HSA_WAIT_STATE_BLOCKED) < 0);
    // On an engine, and rectangles.
    std::uint32_t engines = 0;
    OK(hsa_amd_memory_copy_engine_status(gpu(), cpu(), &engines));
    CHECK(engines & HSA_AMD_SDMA_ENGINE_0);
    hsa_signal_store_relaxed(first, 1);
    OK(hsa_amd_memory_async_copy_on_engine(c, cpu(), a + 7, gpu(), 4, 0, nullptr, first, HSA_AMD_SDMA_ENGINE_0, false));
    wait_for(first, 0);
    CHECK(c[0] == 7);
    std::memset(c, 0, 64 * 64 * sizeof(int));
    const hsa_pitched_ptr_t from{a, 100 * sizeof(int), 10000 * sizeof(int)},
        to{c, 64 * sizeof(int), 1024 * sizeof(int)};
    const hsa_dim3_t from_offset{8, 2, 1}, to_offset{4, 1, 0}, range{16, 3, 2};
    hsa_signal_store_relaxed(first, 1);
    OK(hsa_amd_memory_async_copy_rect(&to, &to_offset, &from, &from_offset, &range, gpu(), hsaDeviceToHost, 0, nullptr,
                                      first));
    wait_for(first, 0);
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 4; ++x)
                CHECK(c[z * 1024 + (y + 1) * 64 + x + 1] == a[(z + 1) * 10000 + (y + 2) * 100 + x + 2]);
    CHECK(c[0] == 0 && c[64] == 0 && c[64 + 5] == 0);
}

static int attach_in_child(int fd) {
    struct {
        hsa_amd_ipc_memory_t handle;
    } message;
    CHECK(read(fd, &message, sizeof message) == sizeof message);
    OK(hsa_init());
    void* p = nullptr;
    CHECK_STATUS(hsa_amd_ipc_memory_attach(&message.handle, 12345, 0, nullptr, &p), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    OK(hsa_amd_ipc_memory_attach(&message.handle, 8192, 0, nullptr, &p));
    auto* words = static_cast<int*>(p);
    CHECK(words[0] == 42);
    words[1] = 43;
    hsa_amd_pointer_info_t info{};
    info.size = sizeof info;
    OK(hsa_amd_pointer_info(p, &info, nullptr, nullptr, nullptr));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_IPC);
    OK(hsa_amd_ipc_memory_detach(p));
    CHECK_STATUS(hsa_amd_ipc_memory_detach(p), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    OK(hsa_shut_down());
    return 0;
}

static void between_processes(int fd, pid_t pid) {
    auto* p = allocate<int>(device_pool(), 2048);
    p[0] = 42;
    hsa_amd_ipc_memory_t handle;
    OK(hsa_amd_ipc_memory_create(p, 8192, &handle));
    CHECK(p[0] == 42);
    CHECK(write(fd, &handle, sizeof handle) == sizeof handle);
    int status = 0;
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    CHECK(p[1] == 43);
    OK(hsa_amd_memory_pool_free(p));
    auto* again = allocate<int>(device_pool(), 2048);  // the same place, private again
    CHECK(again == p && again[0] == 0);
}

int main() {
    int pipes[2];
    CHECK(pipe(pipes) == 0);
    const pid_t pid = fork();
    if (pid == 0) return attach_in_child(pipes[0]);
    OK(hsa_init());
    allocation();
    pointers();
    memory_in_use();
    host_memory();
    copies();
    between_processes(pipes[1], pid);
    OK(hsa_shut_down());
}
