// What a client learns when a kernel or a packet is bad. Arguments: the code object, and "unhandled" to have no
// handler, or "past-the-end" for a kernel that goes beyond its buffer but stays in the page, or "read-far" for kernels
// that read beyond that page.
#include <unistd.h>

#include <atomic>

#include "harness.h"

static const Module* module_;

struct Error {
    std::atomic<int> status{-1};
    std::atomic<hsa_queue_t*> source{nullptr};
};

static void on_error(hsa_status_t status, hsa_queue_t* source, void* data) {
    auto* error = static_cast<Error*>(data);
    error->source = source;
    error->status = status;
}

template <typename Submit>
static int status_of(Submit&& submit_to) {
    Error error;
    hsa_queue_t* queue = make_queue(gpu(), 64, on_error, &error);
    submit_to(queue);
    for (int i = 0; error.status == -1 && i < 20000; ++i) {
        if (hsa_queue_load_read_index_scacquire(queue) == 1) return 0;
        usleep(1000);
    }
    CHECK(error.source == queue);
    OK(hsa_queue_destroy(queue));
    return error.status;
}

static int kernel_status(const char* name, const Arguments& arguments, std::uint32_t items = 64) {
    return status_of([&](hsa_queue_t* queue) {
        const hsa_signal_t done = make_signal(1);
        submit(queue, kernel_packet(module_->kernel(name), arguments.get(), items, 64, done), kKernelHead);
    });
}

static int packet_status(const hsa_kernel_dispatch_packet_t& packet, std::uint32_t head = kKernelHead) {
    return status_of([&](hsa_queue_t* queue) { submit(queue, packet, head); });
}

static std::atomic<std::uint64_t> fault_address{0};

int main(int, char** argv) {
    OK(hsa_init());
    const Module module(argv[1], gpu());
    module_ = &module;
    auto* p = allocate<int>(device_pool(), 16);
    if (argv[2] && std::string(argv[2]) == "past-the-end") return kernel_status("add_one", Arguments(p, 17u), 17) != 0;
    if (argv[2] && std::string(argv[2]) == "read-far") {
        auto* out = allocate<float>(device_pool(), 2048);
        if (kernel_status("scale", Arguments(out, p, 1.0f, 2048u), 2048) != 0) return 1;
        CHECK(out[2047] == 0);
        // Half of a load in the page, half of it beyond.
        p[1022] = p[1023] = 0;
        auto* sum = allocate<long>(device_pool(), 1);
        CHECK(kernel_status("chase", Arguments(p + 1022, sum), 1) == 0);
        CHECK(*sum == 0);
        return 0;
    }
    if (argv[2]) {
        hsa_queue_t* queue = make_queue(gpu());
        const Arguments wild(reinterpret_cast<int*>(0x1000), 64u);
        run(queue, module.kernel("add_one"), wild, 64, 64);  // ends the process
        return 0;
    }
    OK(hsa_amd_register_system_event_handler(
        [](const hsa_amd_event_t* event, void*) {
            if (event->event_type == HSA_AMD_GPU_MEMORY_FAULT_EVENT)
                fault_address = event->memory_fault.virtual_address;
            return HSA_STATUS_SUCCESS;
        },
        nullptr));
    // Outside every allocation, just past one, and in memory that was freed.
    const auto memory_fault = static_cast<int>(HSA_STATUS_ERROR_MEMORY_FAULT);
    CHECK(kernel_status("add_one", Arguments(reinterpret_cast<int*>(0x1000), 64u)) == memory_fault);
    CHECK(fault_address == 0x1000);
    CHECK(kernel_status("add_one", Arguments(p, 2048u), 2048) == memory_fault);
    CHECK(fault_address == reinterpret_cast<std::uint64_t>(p) + 4096);
    auto* freed = allocate<int>(device_pool(), 16);
    OK(hsa_amd_memory_pool_free(freed));
    CHECK(kernel_status("add_one", Arguments(freed, 16u)) == memory_fault);
    freed[0] = 1;  // the host does not crash either
    // Host memory without access, then with.
    auto* host = allocate<int>(pool(cpu(), HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED), 64);
    CHECK(kernel_status("add_one", Arguments(host, 64u)) == memory_fault);
    const hsa_agent_t agent = gpu();
    OK(hsa_amd_agents_allow_access(1, &agent, nullptr, host));
    hsa_queue_t* queue = make_queue(gpu());
    run(queue, module.kernel("add_one"), Arguments(host, 64u), 64, 64);
    CHECK(host[63] == 1);
    // Memory of the program's own, locked and unlocked again.
    auto* own = static_cast<int*>(std::aligned_alloc(4096, 8192));
    std::memset(own, 0, 8192);
    CHECK(kernel_status("add_one", Arguments(own, 64u)) == memory_fault);
    void* locked = nullptr;
    OK(hsa_amd_memory_lock(own, 256, nullptr, 0, &locked));
    run(queue, module.kernel("add_one"), Arguments(own, 64u), 64, 64);
    CHECK(own[0] == 1 && own[63] == 1);
    OK(hsa_amd_memory_unlock(own));
    CHECK(kernel_status("add_one", Arguments(own, 64u)) == memory_fault);
    CHECK(own[0] == 1);

    CHECK(kernel_status("trap", Arguments(p)) == HSA_STATUS_ERROR_EXCEPTION);

    const Arguments good(p, 16u);
    const auto sound = kernel_packet(module.kernel("add_one"), good.get(), 64, 64, {0});
    auto bad = sound;
    bad.workgroup_size_x = 0;
    CHECK(packet_status(bad) == HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    bad = sound;
    bad.grid_size_x = 0;
    CHECK(packet_status(bad) == HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    CHECK(packet_status(sound, header(HSA_PACKET_TYPE_KERNEL_DISPATCH)) == HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    bad = sound;
    bad.workgroup_size_x = 2048;
    CHECK(packet_status(bad) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
    bad = sound;
    bad.group_segment_size = 1 << 20;
    CHECK(packet_status(bad) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
    bad = sound;
    bad.kernel_object = reinterpret_cast<std::uint64_t>(p);
    CHECK(packet_status(bad) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    CHECK(packet_status(sound, 99) == HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
    CHECK(packet_status(sound, header(HSA_PACKET_TYPE_AGENT_DISPATCH)) == HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
    CHECK(packet_status(sound, header(HSA_PACKET_TYPE_VENDOR_SPECIFIC)) == HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
    run(queue, module.kernel("add_one"), good, 16, 16);  // other queues are not harmed
    OK(hsa_shut_down());
}
