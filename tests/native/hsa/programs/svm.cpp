// Attributes of the program's own memory. Argument: the code object.
#include <unistd.h>

#include <atomic>

#include "harness.h"

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

int main(int, char** argv) {
    OK(hsa_init());
    const Module module(argv[1], gpu());
    bool supported = false;
    OK(hsa_system_get_info(HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED, &supported));
    CHECK(supported);
    auto* p = static_cast<char*>(std::aligned_alloc(4096, 10 * 4096));
    std::memset(p, 0, 10 * 4096);
    CHECK(run_status(module, p) == HSA_STATUS_ERROR_MEMORY_FAULT);
    hsa_amd_svm_attribute_pair_t access{HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, gpu().handle};
    OK(hsa_amd_svm_attributes_set(p, 10 * 4096, &access, 1));
    CHECK(run_status(module, p) == 0 && *reinterpret_cast<int*>(p) == 1);
    hsa_amd_svm_attribute_pair_t deny{HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS, gpu().handle};
    OK(hsa_amd_svm_attributes_set(p + 4 * 4096, 4096, &deny, 1));  // one page in the middle
    CHECK(run_status(module, p + 3 * 4096) == 0);
    CHECK(run_status(module, p + 4 * 4096) == HSA_STATUS_ERROR_MEMORY_FAULT);
    CHECK(run_status(module, p + 5 * 4096) == 0);
    hsa_amd_svm_attribute_pair_t query{HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpu().handle};
    OK(hsa_amd_svm_attributes_get(p, 4096, &query, 1));
    CHECK(query.attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE);
    hsa_amd_svm_attribute_pair_t coarse{HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG, HSA_AMD_SVM_GLOBAL_FLAG_COARSE_GRAINED};
    OK(hsa_amd_svm_attributes_set(p, 4096, &coarse, 1));
    hsa_amd_svm_attribute_pair_t list[2] = {{HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG, 0},
                                            {HSA_AMD_SVM_ATTRIB_MIGRATION_GRANULARITY, 0}};
    OK(hsa_amd_svm_attributes_get(p, 4096, list, 2));
    CHECK(list[0].value == HSA_AMD_SVM_GLOBAL_FLAG_COARSE_GRAINED && list[1].value == 9);
    OK(hsa_amd_svm_attributes_get(p, 2 * 4096, list, 1));
    CHECK(list[0].value == HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE);
    CHECK_STATUS(hsa_amd_svm_attributes_set(p, 4096, &query, 0), HSA_STATUS_SUCCESS);
    hsa_amd_svm_attribute_pair_t wrong{HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION, gpu().handle};
    CHECK_STATUS(hsa_amd_svm_attributes_set(p, 4096, &wrong, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const hsa_signal_t done = make_signal(1);
    OK(hsa_amd_svm_prefetch_async(p, 10 * 4096, gpu(), 0, nullptr, done));
    wait_for(done, 0);
    OK(hsa_amd_svm_attributes_get(p, 10 * 4096, &wrong, 1));
    CHECK(wrong.value == gpu().handle);
    // Bare addresses of the runtime become memory by their attributes.
    void* bare = nullptr;
    OK(hsa_amd_vmem_address_reserve(&bare, 8192, 0, HSA_AMD_VMEM_ADDRESS_NO_REGISTER));
    hsa_amd_pointer_info_t info{};
    info.size = sizeof info;
    OK(hsa_amd_pointer_info(bare, &info, nullptr, nullptr, nullptr));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_RESERVED_ADDR && !info.registered);
    OK(hsa_amd_svm_attributes_set(bare, 8192, &access, 1));
    CHECK(run_status(module, bare) == 0 && *static_cast<int*>(bare) == 1);
    OK(hsa_amd_vmem_address_free(bare, 8192));
    // The same of a size that is not whole pages, which is what HIP's managed memory asks for.
    OK(hsa_amd_vmem_address_reserve(&bare, 8192 + 100, 0, HSA_AMD_VMEM_ADDRESS_NO_REGISTER));
    OK(hsa_amd_pointer_info(bare, &info, nullptr, nullptr, nullptr));
    CHECK(info.sizeInBytes >= 8192 + 100);
    OK(hsa_amd_svm_attributes_set(bare, 8192 + 100, &access, 1));
    CHECK(run_status(module, static_cast<char*>(bare) + 8192) == 0);
    CHECK_STATUS(hsa_amd_vmem_address_free(bare, 8192), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    OK(hsa_amd_vmem_address_free(bare, 8192 + 100));
    OK(hsa_amd_pointer_info(bare, &info, nullptr, nullptr, nullptr));
    CHECK(info.type == HSA_EXT_POINTER_TYPE_UNKNOWN);
    OK(hsa_shut_down());
}
