// Where small memory of a GPU lies: cut from blocks of 2 MiB, unless it is asked for with a flag.
#include "harness.h"

static constexpr std::uint64_t kBlock = 2 << 20;

static std::uint64_t make(std::size_t size, std::uint32_t flags = 0) {
    void* memory = nullptr;
    OK(hsa_amd_memory_pool_allocate(device_pool(), size, flags, &memory));
    return reinterpret_cast<std::uint64_t>(memory);
}

static void give_back(std::uint64_t memory) {
    OK(hsa_amd_memory_pool_free(reinterpret_cast<void*>(memory)));
}

static bool can_be_reserved(std::uint64_t address) {
    void* got = nullptr;
    OK(hsa_amd_vmem_address_reserve(&got, 4096, address, 0));
    OK(hsa_amd_vmem_address_free(got, 4096));
    return reinterpret_cast<std::uint64_t>(got) == address;
}

int main() {
    OK(hsa_init());
    const std::uint64_t one = make(4096), two = make(100), code = make(4096, HSA_AMD_MEMORY_POOL_EXECUTABLE_FLAG);
    CHECK(one % kBlock == 0 && two / kBlock == one / kBlock && code / kBlock != one / kBlock);
    const std::uint64_t large = make(kBlock), most = make(kBlock - 4096), more = make(kBlock - 4096);
    CHECK(large % kBlock == 0 && large / kBlock != one / kBlock && most / kBlock != more / kBlock);
    // What is freed can be reserved where it was memory of its own; a block stays the runtime's while a part of it is
    // in use, and one that is empty is kept.
    give_back(code);
    give_back(large);
    CHECK(can_be_reserved(code) && can_be_reserved(large));
    give_back(two);
    CHECK(!can_be_reserved(two) && make(100) == two);
    give_back(one);
    give_back(two);
    CHECK(!can_be_reserved(one));
    give_back(most);
    CHECK(can_be_reserved(most) && !can_be_reserved(one));
    CHECK(make(8192) == one);
    give_back(more);
    CHECK(!can_be_reserved(more));
    CHECK(*reinterpret_cast<char*>(make(kBlock - 4096)) == 0);
    OK(hsa_shut_down());
}
