// Counts what the thread that rings the doorbell allocates meanwhile. Argument: the code object.
#include <malloc.h>

#include "harness.h"

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
}

static thread_local bool counting = false;
static thread_local long allocations = 0;

extern "C" void* malloc(std::size_t size) {
    if (counting) ++allocations;
    return __libc_malloc(size);
}
extern "C" void* calloc(std::size_t count, std::size_t size) {
    if (counting) ++allocations;
    return __libc_calloc(count, size);
}

static void pass_on(const void* packets, std::uint64_t count, std::uint64_t, void*,
                    hsa_amd_queue_intercept_packet_writer writer) {
    writer(packets, count);
}

int main(int, char** argv) {
    OK(hsa_init());
    const Module module(argv[1], gpu());
    // An intercept queue with or without the tool, so that the runtime does the same in both.
    hsa_queue_t* queue = nullptr;
    OK(hsa_amd_queue_intercept_create(gpu(), 256, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX, UINT32_MAX,
                                      &queue));
    OK(hsa_amd_queue_intercept_register(queue, pass_on, nullptr));
    int* p = allocate<int>(device_pool(), 64);
    std::memset(p, 0, 256);
    const Arguments arguments(p, 64u);
    const hsa_signal_t done = make_signal(100), never = make_signal(0);
    for (int i = 0; i < 100; ++i) {
        const auto packet = kernel_packet(module.kernel("add_one"), arguments.get(), 64, 64, done);
        hsa_barrier_and_packet_t barrier{};
        barrier.dep_signal[0] = never;  // zero: open
        counting = true;
        submit(queue, packet, header(HSA_PACKET_TYPE_KERNEL_DISPATCH, true) | (1u << 16));
        submit(queue, barrier, header(HSA_PACKET_TYPE_BARRIER_AND, true));
        counting = false;
    }
    wait_for(done, 0);
    CHECK(malloc_usable_size(std::malloc(100)) >= 100);
    std::printf("%d %ld\n", p[0], allocations);
    OK(hsa_shut_down());
}
