// Reserving an address before anything is allocated must not move the allocations that follow: a replay reserves the
// addresses of a process that allocated first, and then loads code.
#include "harness.h"

static constexpr std::size_t kSize = 64 << 10;

static char* first_allocation() {
    auto* memory = allocate<char>(device_pool(), kSize);
    OK(hsa_amd_memory_pool_free(memory));
    return memory;
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
