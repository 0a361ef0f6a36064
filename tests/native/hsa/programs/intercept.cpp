// Intercept queues: handlers see, change, drop and add packets. Argument: the code object.
#include "harness.h"

static const Module* module_;
static std::vector<std::string> seen;
static std::vector<std::uint64_t> markers;

static bool is_kernel(const void* packet) {
    return (*static_cast<const std::uint16_t*>(packet) & 0xff) == HSA_PACKET_TYPE_KERNEL_DISPATCH;
}

// Sees packets first: registered last. Doubles every kernel, with a marker before each.
static void doubles(const void* packets, std::uint64_t count, std::uint64_t index, void*,
                    hsa_amd_queue_intercept_packet_writer writer) {
    seen.push_back("doubles " + std::to_string(count) + " at " + std::to_string(index));
    if (!is_kernel(packets)) return writer(packets, count);
    struct alignas(64) {
        amd_aql_intercept_marker_t marker;
        hsa_kernel_dispatch_packet_t first, second;
    } out{};
    out.marker.header = HSA_PACKET_TYPE_VENDOR_SPECIFIC;
    out.marker.format = AMD_AQL_FORMAT_INTERCEPT_MARKER;
    out.marker.callback = [](const amd_aql_intercept_marker_t* marker, hsa_queue_t*, std::uint64_t id) {
        CHECK(marker->user_data[0] == 77);
        markers.push_back(id);
    };
    out.marker.user_data[0] = 77;
    out.first = *static_cast<const hsa_kernel_dispatch_packet_t*>(packets);
    out.second = out.first;
    out.first.completion_signal = {0};  // the second tells
    writer(&out, 3);
}

// Below it: drops kernels whose grid is 13.
static void drops(const void* packets, std::uint64_t count, std::uint64_t, void* data,
                  hsa_amd_queue_intercept_packet_writer writer) {
    CHECK(data == &seen);
    seen.push_back("drops " + std::to_string(count));
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto* packet = static_cast<const hsa_kernel_dispatch_packet_t*>(packets) + i;
        if (!is_kernel(packet) || packet->grid_size_x != 13) writer(packet, 1);
    }
}

int main(int, char** argv) {
    OK(hsa_init());
    const Module module(argv[1], gpu());
    module_ = &module;
    hsa_queue_t* queue = nullptr;
    OK(hsa_amd_queue_intercept_create(gpu(), 8, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX, UINT32_MAX,
                                      &queue));
    auto* p = allocate<int>(device_pool(), 64);
    const Arguments arguments(p, 64u);
    run(queue, module.kernel("add_one"), arguments, 64, 64);  // no handler yet: passes through
    CHECK(p[0] == 1 && seen.empty());
    OK(hsa_amd_queue_intercept_register(queue, drops, &seen));
    OK(hsa_amd_queue_intercept_register(queue, doubles, nullptr));
    run(queue, module.kernel("add_one"), arguments, 64, 64);
    CHECK(p[0] == 3);
    CHECK((seen == std::vector<std::string>{"doubles 1 at 1", "drops 3"}));
    CHECK((markers == std::vector<std::uint64_t>{1}));
    // A dropped kernel does nothing and completes nothing.
    const hsa_signal_t done = make_signal(1);
    submit(queue, kernel_packet(module.kernel("add_one"), arguments.get(), 13, 13, done), kKernelHead);
    run(queue, module.kernel("add_one"), arguments, 64, 64);
    CHECK(p[0] == 5 && hsa_signal_load_relaxed(done) == 1);
    // More rewritten packets than the hardware queue holds, while it waits for a barrier.
    const hsa_signal_t gate = make_signal(1), all = make_signal(8);
    hsa_barrier_and_packet_t barrier{};
    barrier.dep_signal[0] = gate;
    submit(queue, barrier, header(HSA_PACKET_TYPE_BARRIER_AND));
    for (int i = 0; i < 8; ++i)
        submit(queue, kernel_packet(module.kernel("add_one"), arguments.get(), 64, 64, all), kKernelHead);
    CHECK(p[0] == 5);
    hsa_signal_store_screlease(gate, 0);
    wait_for(all, 0);
    CHECK(p[0] == 21);
    // Settings reach the hardware queue.
    OK(hsa_amd_profiling_set_profiler_enabled(queue, 1));
    hsa_signal_store_relaxed(done, 1);
    submit(queue, kernel_packet(module.kernel("add_one"), arguments.get(), 64, 64, done), kKernelHead);
    wait_for(done, 0);
    hsa_amd_profiling_dispatch_time_t time{};
    OK(hsa_amd_profiling_get_dispatch_time(gpu(), done, &time));
    CHECK(time.end > time.start && time.start > 0);
    hsa_queue_t* plain = make_queue(gpu());
    CHECK_STATUS(hsa_amd_queue_intercept_register(plain, drops, nullptr), HSA_STATUS_ERROR_INVALID_QUEUE);
    OK(hsa_queue_destroy(queue));
    OK(hsa_shut_down());
}
