// Packets: kernels, barriers, order, concurrency between queues, times. Argument: the code object.
#include <hsa/amd_hsa_queue.h>

#include <chrono>
#include <thread>

#include "harness.h"

using namespace std::chrono_literals;

static const Module* module_;

static void kernels_run() {
    hsa_queue_t* queue = make_queue(gpu());
    CHECK(queue->size == 64 && queue->type == HSA_QUEUE_TYPE_MULTI && queue->base_address);
    auto* p = allocate<int>(device_pool(), 1000);
    for (int i = 0; i < 1000; ++i) p[i] = i;
    const Arguments arguments(p, 1000u);
    for (int n = 0; n < 200; ++n) run(queue, module_->kernel("add_one"), arguments, 1024, 64);  // round the ring thrice
    for (int i = 0; i < 1000; ++i) CHECK(p[i] == i + 200);
    CHECK(hsa_queue_load_read_index_relaxed(queue) == 200 && hsa_queue_load_write_index_relaxed(queue) == 200);
    // Group memory.
    auto* q = allocate<int>(device_pool(), 256);
    for (int i = 0; i < 256; ++i) q[i] = i;
    const Arguments reverse(q);
    const hsa_signal_t done = make_signal(1);
    auto packet = kernel_packet(module_->kernel("reverse"), reverse.get(), 256, 256, done);
    packet.group_segment_size = 1024;
    submit(queue, packet, kKernelHead);
    wait_for(done, 0);
    for (int i = 0; i < 256; ++i) CHECK(q[i] == 255 - i);
    // What the kernel sees of its dispatch.
    auto* out = allocate<std::uint64_t>(device_pool(), 3);
    const Arguments show(out);
    run(queue, module_->kernel("show_packet"), show, 64, 64);
    CHECK(out[0] == 64 && out[1] == reinterpret_cast<std::uint64_t>(queue) &&
          out[2] == reinterpret_cast<std::uint64_t>(show.get()));
    OK(hsa_queue_destroy(queue));
    CHECK_STATUS(hsa_queue_destroy(queue), HSA_STATUS_ERROR_INVALID_QUEUE);
}

// A batch of packets with one doorbell; the completion signal of the last tells of all.
static void batch() {
    hsa_queue_t* queue = make_queue(gpu(), 16);
    auto* p = allocate<int>(device_pool(), 64);
    const Arguments arguments(p, 64u);
    const hsa_signal_t done = make_signal(10);
    const std::uint64_t first = hsa_queue_add_write_index_relaxed(queue, 10);
    for (std::uint64_t i = first; i < first + 10; ++i) {
        auto* slot = static_cast<hsa_kernel_dispatch_packet_t*>(queue->base_address) + (i & 15);
        const auto packet = kernel_packet(module_->kernel("add_one"), arguments.get(), 64, 64, done);
        std::memcpy(reinterpret_cast<char*>(slot) + 4, reinterpret_cast<const char*>(&packet) + 4, 60);
        __atomic_store_n(reinterpret_cast<std::uint32_t*>(slot), kKernelHead, __ATOMIC_RELEASE);
    }
    hsa_signal_store_screlease(queue->doorbell_signal, static_cast<hsa_signal_value_t>(first + 9));
    wait_for(done, 0);
    CHECK(p[0] == 10 && p[63] == 10);
    OK(hsa_queue_destroy(queue));
}

static void barriers() {
    hsa_queue_t* queue = make_queue(gpu());
    auto* p = allocate<int>(device_pool(), 64);
    const Arguments arguments(p, 64u);
    const hsa_signal_t a = make_signal(1), b = make_signal(1), passed = make_signal(1), done = make_signal(1);
    hsa_barrier_and_packet_t both{};
    both.dep_signal[0] = a;
    both.dep_signal[3] = b;
    both.completion_signal = passed;
    submit(queue, both, header(HSA_PACKET_TYPE_BARRIER_AND, true));
    submit(queue, kernel_packet(module_->kernel("add_one"), arguments.get(), 64, 64, done), kKernelHead);
    hsa_signal_store_screlease(a, 0);
    CHECK(hsa_signal_wait_scacquire(passed, HSA_SIGNAL_CONDITION_EQ, 0, 10'000'000, HSA_WAIT_STATE_BLOCKED) == 1);
    CHECK(p[0] == 0);
    hsa_signal_store_screlease(b, 0);
    wait_for(done, 0);
    CHECK(hsa_signal_load_relaxed(passed) == 0 && p[0] == 1);

    hsa_signal_store_relaxed(a, 1);
    hsa_signal_store_relaxed(b, 1);
    hsa_signal_store_relaxed(passed, 1);
    hsa_barrier_or_packet_t either{};
    either.dep_signal[1] = a;
    either.dep_signal[2] = b;
    either.completion_signal = passed;
    submit(queue, either, header(HSA_PACKET_TYPE_BARRIER_OR, true));
    CHECK(hsa_signal_wait_scacquire(passed, HSA_SIGNAL_CONDITION_EQ, 0, 5'000'000, HSA_WAIT_STATE_BLOCKED) == 1);
    hsa_signal_store_screlease(b, 0);
    wait_for(passed, 0);

    hsa_signal_store_relaxed(a, 0x10);
    hsa_signal_store_relaxed(passed, 1);
    hsa_amd_barrier_value_packet_t value{};
    value.header.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE;
    value.signal = a;
    value.mask = 0xff;
    value.value = 0x20;
    value.cond = HSA_SIGNAL_CONDITION_GTE;
    value.completion_signal = passed;
    submit(queue, value, header(HSA_PACKET_TYPE_VENDOR_SPECIFIC, true) | (HSA_AMD_PACKET_TYPE_BARRIER_VALUE << 16));
    hsa_signal_store_screlease(a, 0x310);  // masked, it is still 0x10
    CHECK(hsa_signal_wait_scacquire(passed, HSA_SIGNAL_CONDITION_EQ, 0, 5'000'000, HSA_WAIT_STATE_BLOCKED) == 1);
    hsa_signal_store_screlease(a, 0x320);
    wait_for(passed, 0);
    // Empty barriers pass.
    hsa_signal_store_relaxed(passed, 1);
    hsa_barrier_and_packet_t empty{};
    empty.completion_signal = passed;
    submit(queue, empty, header(HSA_PACKET_TYPE_BARRIER_AND));
    wait_for(passed, 0);
    // A signal that only a kernel of another queue stores to.
    hsa_queue_t* other = make_queue(gpu());
    hsa_signal_store_relaxed(a, 1);
    hsa_signal_store_relaxed(passed, 1);
    hsa_barrier_and_packet_t on_kernel{};
    on_kernel.dep_signal[0] = a;
    on_kernel.completion_signal = passed;
    submit(queue, on_kernel, header(HSA_PACKET_TYPE_BARRIER_AND));
    const Arguments store(a.handle, std::uint64_t{0});
    run(other, module_->kernel("store_signal"), store, 1, 1);
    wait_for(passed, 0);
    OK(hsa_queue_destroy(other));
    OK(hsa_queue_destroy(queue));
}

// A kernel that waits for a kernel of another queue, and one that waits for the host.
static void concurrency() {
    hsa_queue_t *waiting = make_queue(gpu()), *setting = make_queue(gpu());
    auto* flag = allocate<int>(device_pool(), 16);
    const Arguments spin(flag, flag + 1), set(flag, 1);
    const hsa_signal_t done = make_signal(1);
    submit(waiting, kernel_packet(module_->kernel("spin_until"), spin.get(), 1, 1, done), kKernelHead);
    std::this_thread::sleep_for(5ms);
    CHECK(hsa_signal_load_relaxed(done) == 1);
    run(setting, module_->kernel("set_word"), set, 1, 1);
    wait_for(done, 0);
    CHECK(flag[1] == 1);
    flag[0] = flag[1] = 0;
    hsa_signal_store_relaxed(done, 1);
    submit(waiting, kernel_packet(module_->kernel("spin_until"), spin.get(), 1, 1, done), kKernelHead);
    std::this_thread::sleep_for(5ms);
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    wait_for(done, 0);
    CHECK(flag[1] == 1);
    // A queue destroyed under a kernel that would never end.
    flag[0] = 0;
    hsa_signal_store_relaxed(done, 1);
    submit(waiting, kernel_packet(module_->kernel("spin_until"), spin.get(), 1, 1, done), kKernelHead);
    std::this_thread::sleep_for(5ms);
    OK(hsa_queue_destroy(waiting));
    CHECK(hsa_signal_load_relaxed(done) == 1);
    OK(hsa_queue_inactivate(setting));
    submit(setting, kernel_packet(module_->kernel("set_word"), set.get(), 1, 1, done), kKernelHead);
    CHECK(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, 10'000'000, HSA_WAIT_STATE_BLOCKED) == 1);
    OK(hsa_queue_destroy(setting));
}

static void many_producers() {
    hsa_queue_t* queue = make_queue(gpu(), 8);
    auto* p = allocate<int>(device_pool(), 64);
    const Arguments arguments(p, 64u);
    const hsa_signal_t done = make_signal(200);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i)
                submit(queue, kernel_packet(module_->kernel("add_one"), arguments.get(), 64, 64, done), kKernelHead);
        });
    for (auto& thread : threads) thread.join();
    wait_for(done, 0);
    CHECK(p[5] == 200);
    OK(hsa_queue_destroy(queue));
}

static void indices() {
    hsa_queue_t* queue = make_queue(gpu());
    CHECK(hsa_queue_add_write_index_relaxed(queue, 1) == 0);
    CHECK(hsa_queue_add_write_index_scacquire(queue, 1) == 1 && hsa_queue_add_write_index_screlease(queue, 1) == 2);
    CHECK(hsa_queue_cas_write_index_scacq_screl(queue, 3, 5) == 3 &&
          hsa_queue_cas_write_index_relaxed(queue, 3, 9) == 5);
    hsa_queue_store_write_index_screlease(queue, 0);
    CHECK(hsa_queue_load_write_index_scacquire(queue) == 0 && hsa_queue_load_read_index_scacquire(queue) == 0);
    const auto* amd = reinterpret_cast<const amd_queue_v2_t*>(queue);
    CHECK(amd->read_dispatch_id_field_base_byte_offset == offsetof(amd_queue_v2_t, read_dispatch_id));
    OK(hsa_queue_destroy(queue));
}

static void creation_is_checked() {
    hsa_queue_t* queue = nullptr;
    const auto create = [&](hsa_agent_t agent, std::uint32_t size, std::uint32_t type, hsa_queue_t** to) {
        return hsa_queue_create(agent, size, type, nullptr, nullptr, UINT32_MAX, UINT32_MAX, to);
    };
    CHECK_STATUS(create(gpu(), 64, HSA_QUEUE_TYPE_MULTI, nullptr), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(create(gpu(), 0, HSA_QUEUE_TYPE_MULTI, &queue), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(create(gpu(), 100, HSA_QUEUE_TYPE_MULTI, &queue), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(create(gpu(), 64, 3, &queue), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(create(cpu(), 64, HSA_QUEUE_TYPE_MULTI, &queue), HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
    CHECK_STATUS(create({3}, 64, HSA_QUEUE_TYPE_MULTI, &queue), HSA_STATUS_ERROR_INVALID_AGENT);
    CHECK_STATUS(create(gpu(), 1u << 30, HSA_QUEUE_TYPE_MULTI, &queue), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    OK(create(gpu(), 64, HSA_QUEUE_TYPE_COOPERATIVE, &queue));
    OK(hsa_queue_destroy(queue));
    CHECK_STATUS(hsa_queue_destroy(nullptr), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

static void settings() {
    hsa_queue_t* queue = make_queue(gpu());
    std::uint32_t mask[10] = {};
    OK(hsa_amd_queue_cu_get_mask(queue, 320, mask));
    CHECK(mask[0] == ~0u && mask[8] == ~0u && mask[9] == 0xffff);  // 304 compute units
    const std::uint32_t some[2] = {0xf0f0, 1};
    OK(hsa_amd_queue_cu_set_mask(queue, 64, some));
    OK(hsa_amd_queue_cu_get_mask(queue, 320, mask));
    CHECK(mask[0] == 0xf0f0 && mask[1] == 1 && mask[2] == 0);
    CHECK_STATUS(hsa_amd_queue_cu_set_mask(queue, 33, some), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    OK(hsa_amd_queue_set_priority(queue, HSA_AMD_QUEUE_PRIORITY_HIGH));
    CHECK_STATUS(hsa_amd_queue_set_priority(queue, static_cast<hsa_amd_queue_priority_t>(7)),
                 HSA_STATUS_ERROR_INVALID_ARGUMENT);
    hsa_agent_t owner{};
    OK(hsa_amd_queue_get_info(queue, HSA_AMD_QUEUE_INFO_AGENT, &owner));
    CHECK(owner.handle == gpu().handle);
    OK(hsa_queue_destroy(queue));
    OK(hsa_amd_counted_queue_acquire(gpu(), HSA_QUEUE_TYPE_MULTI, HSA_AMD_QUEUE_PRIORITY_LOW, nullptr, nullptr, 0,
                                     &queue));
    std::uint32_t uses = 0;
    OK(hsa_amd_queue_get_info(queue, HSA_QUEUE_INFO_USE_COUNT, &uses));
    CHECK(uses == 1);
    OK(hsa_amd_counted_queue_release(queue));
    // A queue that the client serves itself.
    const hsa_signal_t doorbell = make_signal(0);
    hsa_region_t region{kernarg_pool().handle};
    OK(hsa_soft_queue_create(region, 16, HSA_QUEUE_TYPE_MULTI, HSA_QUEUE_FEATURE_AGENT_DISPATCH, doorbell, &queue));
    CHECK(queue->doorbell_signal.handle == doorbell.handle && queue->size == 16);
    hsa_agent_dispatch_packet_t packet{};
    packet.type = 0x1234;
    submit(queue, packet, header(HSA_PACKET_TYPE_AGENT_DISPATCH) | (0x1234u << 16));
    CHECK(static_cast<hsa_agent_dispatch_packet_t*>(queue->base_address)->type == 0x1234);
    hsa_queue_store_read_index_screlease(queue, 1);
    CHECK(hsa_queue_load_read_index_relaxed(queue) == 1);
    OK(hsa_queue_destroy(queue));
}

static void times() {
    hsa_queue_t* queue = make_queue(gpu());
    OK(hsa_amd_profiling_set_profiler_enabled(queue, 1));
    auto* p = allocate<int>(device_pool(), 6400);
    const Arguments arguments(p, 6400u);
    const hsa_signal_t done = make_signal(1);
    std::uint64_t before = 0, after = 0;
    OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &before));
    submit(queue, kernel_packet(module_->kernel("add_one"), arguments.get(), 6400, 64, done), kKernelHead);
    wait_for(done, 0);
    OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &after));
    hsa_amd_profiling_dispatch_time_t time{};
    OK(hsa_amd_profiling_get_dispatch_time(gpu(), done, &time));
    CHECK(time.start + 10 >= before && time.end > time.start && time.end <= after + 10);
    CHECK_STATUS(hsa_amd_profiling_get_dispatch_time(cpu(), done, &time), HSA_STATUS_ERROR_INVALID_AGENT);
    std::uint64_t frequency = 0, system = 0;
    OK(hsa_agent_get_info(gpu(), static_cast<hsa_agent_info_t>(HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY), &frequency));
    OK(hsa_amd_profiling_convert_tick_to_system_domain(gpu(), frequency, &system));
    CHECK(system == 1'000'000'000);  // one second
    OK(hsa_queue_destroy(queue));
}

int main(int, char** argv) {
    OK(hsa_init());
    const Module module(argv[1], gpu());
    module_ = &module;
    kernels_run();
    batch();
    barriers();
    concurrency();
    many_producers();
    indices();
    creation_is_checked();
    settings();
    times();
    OK(hsa_shut_down());
}
