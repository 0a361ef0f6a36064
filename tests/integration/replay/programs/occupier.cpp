// A tools library that is in the way: takes the range OCCUPY=ADDRESS,SIZE when the first address is reserved, which is
// after hsa_init, when a replay has let go of the captured addresses.
#include <hsa/hsa_api_trace.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

decltype(hsa_amd_vmem_address_reserve)* reserve;
unsigned long long address, size;

hsa_status_t reserve_later(void** va, size_t bytes, uint64_t wanted, uint64_t flags) {
    if (size) {
        void* got = mmap(reinterpret_cast<void*>(address), size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == MAP_FAILED) std::perror("occupier");
        size = 0;
    }
    return reserve(va, bytes, wanted, flags);
}

}  // namespace

extern "C" bool OnLoad(HsaApiTable* table, std::uint64_t, std::uint64_t, const char* const*) {
    const char* text = std::getenv("OCCUPY");
    if (!text || std::sscanf(text, "%llx,%llx", &address, &size) != 2) return false;
    reserve = table->amd_ext_->hsa_amd_vmem_address_reserve_fn;
    table->amd_ext_->hsa_amd_vmem_address_reserve_fn = reserve_later;
    std::puts("occupier: loaded");  // on stdout, which belongs to the document
    std::fflush(stdout);
    return true;
}
