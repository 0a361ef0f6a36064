// Virtual memory with holes, offsets, one handle mapped twice and a read-only mapping; shared virtual memory and locked
// ranges that overlap. First argument: code object; second: what to do.
#include <sys/mman.h>

#include "harness.h"

static char* reserve(std::size_t size) {
    void* base = nullptr;
    OK(hsa_amd_vmem_address_reserve(&base, size, 0, 0));
    return static_cast<char*>(base);
}

static hsa_amd_vmem_alloc_handle_t make(std::size_t size) {
    hsa_amd_vmem_alloc_handle_t handle{};
    OK(hsa_amd_vmem_handle_create(device_pool(), size, MEMORY_TYPE_NONE, 0, &handle));
    return handle;
}

static void map(char* at, std::size_t size, std::size_t offset, hsa_amd_vmem_alloc_handle_t handle,
                hsa_access_permission_t permission) {
    OK(hsa_amd_vmem_map(at, size, offset, handle, 0));
    const hsa_amd_memory_access_desc_t access[] = {{permission, gpu()}, {HSA_ACCESS_PERMISSION_RW, cpu()}};
    OK(hsa_amd_vmem_set_access(at, size, access, 2));
}

constexpr std::size_t kMega = 1 << 20;

// 16 MiB reserved: [0] A whole, [4] B at an offset, hole at [8], [10] A again, [12] C read-only.
static void mappings(const Module& module) {
    char* base = reserve(16 * kMega);
    char* empty = reserve(2 * kMega);
    const auto a = make(2 * kMega), b = make(3 * kMega), c = make(2 * kMega), unmapped = make(2 * kMega);
    map(base, 2 * kMega, 0, a, HSA_ACCESS_PERMISSION_RW);
    map(base + 4 * kMega, 2 * kMega, kMega, b, HSA_ACCESS_PERMISSION_RW);
    map(base + 10 * kMega, 2 * kMega, 0, a, HSA_ACCESS_PERMISSION_RW);
    map(base + 12 * kMega, 2 * kMega, 0, c, HSA_ACCESS_PERMISSION_RO);
    map(base + 14 * kMega, 2 * kMega, 0, unmapped, HSA_ACCESS_PERMISSION_RW);
    OK(hsa_amd_vmem_unmap(base + 14 * kMega, 2 * kMega));
    OK(hsa_amd_vmem_handle_release(a));  // alive through its mappings
    auto* first = reinterpret_cast<float*>(base + 10 * kMega);
    auto* second = reinterpret_cast<float*>(base + 4 * kMega);
    auto* third = reinterpret_cast<float*>(base + 12 * kMega);
    for (int i = 0; i < 64; ++i) first[i] = i, second[i] = -1, third[i] = 2 * i;
    hsa_queue_t* queue = make_queue(gpu());
    const Arguments to_second(second, first, 3.0f, 64u), from_third(first, third, 1.0f, 64u);
    run(queue, module.kernel("scale"), to_second, 64, 64);
    run(queue, module.kernel("scale"), from_third, 64, 64);
    std::printf("%g %g %g\n", second[63], first[63], *reinterpret_cast<float*>(base + 63 * 4));
    (void)empty;
}

// Pages of the process itself: managed by attributes, locked (twice, overlapping), and managed pages of which some
// are gone.
static void host_ranges(const Module& module) {
    const auto pages = [](std::size_t count) {
        return static_cast<char*>(
            mmap(nullptr, count * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    };
    char *managed = pages(8), *gone = pages(4), *locked = pages(8);
    hsa_amd_svm_attribute_pair_t access{HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gpu().handle};
    OK(hsa_amd_svm_attributes_set(managed, 8 * 4096, &access, 1));
    OK(hsa_amd_svm_attributes_set(gone, 4 * 4096, &access, 1));
    hsa_amd_svm_attribute_pair_t none{HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS, gpu().handle};
    OK(hsa_amd_svm_attributes_set(managed + 6 * 4096, 2 * 4096, &none, 1));
    munmap(gone + 4096, 2 * 4096);  // the middle
    void *where = nullptr, *again = nullptr;
    OK(hsa_amd_memory_lock(locked + 100, 10000, nullptr, 0, &where));
    OK(hsa_amd_memory_lock(locked + 8192, 8192, nullptr, 0, &again));
    CHECK(where == locked + 100 && again == locked + 8192);
    auto* in = reinterpret_cast<float*>(managed + 4096);
    auto* out = reinterpret_cast<float*>(locked + 8192 + 4096);
    for (int i = 0; i < 64; ++i) in[i] = i;
    hsa_queue_t* queue = make_queue(gpu());
    const Arguments arguments(out, in, 5.0f, 64u);
    run(queue, module.kernel("scale"), arguments, 64, 64);
    std::printf("%g\n", out[63]);
}

int main(int, char** argv) {
    OK(hsa_init());
    {
        const Module module(argv[1], gpu());
        if (std::string(argv[2]) == "mappings") mappings(module);
        if (std::string(argv[2]) == "host_ranges") host_ranges(module);
    }
    OK(hsa_shut_down());
}
