// A client of HSA 1.0: regions instead of pools, a code object instead of a reader. Argument: the code object.
#include "harness.h"

static hsa_region_t find_region(hsa_agent_t agent, std::uint32_t flag) {
    struct Search {
        std::uint32_t flag;
        hsa_region_t found{0};
    } search{flag};
    hsa_agent_iterate_regions(
        agent,
        [](hsa_region_t region, void* data) {
            auto* s = static_cast<Search*>(data);
            hsa_region_segment_t segment;
            hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment);
            if (segment != HSA_REGION_SEGMENT_GLOBAL) return HSA_STATUS_SUCCESS;
            std::uint32_t flags = 0;
            hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags);
            if (!(flags & s->flag)) return HSA_STATUS_SUCCESS;
            s->found = region;
            return HSA_STATUS_INFO_BREAK;
        },
        &search);
    CHECK(search.found.handle);
    return search.found;
}

int main(int, char** argv) {
    OK(hsa_init());
    const hsa_agent_t agent = gpu();
    auto bytes = read_file(argv[1]);
    hsa_code_object_t code{};
    OK(hsa_code_object_deserialize(bytes.data(), bytes.size(), nullptr, &code));
    hsa_executable_t executable{};
    OK(hsa_executable_create(HSA_PROFILE_BASE, HSA_EXECUTABLE_STATE_UNFROZEN, nullptr, &executable));
    OK(hsa_executable_load_code_object(executable, agent, code, nullptr));
    OK(hsa_executable_freeze(executable, nullptr));
    hsa_executable_symbol_t symbol{};
    OK(hsa_executable_get_symbol(executable, nullptr, "scale.kd", agent, 0, &symbol));
    std::uint64_t kernel = 0;
    std::uint32_t kernarg_size = 0;
    OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel));
    OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &kernarg_size));
    constexpr std::uint32_t kCount = 1000;
    void *in = nullptr, *out = nullptr, *kernarg = nullptr;
    OK(hsa_memory_allocate(find_region(agent, HSA_REGION_GLOBAL_FLAG_FINE_GRAINED), kCount * sizeof(float), &in));
    OK(hsa_memory_allocate(find_region(agent, HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED), kCount * sizeof(float), &out));
    OK(hsa_memory_allocate(find_region(agent, HSA_REGION_GLOBAL_FLAG_KERNARG), kernarg_size, &kernarg));
    for (std::uint32_t i = 0; i < kCount; ++i) static_cast<float*>(in)[i] = static_cast<float>(i);
    OK(hsa_memory_assign_agent(out, agent, HSA_ACCESS_PERMISSION_RW));
    struct Layout {
        void *out, *in;
        float k;
        std::uint32_t n;
    } layout{out, in, 2.5f, kCount};
    CHECK(kernarg_size >= sizeof layout);
    std::memcpy(kernarg, &layout, sizeof layout);
    // malloc'd memory, registered as HSA 1.0 asks.
    std::vector<float> result(kCount);
    OK(hsa_memory_register(result.data(), kCount * sizeof(float)));
    hsa_queue_t* queue = make_queue(agent);
    const hsa_signal_t done = make_signal(1);
    submit(queue, kernel_packet(kernel, kernarg, 1024, 64, done), kKernelHead);
    wait_for(done, 0);
    OK(hsa_memory_copy(result.data(), out, kCount * sizeof(float)));
    for (std::uint32_t i = 0; i < kCount; ++i) CHECK(result[i] == static_cast<float>(i) * 2.5f);
    OK(hsa_memory_deregister(result.data(), kCount * sizeof(float)));
    OK(hsa_memory_free(in));
    OK(hsa_memory_free(out));
    OK(hsa_memory_free(kernarg));
    OK(hsa_queue_destroy(queue));
    OK(hsa_executable_destroy(executable));
    OK(hsa_code_object_destroy(code));
    CHECK_STATUS(hsa_code_object_get_info(code, HSA_CODE_OBJECT_INFO_ISA, &kernel), HSA_STATUS_ERROR);  // by name
    OK(hsa_shut_down());
}
