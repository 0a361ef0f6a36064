// GLOBAL loads and stores: addresses in the process' memory.
#include "sim/exec/flat/address.h"
#include "sim/exec/memory/access.h"

namespace vrocm::sim::memory {
namespace {

template <class Address>
[[gnu::noinline]] void observe(Wave& wave, const Op* op, std::uint64_t lanes, unsigned bytes) {
    std::uint64_t address[kLanes];
    Address::list(wave, op, address);
    record(wave, address, lanes, bytes);
}

template <class Address, class Data>
[[gnu::noinline]] const Op* load_listed(Wave& wave, const Op* op, std::uint64_t lanes) {
    std::uint64_t address[kLanes];
    Address::list(wave, op, address);
    return gather<Data>(wave, op, wave.v + op->dst, address, extent(address, lanes), lanes);
}

template <class Address, class Data>
[[gnu::noinline]] const Op* store_listed(Wave& wave, const Op* op, std::uint64_t lanes) {
    std::uint64_t address[kLanes];
    Address::list(wave, op, address);
    return scatter<Data>(wave, op, wave.v + op->src[1].reg, address, extent(address, lanes), lanes);
}

template <class Address, class Data>
const Op* load(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    if (wave.access) [[unlikely]]
        observe<Address>(wave, op, lanes, Data::bytes);
    if (lanes == 0) return op + 1;
    const Pattern pattern = Address::template pattern<Data::bytes>(wave, op, lanes);
    if (pattern.kind != Pattern::Kind::Scattered && load_pattern<Data>(wave, pattern, wave.v + op->dst, lanes))
        return op + 1;
    return load_listed<Address, Data>(wave, op, lanes);
}

template <class Address, class Data>
const Op* store(Wave& wave, const Op* op) {
    const std::uint64_t lanes = wave.exec();
    if (wave.access) [[unlikely]]
        observe<Address>(wave, op, lanes, Data::bytes);
    if (lanes == 0) return op + 1;
    const Pattern pattern = Address::template pattern<Data::bytes>(wave, op, lanes);
    if (pattern.kind != Pattern::Kind::Scattered && store_pattern<Data>(wave, pattern, wave.v + op->src[1].reg, lanes))
        return op + 1;
    return store_listed<Address, Data>(wave, op, lanes);
}

template <class Address>
Handler lower_with(const Op& op) {
    switch (op.inst->op) {
#define LOAD(suffix, ...)          \
    case isa::Op::global_##suffix: \
        return load<Address, __VA_ARGS__>;
#define STORE(suffix, ...)         \
    case isa::Op::global_##suffix: \
        return store<Address, __VA_ARGS__>;
        VROCM_MEMORY_LOADS(LOAD)
        VROCM_MEMORY_STORES(STORE)
#undef LOAD
#undef STORE
        default:
            return nullptr;
    }
}

}  // namespace

Handler lower_global(const Op& op) {
    return op.src[2].kind == Src::Kind::Sgpr ? lower_with<ScalarBase>(op) : lower_with<VectorAddress>(op);
}

}  // namespace vrocm::sim::memory
