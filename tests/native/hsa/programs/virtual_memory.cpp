// Reserved addresses, memory by handle, mappings, access. Argument: the code object.
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csetjmp>
#include <csignal>

#include "harness.h"

static constexpr std::size_t kSize = 2 << 20;

static void* reserve(std::size_t size, std::uint64_t address = 0) {
    void* va = nullptr;
    OK(hsa_amd_vmem_address_reserve(&va, size, address, 0));
    return va;
}

static hsa_amd_vmem_alloc_handle_t create(std::size_t size = kSize) {
    hsa_amd_vmem_alloc_handle_t handle{};
    OK(hsa_amd_vmem_handle_create(device_pool(), size, MEMORY_TYPE_NONE, 0, &handle));
    return handle;
}

static void allow(void* va, std::size_t size, hsa_access_permission_t permission = HSA_ACCESS_PERMISSION_RW) {
    const hsa_amd_memory_access_desc_t list[2] = {{permission, gpu()}, {HSA_ACCESS_PERMISSION_RW, cpu()}};
    OK(hsa_amd_vmem_set_access(va, size, list, 2));
}

static void exact_addresses() {
    // A place that is free, found by asking the kernel; taken and given back repeatedly.
    void* probe = mmap(nullptr, 4 * kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    munmap(probe, 4 * kSize);
    const auto address = reinterpret_cast<std::uint64_t>(probe);
    for (int i = 0; i < 3; ++i) {
        CHECK(reserve(kSize, address) == probe);
        OK(hsa_amd_vmem_address_free(probe, kSize));
    }
    // A place inside memory that the runtime had and gave back: what a replay in a like process asks for.
    auto* old = allocate<char>(device_pool(), kSize);
    OK(hsa_amd_memory_pool_free(old));
    CHECK(reserve(kSize, reinterpret_cast<std::uint64_t>(old)) == old);
    auto* next = allocate<char>(device_pool(), kSize);
    CHECK(next != old);
    OK(hsa_amd_vmem_address_free(old, kSize));
    OK(hsa_amd_memory_pool_free(next));
    // A place that is taken: another one is given.
    auto* taken = allocate<char>(device_pool(), kSize);
    void* elsewhere = reserve(kSize, reinterpret_cast<std::uint64_t>(taken));
    CHECK(elsewhere != taken);
    OK(hsa_amd_vmem_address_free(elsewhere, kSize));
    OK(hsa_amd_memory_pool_free(taken));
    // Steering: what the program holds is left alone by the runtime, and can be reserved once it lets go.
    void* aligned = nullptr;
    OK(hsa_amd_vmem_address_reserve_align(&aligned, kSize, 0, 1ull << 30, 0));
    CHECK(reinterpret_cast<std::uint64_t>(aligned) % (1ull << 30) == 0);
    OK(hsa_amd_vmem_address_free(aligned, kSize));
    void* va = nullptr;
    CHECK_STATUS(hsa_amd_vmem_address_reserve(&va, 0, 0, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(hsa_amd_vmem_address_reserve(&va, ~std::size_t{0}, 0, 0), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    // Sizes are of any number of bytes, and whole pages are given; places are of whole pages, too.
    va = reserve(100, address + 100);
    CHECK(reinterpret_cast<std::uint64_t>(va) % 4096 == 0);
    CHECK(reserve(4096, reinterpret_cast<std::uint64_t>(va)) != va);
    CHECK_STATUS(hsa_amd_vmem_address_free(va, 4096), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    OK(hsa_amd_vmem_address_free(va, 100));
    va = reserve(kSize + 100);
    const auto handle = create(4096);
    OK(hsa_amd_vmem_map(static_cast<char*>(va) + kSize, 4096, 0, handle, 0));  // the page that is asked for in part
    CHECK_STATUS(hsa_amd_vmem_address_free(va, kSize + 100), HSA_STATUS_ERROR_RESOURCE_FREE);
    OK(hsa_amd_vmem_unmap(static_cast<char*>(va) + kSize, 4096));
    OK(hsa_amd_vmem_address_free(va, kSize + 100));
    OK(hsa_amd_vmem_handle_release(handle));
    CHECK_STATUS(hsa_amd_vmem_address_free(&va, 4096), HSA_STATUS_ERROR_INVALID_ALLOCATION);
}

static void aliasing(const Module& module) {
    auto* va = static_cast<char*>(reserve(4 * kSize));
    hsa_amd_pointer_info_t info{};
    info.size = sizeof info;
    OK(hsa_amd_pointer_info(va + 5, &info, nullptr, nullptr, nullptr));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_RESERVED_ADDR && info.sizeInBytes == 4 * kSize);
    const auto handle = create();
    OK(hsa_amd_vmem_map(va, kSize, 0, handle, 0));
    OK(hsa_amd_vmem_map(va + 2 * kSize, kSize, 0, handle, 0));
    allow(va, kSize);
    allow(va + 2 * kSize, kSize);
    OK(hsa_amd_pointer_info(va + 5, &info, nullptr, nullptr, nullptr));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_HSA_VMEM && info.agentBaseAddress == va && info.sizeInBytes == kSize);
    va[1000] = 42;
    CHECK(va[2 * kSize + 1000] == 42);  // one memory, two addresses
    hsa_queue_t* queue = make_queue(gpu());
    run(queue, module.kernel("add_one"), Arguments(reinterpret_cast<int*>(va), 64u), 64, 64);
    CHECK(*reinterpret_cast<int*>(va + 2 * kSize) == 1);
    // Half of a handle. The offset changes nothing, as with ROCr: it is the first half.
    OK(hsa_amd_vmem_map(va + kSize, kSize / 2, kSize / 2, handle, 0));
    allow(va + kSize, kSize / 2);
    va[0] = 9;
    va[kSize / 2] = 8;
    CHECK(va[kSize] == 9);
    CHECK_STATUS(hsa_amd_vmem_map(va + kSize, kSize, 0, handle, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);  // overlaps
    const auto small = create(kSize / 2);
    CHECK_STATUS(hsa_amd_vmem_map(va + 3 * kSize, kSize, 0, small, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);  // beyond
    OK(hsa_amd_vmem_handle_release(small));
    CHECK_STATUS(hsa_amd_vmem_map(va + 3 * kSize, kSize, 0, small, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);  // gone
    CHECK_STATUS(hsa_amd_vmem_address_free(va, 4 * kSize), HSA_STATUS_ERROR_RESOURCE_FREE);  // in use
    // The handle may go while mappings last, and can be had back from an address.
    OK(hsa_amd_vmem_handle_release(handle));
    CHECK(va[1000] == 42);
    hsa_amd_vmem_alloc_handle_t again{};
    OK(hsa_amd_vmem_retain_alloc_handle(&again, va + 50));
    hsa_amd_memory_pool_t pool_of{};
    hsa_amd_memory_type_t type{};
    OK(hsa_amd_vmem_get_alloc_properties_from_handle(again, &pool_of, &type));
    CHECK(pool_of.handle == device_pool().handle && type == MEMORY_TYPE_NONE);
    OK(hsa_amd_vmem_handle_release(again));
    CHECK_STATUS(hsa_amd_vmem_unmap(va, kSize / 2), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    OK(hsa_amd_vmem_unmap(va, kSize));
    CHECK(va[2 * kSize + 1000] == 42);
    OK(hsa_amd_vmem_unmap(va + kSize, kSize / 2));
    OK(hsa_amd_vmem_unmap(va + 2 * kSize, kSize));
    CHECK_STATUS(hsa_amd_vmem_unmap(va, kSize), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    OK(hsa_amd_vmem_address_free(va, 4 * kSize));
    OK(hsa_queue_destroy(queue));
}

static std::atomic<int> queue_error{0};

static int run_status(const Module& module, void* p) {
    queue_error = 0;
    hsa_queue_t* queue = make_queue(gpu(), 64, [](hsa_status_t status, hsa_queue_t*, void*) { queue_error = status; });
    const hsa_signal_t done = make_signal(1);
    const Arguments arguments(static_cast<int*>(p), 64u);
    submit(queue, kernel_packet(module.kernel("add_one"), arguments.get(), 64, 64, done), kKernelHead);
    while (queue_error == 0 && hsa_signal_load_relaxed(done) != 0) usleep(200);
    OK(hsa_queue_destroy(queue));
    return queue_error;
}

static void access_is_enforced(const Module& module) {
    OK(hsa_amd_register_system_event_handler([](const hsa_amd_event_t*, void*) { return HSA_STATUS_SUCCESS; },
                                             nullptr));
    void* va = reserve(kSize);
    const auto handle = create();
    CHECK(run_status(module, va) == HSA_STATUS_ERROR_MEMORY_FAULT);  // reserved only
    hsa_access_permission_t none{};
    CHECK_STATUS(hsa_amd_vmem_get_access(va, &none, gpu()), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    OK(hsa_amd_vmem_map(va, kSize, 0, handle, 0));
    CHECK(run_status(module, va) == HSA_STATUS_ERROR_MEMORY_FAULT);  // mapped, but not for the GPU
    hsa_access_permission_t permission = HSA_ACCESS_PERMISSION_RW;
    OK(hsa_amd_vmem_get_access(va, &permission, gpu()));
    CHECK(permission == HSA_ACCESS_PERMISSION_NONE);
    allow(va, kSize, HSA_ACCESS_PERMISSION_RO);
    CHECK(run_status(module, va) == HSA_STATUS_ERROR_MEMORY_FAULT);  // the kernel writes
    allow(va, kSize);
    OK(hsa_amd_vmem_get_access(va, &permission, gpu()));
    CHECK(permission == HSA_ACCESS_PERMISSION_RW);
    CHECK(run_status(module, va) == 0);
    allow(va, kSize, HSA_ACCESS_PERMISSION_NONE);
    CHECK(run_status(module, va) == HSA_STATUS_ERROR_MEMORY_FAULT);
    OK(hsa_amd_vmem_unmap(va, kSize));
    CHECK(run_status(module, va) == HSA_STATUS_ERROR_MEMORY_FAULT);
    OK(hsa_amd_vmem_handle_release(handle));
    OK(hsa_amd_vmem_address_free(va, kSize));
    const hsa_amd_memory_access_desc_t bad{HSA_ACCESS_PERMISSION_RW, {99}};
    CHECK_STATUS(hsa_amd_vmem_set_access(va, kSize, &bad, 1), HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_STATUS(hsa_amd_vmem_handle_release(handle), HSA_STATUS_ERROR_INVALID_ALLOCATION);
}

// What the host may do at an address, asked of the system: it copies, or says that it cannot.
static bool readable(const void* at) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    const bool can = write(ends[1], at, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return can;
}

static bool writable(void* at) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], "x", 1) == 1);
    const bool can = read(ends[0], at, 1) == 1;
    close(ends[0]);
    close(ends[1]);
    return can;
}

static hsa_signal_value_t copy(void* to, hsa_agent_t to_agent, const void* from, hsa_agent_t from_agent,
                               std::size_t size) {
    const hsa_signal_t done = make_signal(1);
    OK(hsa_amd_memory_async_copy(to, to_agent, from, from_agent, size, 0, nullptr, done));
    const auto value =
        hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, ~std::uint64_t{0}, HSA_WAIT_STATE_BLOCKED);
    OK(hsa_signal_destroy(done));
    return value;
}

static sigjmp_buf before_fault;

static bool segmentation_fault(void (*act)(char*), char* va) {
    struct sigaction caught{}, usual{};
    caught.sa_handler = [](int) { siglongjmp(before_fault, 1); };
    CHECK(sigaction(SIGSEGV, &caught, &usual) == 0);
    const bool faulted = sigsetjmp(before_fault, 1);
    if (!faulted) act(va);
    CHECK(sigaction(SIGSEGV, &usual, nullptr) == 0);
    return faulted;
}

// The host sees of a mapping what it was given access to; the GPU and its copies see theirs.
static void host_access(const Module& module) {
    auto* va = static_cast<char*>(reserve(3 * kSize));
    CHECK(!readable(va));
    const auto one = create(), two = create();
    OK(hsa_amd_vmem_map(va, kSize, 0, one, 0));
    OK(hsa_amd_vmem_map(va + kSize, kSize, 0, two, 0));
    CHECK(!readable(va));
    auto* staging = allocate<int>(kernarg_pool(), 4096);
    staging[0] = 41;
    CHECK(copy(va, gpu(), staging, cpu(), 4) < 0);  // mapped, but not for the GPU
    const hsa_amd_memory_access_desc_t list{HSA_ACCESS_PERMISSION_RW, gpu()};
    OK(hsa_amd_vmem_set_access(va, 2 * kSize, &list, 1));
    CHECK(!readable(va) && !writable(va));
    // Across the border of two mappings.
    auto* words = reinterpret_cast<int*>(va + kSize) - 32;
    for (int i = 0; i < 64; ++i) staging[i] = 100 + i;
    CHECK(copy(words, gpu(), staging, cpu(), 256) == 0);
    hsa_queue_t* queue = make_queue(gpu());
    run(queue, module.kernel("add_one"), Arguments(words, 64u), 64, 64);
    CHECK(copy(staging + 64, cpu(), words, gpu(), 256) == 0);
    for (int i = 0; i < 64; ++i) CHECK(staging[64 + i] == 101 + i);
    // These two take such memory for the host's.
    CHECK(segmentation_fault([](char* at) { char byte; hsa_memory_copy(&byte, at, 1); }, va));
    CHECK(segmentation_fault([](char* at) { hsa_amd_memory_fill(at, 0, 1); }, va));
    // Access of the host comes and goes.
    const auto host_may = [&](hsa_access_permission_t permission) {
        const hsa_amd_memory_access_desc_t access{permission, cpu()};
        OK(hsa_amd_vmem_set_access(va + kSize, kSize, &access, 1));
    };
    host_may(HSA_ACCESS_PERMISSION_RO);
    CHECK(readable(va + kSize) && !writable(va + kSize) && !readable(va));
    CHECK(reinterpret_cast<int*>(va + kSize)[0] == 101 + 32);
    host_may(HSA_ACCESS_PERMISSION_RW);
    reinterpret_cast<int*>(va + kSize)[0] = 7;
    CHECK(copy(staging, cpu(), va + kSize, gpu(), 4) == 0 && staging[0] == 7);
    host_may(HSA_ACCESS_PERMISSION_NONE);
    CHECK(!readable(va + kSize));
    OK(hsa_amd_vmem_unmap(va + kSize, kSize));
    OK(hsa_amd_vmem_unmap(va, kSize));
    CHECK(!readable(va) && copy(va, gpu(), staging, cpu(), 4) < 0);
    OK(hsa_amd_vmem_address_free(va, 3 * kSize));
    // Addresses that are not registered are ordinary memory of the host.
    void* bare = nullptr;
    OK(hsa_amd_vmem_address_reserve(&bare, kSize, 0, HSA_AMD_VMEM_ADDRESS_NO_REGISTER));
    CHECK(readable(bare) && writable(bare));
    OK(hsa_amd_vmem_address_free(bare, kSize));
    OK(hsa_amd_vmem_handle_release(one));
    OK(hsa_amd_vmem_handle_release(two));
    OK(hsa_queue_destroy(queue));
    OK(hsa_amd_memory_pool_free(staging));
}

// The descriptor of a handle can travel; here the child inherits it.
static void sharing() {
    void* va = reserve(kSize);
    const auto handle = create();
    OK(hsa_amd_vmem_map(va, kSize, 0, handle, 0));
    allow(va, kSize);
    int fd = -1;
    OK(hsa_amd_vmem_export_shareable_handle(&fd, handle, 0));
    CHECK(fd >= 0);
    static_cast<int*>(va)[0] = 5;
    const pid_t pid = fork();
    if (pid == 0) {
        OK(hsa_init());  // a runtime of its own
        hsa_amd_vmem_alloc_handle_t imported{};
        OK(hsa_amd_vmem_import_shareable_handle(fd, &imported));
        void* mine = reserve(kSize);
        OK(hsa_amd_vmem_map(mine, kSize, 0, imported, 0));
        allow(mine, kSize);
        CHECK(static_cast<int*>(mine)[0] == 5);
        static_cast<int*>(mine)[1] = 6;
        hsa_amd_memory_pool_t pool_of{};
        hsa_amd_memory_type_t type{};
        OK(hsa_amd_vmem_get_alloc_properties_from_handle(imported, &pool_of, &type));
        CHECK(pool_of.handle == device_pool().handle);
        OK(hsa_shut_down());
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    CHECK(static_cast<int*>(va)[1] == 6);
    hsa_amd_vmem_alloc_handle_t bad{};
    CHECK_STATUS(hsa_amd_vmem_import_shareable_handle(0, &bad), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    close(fd);
}

int main(int, char** argv) {
    // Addresses that the program holds while the runtime opens stay free of it.
    void* held = mmap(reinterpret_cast<void*>(0x2100'0000'0000), 1 << 30, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    CHECK(held != MAP_FAILED);
    OK(hsa_init());
    const Module module(argv[1], gpu());
    munmap(held, 1 << 30);
    CHECK(reserve(1 << 30, reinterpret_cast<std::uint64_t>(held)) == held);
    OK(hsa_amd_vmem_address_free(held, 1 << 30));
    exact_addresses();
    aliasing(module);
    access_is_enforced(module);
    host_access(module);
    sharing();
    OK(hsa_shut_down());
}
