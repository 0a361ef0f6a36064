// A raw HSA client. First argument: code object; second: what to do.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "harness.h"

static const std::uint32_t kBarrierHead = header(HSA_PACKET_TYPE_BARRIER_AND, true);
static const std::uint32_t kOrderedKernel = header(HSA_PACKET_TYPE_KERNEL_DISPATCH, true) | (1u << 16);

// Several kernels on one array, with one ring of the doorbell.
static void batch(const Module& module) {
    hsa_queue_t* queue = make_queue(gpu());
    int* p = allocate<int>(device_pool(), 64);
    std::memset(p, 0, 256);
    const Arguments arguments(p, 64u);
    const hsa_signal_t done = make_signal(5);
    const std::uint64_t first = hsa_queue_add_write_index_scacq_screl(queue, 5);
    for (std::uint64_t i = 0; i < 5; ++i) {
        auto packet = kernel_packet(module.kernel("add_one"), arguments.get(), 64, 64, done);
        char* slot = static_cast<char*>(queue->base_address) + (first + i) * 64;
        std::memcpy(slot + 4, reinterpret_cast<char*>(&packet) + 4, 60);
        __atomic_store_n(reinterpret_cast<std::uint32_t*>(slot), kOrderedKernel, __ATOMIC_RELEASE);
    }
    hsa_signal_store_screlease(queue->doorbell_signal, first + 4);
    wait_for(done, 0);
    std::printf("%d %d\n", p[0], p[63]);
}

// A queue with a single producer that stores its write index; another that runs a kernel until a flag is set.
static void single(const Module& module) {
    hsa_queue_t *one = nullptr, *two = make_queue(gpu());
    OK(hsa_queue_create(gpu(), 64, HSA_QUEUE_TYPE_SINGLE, nullptr, nullptr, UINT32_MAX, UINT32_MAX, &one));
    int* p = allocate<int>(device_pool(), 64);
    std::memset(p, 0, 256);
    const Arguments arguments(p, 64u);
    const hsa_signal_t done = make_signal(8);
    for (std::uint64_t i = 0; i < 8; ++i) {
        const std::uint64_t index = hsa_queue_load_write_index_relaxed(one);
        auto packet = kernel_packet(module.kernel("add_one"), arguments.get(), 64, 64, done);
        char* slot = static_cast<char*>(one->base_address) + index % 64 * 64;
        std::memcpy(slot + 4, reinterpret_cast<char*>(&packet) + 4, 60);
        __atomic_store_n(reinterpret_cast<std::uint32_t*>(slot), kOrderedKernel, __ATOMIC_RELEASE);
        hsa_queue_store_write_index_relaxed(one, index + 1);
        hsa_signal_store_screlease(one->doorbell_signal, index);
    }
    int* q = allocate<int>(device_pool(), 1);
    const Arguments set(q, 42);
    run(two, module.kernel("set_word"), set, 1, 1);
    wait_for(done, 0);
    std::printf("%d %d\n", p[0], *q);
}

// A second queue stands at a barrier that the host opens after the captured kernel; a copy waits for the same.
static void held(const Module& module) {
    hsa_queue_t *one = make_queue(gpu()), *two = make_queue(gpu());
    int* p = allocate<int>(device_pool(), 64);
    int* copied = allocate<int>(device_pool(), 64);
    std::memset(p, 0, 256);
    std::memset(copied, 0, 256);
    const Arguments arguments(p, 64u), set(p + 1, 42);
    const hsa_signal_t opened = make_signal(1), done = make_signal(1), copy_done = make_signal(1);
    hsa_barrier_and_packet_t barrier{};
    barrier.dep_signal[0] = opened;
    submit(two, barrier, kBarrierHead);
    submit(two, kernel_packet(module.kernel("add_one"), arguments.get(), 64, 64, done), kOrderedKernel);
    OK(hsa_amd_memory_async_copy(copied, gpu(), p, gpu(), 256, 1, &opened, copy_done));
    run(one, module.kernel("set_word"), set, 1, 1);  // captured: p[1] = 42
    hsa_signal_store_screlease(opened, 0);
    wait_for(done, 0);
    wait_for(copy_done, 0);
    std::printf("%d %d %d\n", p[0], p[1], copied[1] >= 42);
}

// The captured kernel itself stands behind a barrier that its own thread opens afterwards.
static void behind(const Module& module) {
    hsa_queue_t* queue = make_queue(gpu());
    int* p = allocate<int>(device_pool(), 64);
    std::memset(p, 0, 256);
    const Arguments arguments(p, 64u);
    const hsa_signal_t opened = make_signal(1), done = make_signal(1);
    hsa_barrier_and_packet_t barrier{};
    barrier.dep_signal[0] = opened;
    submit(queue, barrier, kBarrierHead);
    submit(queue, kernel_packet(module.kernel("add_one"), arguments.get(), 64, 64, done), kOrderedKernel);
    hsa_signal_store_screlease(opened, 0);
    wait_for(done, 0);
    std::printf("%d\n", p[0]);
}

// Another queue runs a kernel that ends only when the captured one is over: there is no rest.
static void restless(const Module& module) {
    hsa_queue_t *one = make_queue(gpu()), *two = make_queue(gpu());
    int* flag = allocate<int>(kernarg_pool(), 16);
    int* p = allocate<int>(device_pool(), 64);
    std::memset(flag, 0, 64);
    std::memset(p, 0, 256);
    const Arguments spin(flag, flag + 8), arguments(p, 64u);
    const hsa_signal_t done = make_signal(1);
    submit(two, kernel_packet(module.kernel("spin_until"), spin.get(), 1, 1, done), kKernelHead);
    run(one, module.kernel("add_one"), arguments, 64, 64);
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    wait_for(done, 0);
    std::printf("%d %d\n", p[0], flag[8]);
}

// One signal for everything, set anew each time; times are asked for afterwards.
static void one_signal(const Module& module) {
    hsa_queue_t* queue = make_queue(gpu());
    OK(hsa_amd_profiling_set_profiler_enabled(queue, 1));
    int* p = allocate<int>(device_pool(), 64);
    int* host = allocate<int>(kernarg_pool(), 64);
    std::memset(host, 0, 256);
    const Arguments arguments(p, 64u);
    const hsa_signal_t signal = make_signal(1);
    OK(hsa_amd_memory_async_copy(p, gpu(), host, cpu(), 256, 0, nullptr, signal));
    wait_for(signal, 0);
    std::uint64_t last = 0;
    bool ordered = true;
    for (int i = 0; i < 3; ++i) {
        hsa_signal_store_relaxed(signal, 1);
        submit(queue, kernel_packet(module.kernel("add_one"), arguments.get(), 64, 64, signal), kKernelHead);
        wait_for(signal, 0);
        hsa_amd_profiling_dispatch_time_t time{};
        OK(hsa_amd_profiling_get_dispatch_time(gpu(), signal, &time));
        // Each time is that of its own dispatch, and no kernel of this size takes a millisecond.
        ordered &= time.start > last && time.end > time.start && time.end - time.start < 1'000'000;
        last = time.end;
    }
    std::printf("%d %s\n", p[0], ordered ? "ordered" : "not ordered");
}

// Copies that count one signal down, which is then set anew in ways other than storing.
static void counted_copies(const Module& module) {
    hsa_queue_t* queue = make_queue(gpu());
    int* p = allocate<int>(device_pool(), 64);
    int* host = allocate<int>(kernarg_pool(), 64);
    std::memset(host, 0, 256);
    const Arguments arguments(p, 64u);
    const hsa_signal_t signal = make_signal(3);
    const auto copy = [&](int part) {
        OK(hsa_amd_memory_async_copy(p + 16 * part, gpu(), host, cpu(), 64, 0, nullptr, signal));
    };
    for (int i = 0; i < 3; ++i) copy(i);
    wait_for(signal, 0);
    hsa_signal_add_relaxed(signal, 1);
    copy(3);
    wait_for(signal, 0);
    hsa_signal_exchange_relaxed(signal, 1);
    submit(queue, kernel_packet(module.kernel("add_one"), arguments.get(), 64, 64, signal), kKernelHead);
    wait_for(signal, 0);
    hsa_signal_cas_relaxed(signal, 0, 1);
    submit(queue, kernel_packet(module.kernel("add_one"), arguments.get(), 64, 64, signal), kKernelHead);
    wait_for(signal, 0);
    std::printf("%d\n", p[63]);
}

// A kernel argument in memory that another process could have made.
static void imported(const Module& module, bool use_it) {
    hsa_queue_t* queue = make_queue(gpu());
    hsa_amd_vmem_alloc_handle_t handle{}, import{};
    void* base = nullptr;
    OK(hsa_amd_vmem_handle_create(device_pool(), 1 << 21, MEMORY_TYPE_NONE, 0, &handle));
    int descriptor = -1;
    OK(hsa_amd_vmem_export_shareable_handle(&descriptor, handle, 0));
    OK(hsa_amd_vmem_import_shareable_handle(descriptor, &import));
    OK(hsa_amd_vmem_address_reserve(&base, 1 << 21, 0, 0));
    OK(hsa_amd_vmem_map(base, 1 << 21, 0, import, 0));
    const hsa_amd_memory_access_desc_t access{HSA_ACCESS_PERMISSION_RW, gpu()};
    OK(hsa_amd_vmem_set_access(base, 1 << 21, &access, 1));
    int* own = allocate<int>(device_pool(), 64);
    std::memset(own, 0, 256);
    const Arguments arguments(use_it ? static_cast<int*>(base) : own, 64u);
    run(queue, module.kernel("add_one"), arguments, 64, 64);
    std::printf("done\n");
}

// A child process runs a kernel of the same name after the fork; only the parent captures.
static void forked(const Module& module) {
    hsa_queue_t* queue = make_queue(gpu());
    int* p = allocate<int>(device_pool(), 64);
    std::memset(p, 0, 256);
    const Arguments arguments(p, 64u);
    const pid_t child = fork();
    if (child == 0) _exit(0);
    run(queue, module.kernel("add_one"), arguments, 64, 64);
    std::printf("%d\n", p[0]);
}

// More packets of ours than the queue holds.
static void tiny(const Module& module) {
    hsa_queue_t* queue = make_queue(gpu(), 2);
    int* p = allocate<int>(device_pool(), 64);
    std::memset(p, 0, 256);
    const Arguments arguments(p, 64u);
    for (int i = 0; i < 6; ++i) run(queue, module.kernel("add_one"), arguments, 64, 64);
    OK(hsa_queue_destroy(queue));
    std::printf("%d\n", p[0]);
}

// Kernels that tell nobody of their end; a barrier does.
static void no_signal(const Module& module) {
    hsa_queue_t* queue = make_queue(gpu());
    int* p = allocate<int>(device_pool(), 64);
    std::memset(p, 0, 256);
    const Arguments arguments(p, 64u);
    const hsa_signal_t done = make_signal(1);
    for (int i = 0; i < 3; ++i)
        submit(queue, kernel_packet(module.kernel("add_one"), arguments.get(), 64, 64, {0}), kOrderedKernel);
    hsa_barrier_and_packet_t barrier{};
    barrier.completion_signal = done;
    submit(queue, barrier, kBarrierHead);
    wait_for(done, 0);
    std::printf("%d\n", p[0]);
}

// A queue that the runtime would share out.
static void counted(const Module& module) {
    hsa_queue_t* queue = nullptr;
    OK(hsa_amd_counted_queue_acquire(gpu(), HSA_QUEUE_TYPE_MULTI, HSA_AMD_QUEUE_PRIORITY_NORMAL, nullptr, nullptr, 0,
                                     &queue));
    int* p = allocate<int>(device_pool(), 64);
    std::memset(p, 0, 256);
    const Arguments arguments(p, 64u);
    run(queue, module.kernel("add_one"), arguments, 64, 64);
    OK(hsa_amd_counted_queue_release(queue));
    std::printf("%d\n", p[0]);
}

// Code that is loaded, run, unloaded and loaded again, from a file that is closed at once.
static void reloaded(const char* path) {
    int* p = allocate<int>(device_pool(), 64);
    std::memset(p, 0, 256);
    for (int round = 0; round < 3; ++round) {
        hsa_queue_t* queue = make_queue(gpu());
        hsa_code_object_reader_t reader{};
        hsa_executable_t executable{};
        const hsa_agent_t agent = gpu();
        const int file = open(path, O_RDONLY);
        OK(hsa_code_object_reader_create_from_file(file, &reader));
        OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &executable));
        OK(hsa_executable_load_agent_code_object(executable, agent, reader, nullptr, nullptr));
        OK(hsa_code_object_reader_destroy(reader));
        close(file);
        OK(hsa_executable_freeze(executable, nullptr));
        hsa_executable_symbol_t symbol{};
        std::uint64_t kernel = 0;
        OK(hsa_executable_get_symbol_by_name(executable, "add_one.kd", &agent, &symbol));
        OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel));
        const Arguments arguments(p, 64u);
        run(queue, kernel, arguments, 64, 64);
        OK(hsa_executable_destroy(executable));
        OK(hsa_queue_destroy(queue));
    }
    std::printf("%d\n", p[0]);
}

int main(int, char** argv) {
    OK(hsa_init());
    const std::string what = argv[2];
    {
        const Module module(argv[1], gpu());
        if (what == "batch") batch(module);
        if (what == "single") single(module);
        if (what == "held") held(module);
        if (what == "behind") behind(module);
        if (what == "restless") restless(module);
        if (what == "one_signal") one_signal(module);
        if (what == "imported") imported(module, true);
        if (what == "imported_unused") imported(module, false);
        if (what == "forked") forked(module);
        if (what == "tiny") tiny(module);
        if (what == "counted_copies") counted_copies(module);
        if (what == "no_signal") no_signal(module);
        if (what == "counted") counted(module);
        if (what == "reloaded") reloaded(argv[1]);
    }
    OK(hsa_shut_down());
    if (what == "forked") {  // and once more from the beginning
        OK(hsa_init());
        forked(Module(argv[1], gpu()));
        OK(hsa_shut_down());
    }
}
