// Reserving an address before anything is allocated must not move what is placed after it: a replay reserves the
// addresses of a process that allocated first, and then loads code, which lies where executable memory does.
#include "harness.h"

static constexpr std::size_t kSize = 64 << 10;

static char* first_allocation() {
    void* memory = nullptr;
    OK(hsa_amd_memory_pool_allocate(device_pool(), kSize, HSA_AMD_MEMORY_POOL_EXECUTABLE_FLAG, &memory));
    OK(hsa_amd_memory_pool_free(memory));
    return static_cast<char*>(memory);
}

int main() {
    OK(hsa_init());
    char* const usual = first_allocation();
    OK(hsa_shut_down());

    OK(hsa_init());
    void* reserved = nullptr;
    OK(hsa_amd_vmem_address_reserve(&reserved, kSize, reinterpret_cast<std::uint64_t>(usual + 4 * kSize), 0));
    CHECK(reserved == usual + 4 * kSize);
    CHECK(first_allocation() == usual);
    OK(hsa_amd_vmem_address_free(reserved, kSize));
    OK(hsa_shut_down());
}
