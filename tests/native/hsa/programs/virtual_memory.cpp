// Reserved addresses, memory by handle, mappings, access. Argument: the code object.
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

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
    // Half of a handle at an offset.
    OK(hsa_amd_vmem_map(va + kSize, kSize / 2, kSize / 2, handle, 0));
    allow(va + kSize, kSize / 2);
    va[kSize / 2] = 9;
    CHECK(va[kSize] == 9);
    CHECK_STATUS(hsa_amd_vmem_map(va + kSize, kSize, 0, handle, 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);  // overlaps
    CHECK_STATUS(hsa_amd_vmem_map(va + 3 * kSize, kSize, kSize, handle, 0),
                 HSA_STATUS_ERROR_INVALID_ARGUMENT);                                         // beyond
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
    sharing();
    OK(hsa_shut_down());
}
