// Copies and fills. Those that return when all is done are counted by the gate; the others are remembered.
#include "capture/bookkeeping/copies_in_flight.h"
#include "capture/calls/gate.h"
#include "capture/calls/original.h"
#include "capture/calls/wrappers.h"
#include "capture/session.h"

namespace rpl::capture {

namespace {

// Calls `submit` with the copy booked.
template <class F>
hsa_status_t tracked(hsa_signal_t completion, std::uint32_t count, const hsa_signal_t* dependencies, const void* to,
                     std::uint64_t bytes, F&& submit) {
    if (session().phase() == Phase::Over) return submit();
    const Gate::Pass pass(gate());
    copies_in_flight().submitting(completion, Dependencies::of(dependencies, dependencies ? count : 0), to, bytes);
    const hsa_status_t status = submit();
    if (status != HSA_STATUS_SUCCESS) copies_in_flight().refused(completion);
    return status;
}

hsa_status_t async_copy(void* to, hsa_agent_t to_agent, const void* from, hsa_agent_t from_agent, size_t size,
                        uint32_t count, const hsa_signal_t* dependencies, hsa_signal_t completion) {
    return tracked(completion, count, dependencies, to, size, [&] {
        return original().amd.hsa_amd_memory_async_copy_fn(to, to_agent, from, from_agent, size, count, dependencies,
                                                           completion);
    });
}

hsa_status_t async_copy_on_engine(void* to, hsa_agent_t to_agent, const void* from, hsa_agent_t from_agent, size_t size,
                                  uint32_t count, const hsa_signal_t* dependencies, hsa_signal_t completion,
                                  hsa_amd_sdma_engine_id_t engine, bool force) {
    return tracked(completion, count, dependencies, to, size, [&] {
        return original().amd.hsa_amd_memory_async_copy_on_engine_fn(to, to_agent, from, from_agent, size, count,
                                                                     dependencies, completion, engine, force);
    });
}

hsa_status_t async_copy_rect(const hsa_pitched_ptr_t* to, const hsa_dim3_t* to_offset, const hsa_pitched_ptr_t* from,
                             const hsa_dim3_t* from_offset, const hsa_dim3_t* range, hsa_agent_t agent,
                             hsa_amd_copy_direction_t direction, uint32_t count, const hsa_signal_t* dependencies,
                             hsa_signal_t completion) {
    const std::uint64_t bytes = range ? std::uint64_t{range->x} * range->y * range->z : 0;
    return tracked(completion, count, dependencies, to ? to->base : nullptr, bytes, [&] {
        return original().amd.hsa_amd_memory_async_copy_rect_fn(to, to_offset, from, from_offset, range, agent,
                                                                direction, count, dependencies, completion);
    });
}

hsa_status_t prefetch(void* pointer, size_t size, hsa_agent_t agent, uint32_t count, const hsa_signal_t* dependencies,
                      hsa_signal_t completion) {
    return tracked(completion, count, dependencies, pointer, size, [&] {
        return original().amd.hsa_amd_svm_prefetch_async_fn(pointer, size, agent, count, dependencies, completion);
    });
}

hsa_status_t copy(void* to, const void* from, size_t size) {
    const Gate::Pass pass(gate());
    return original().core.hsa_memory_copy_fn(to, from, size);
}

hsa_status_t fill(void* to, uint32_t value, size_t count) {
    const Gate::Pass pass(gate());
    return original().amd.hsa_amd_memory_fill_fn(to, value, count);
}

}  // namespace

void install_copies(HsaApiTable& table) {
    RPL_REPLACE(table.core_, hsa_memory_copy, copy);
    RPL_REPLACE(table.amd_ext_, hsa_amd_memory_fill, fill);
    RPL_REPLACE(table.amd_ext_, hsa_amd_memory_async_copy, async_copy);
    RPL_REPLACE(table.amd_ext_, hsa_amd_memory_async_copy_on_engine, async_copy_on_engine);
    RPL_REPLACE(table.amd_ext_, hsa_amd_memory_async_copy_rect, async_copy_rect);
    RPL_REPLACE(table.amd_ext_, hsa_amd_svm_prefetch_async, prefetch);
}

}  // namespace rpl::capture
