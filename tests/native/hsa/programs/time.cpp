// Virtual time through the HSA API. Every figure is printed, so that runs can be compared.
#include <atomic>

#include "harness.h"

static hsa_queue_t* profiled_queue() {
    hsa_queue_t* queue = make_queue(gpu());
    OK(hsa_amd_profiling_set_profiler_enabled(queue, 1));
    return queue;
}

static std::uint64_t now() {
    std::uint64_t time;
    OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &time));
    return time;
}

static hsa_amd_profiling_dispatch_time_t time_of(hsa_signal_t signal) {
    hsa_amd_profiling_dispatch_time_t time;
    OK(hsa_amd_profiling_get_dispatch_time(gpu(), signal, &time));
    return time;
}

static void show(const char* name, hsa_signal_t signal) {
    const auto time = time_of(signal);
    std::printf("%s %llu %llu\n", name, static_cast<unsigned long long>(time.start),
                static_cast<unsigned long long>(time.end));
    CHECK(time.end > time.start);
}

static void launch(hsa_queue_t* queue, std::uint64_t kernel, const Arguments& arguments, std::uint32_t items,
                   hsa_signal_t completion) {
    const auto head = header(HSA_PACKET_TYPE_KERNEL_DISPATCH, true) | (1u << 16);
    submit(queue, kernel_packet(kernel, arguments.get(), items, 64, completion), head);
}

static void barrier(hsa_queue_t* queue, hsa_signal_t after) {
    hsa_barrier_and_packet_t packet{};
    packet.dep_signal[0] = after;
    submit(queue, packet, header(HSA_PACKET_TYPE_BARRIER_AND, true));
}

// Kernels that wait for each other; a host that looks at memory. How long that takes depends on the host.
static void kernels_that_wait(const Module& module, hsa_queue_t* first, hsa_queue_t* second) {
    int* words = allocate<int>(kernarg_pool(), 16);
    const Arguments waits(words, words + 1), sets(words, 1);
    words[0] = words[1] = 0;
    const hsa_signal_t a = make_signal(1), c = make_signal(1);
    launch(first, module.kernel("spin_until"), waits, 1, a);
    CHECK(hsa_signal_load_scacquire(a) == 1);
    launch(second, module.kernel("set_word"), sets, 1, c);
    while (__atomic_load_n(words + 1, __ATOMIC_ACQUIRE) == 0) {
    }
    wait_for(a, 0);
    wait_for(c, 0);
}

int main(int argc, char** argv) {
    OK(hsa_init());
    const Module module(argv[1], gpu());
    const std::uint64_t work = module.kernel("add_one");
    hsa_queue_t *first = profiled_queue(), *second = profiled_queue();
    constexpr std::uint32_t kMany = 1 << 18;
    int* numbers = allocate<int>(device_pool(), kMany);
    const Arguments arguments(numbers, kMany);

    // The clock goes on with calls alone.
    const std::uint64_t begin = now(), next = now();
    CHECK(next > begin && next - begin < 10'000);

    // In one queue one after the other, in two at the same time.
    hsa_signal_t a = make_signal(1), b = make_signal(1), c = make_signal(1);
    launch(first, work, arguments, kMany, a);
    launch(first, work, arguments, kMany, b);
    launch(second, work, arguments, kMany, c);
    wait_for(b, 0);
    wait_for(c, 0);
    show("a", a);
    show("b", b);
    show("c", c);
    CHECK(time_of(b).start >= time_of(a).end);
    CHECK(time_of(c).start < time_of(a).end);
    CHECK(now() >= time_of(b).end && now() >= time_of(c).end);

    // A barrier packet makes the second queue wait for the first.
    hsa_signal_store_relaxed(a, 1);
    hsa_signal_store_relaxed(c, 1);
    launch(first, work, arguments, kMany, a);
    barrier(second, a);
    launch(second, work, arguments, 64, c);
    long asked = 0;
    while (hsa_signal_load_scacquire(c) != 0) ++asked;
    std::printf("asked %ld\n", asked);
    show("after barrier", c);
    CHECK(time_of(c).start >= time_of(a).end);

    // A wait that ends before the kernel does: by virtual time, however long the kernel takes here.
    hsa_signal_store_relaxed(a, 1);
    launch(first, work, arguments, kMany, a);
    const std::uint64_t before = now();
    CHECK(hsa_signal_wait_scacquire(a, HSA_SIGNAL_CONDITION_LT, 1, 500, HSA_WAIT_STATE_BLOCKED) == 1);
    std::printf("waited %llu\n", static_cast<unsigned long long>(now() - before));
    CHECK(now() - before < 2000);
    wait_for(a, 0);

    // A handler runs after what it waits for, on a clock of its own.
    static std::atomic<std::uint64_t> handled{0};
    hsa_signal_store_relaxed(a, 1);
    OK(hsa_amd_signal_async_handler(
        a, HSA_SIGNAL_CONDITION_LT, 1,
        [](hsa_signal_value_t, void*) {
            handled = now();
            return false;
        },
        nullptr));
    launch(first, work, arguments, kMany, a);
    wait_for(a, 0);
    while (handled == 0) {
    }
    CHECK(handled >= time_of(a).end);

    // A copy takes its time too.
    OK(hsa_amd_profiling_async_copy_enable(true));
    hsa_signal_store_relaxed(a, 1);
    int* host = allocate<int>(kernarg_pool(), kMany);
    OK(hsa_amd_memory_async_copy(numbers, gpu(), host, cpu(), kMany * sizeof(int), 0, nullptr, a));
    wait_for(a, 0);
    hsa_amd_profiling_async_copy_time_t copied;
    OK(hsa_amd_profiling_get_async_copy_time(a, &copied));
    std::printf("copy %llu\n", static_cast<unsigned long long>(copied.end - copied.start));
    CHECK(copied.end - copied.start > 10'000 && copied.end - copied.start < 100'000);
    std::printf("end %llu\n", static_cast<unsigned long long>(now()));
    if (argc > 2) kernels_that_wait(module, first, second);
    OK(hsa_shut_down());
}
