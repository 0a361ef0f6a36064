// Copies, fills, prefetches, shared virtual memory, files.
#include <unistd.h>

#include <cerrno>

#include "hsa/api/functions.h"

namespace vrocm::hsa::api {

namespace {

// An agent handle may be 0: the runtime finds out for itself.
bool agent_or_none(Runtime& runtime, hsa_agent_t agent) {
    return agent.handle == 0 || runtime.agent(agent);
}

// The agent whose memory it is; the host's for memory that the runtime does not know.
hsa_agent_t owner_of(Runtime& runtime, const void* address, hsa_agent_t named) {
    if (named.handle) return named;
    const auto block = runtime.memory.find(address);
    return block && block->pool ? block->pool->owner->handle() : runtime.cpu().handle();
}

hsa_status_t check_signals(Runtime& runtime, std::uint32_t count, const hsa_signal_t* dependencies,
                           hsa_signal_t completion) {
    if ((count == 0) != (dependencies == nullptr)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (std::uint32_t i = 0; i < count; ++i)
        if (!runtime.signals.valid(dependencies[i])) return HSA_STATUS_ERROR_INVALID_SIGNAL;
    return runtime.signals.valid(completion) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_SIGNAL;
}

}  // namespace

hsa_status_t hsa_amd_memory_fill(void* ptr, uint32_t value, size_t count) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(ptr && reinterpret_cast<std::uint64_t>(ptr) % 4 == 0, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    if (count == 0) return HSA_STATUS_SUCCESS;
    VROCM_CHECK(runtime->memory.covers(ptr, count * sizeof value), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    const hsa_agent_t owner = owner_of(*runtime, ptr, {});
    charge_for({owner, {}, ptr, nullptr, count * sizeof value, true});
    if (const Agent* gpu = runtime->agent(owner); gpu && gpu->is_gpu())
        gpu->machine().written_through_caches(count * sizeof value);
    return fill_words(ptr, value, count) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
}

hsa_status_t hsa_amd_memory_async_copy(void* dst, hsa_agent_t dst_agent, const void* src, hsa_agent_t src_agent,
                                       size_t size, uint32_t num_dep_signals, const hsa_signal_t* dep_signals,
                                       hsa_signal_t completion_signal) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(dst && src, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK((num_dep_signals == 0) == (dep_signals == nullptr), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(agent_or_none(*runtime, dst_agent) && agent_or_none(*runtime, src_agent),
                HSA_STATUS_ERROR_INVALID_AGENT);
    const auto status = check_signals(*runtime, num_dep_signals, dep_signals, completion_signal);
    if (status != HSA_STATUS_SUCCESS || size == 0) return status;
    const CopyTraffic traffic{owner_of(*runtime, dst, dst_agent), owner_of(*runtime, src, src_agent), dst, src, size};
    const bool by_gpu = runtime->agent(traffic.to_agent)->is_gpu() || runtime->agent(traffic.from_agent)->is_gpu();
    const Mover mover = by_gpu ? Mover::Gpu : Mover::Host;
    runtime->copies.submit([=] { return copy_bytes(dst, src, size, mover); }, traffic, dep_signals, num_dep_signals,
                           signal_at(completion_signal));
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_async_copy_on_engine(void* dst, hsa_agent_t dst_agent, const void* src,
                                                 hsa_agent_t src_agent, size_t size, uint32_t num_dep_signals,
                                                 const hsa_signal_t* dep_signals, hsa_signal_t completion_signal,
                                                 hsa_amd_sdma_engine_id_t engine_id, bool) {
    VROCM_OPEN(runtime);
    const auto engine = static_cast<std::uint32_t>(engine_id);
    VROCM_CHECK(engine && !(engine & (engine - 1)) && engine <= HSA_AMD_SDMA_ENGINE_15,
                HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return api::hsa_amd_memory_async_copy(dst, dst_agent, src, src_agent, size, num_dep_signals, dep_signals,
                                          completion_signal);
}

// Engines are always free: copies queue up in one place.
hsa_status_t hsa_amd_memory_copy_engine_status(hsa_agent_t dst_agent, hsa_agent_t src_agent,
                                               uint32_t* engine_ids_mask) {
    VROCM_OPEN(runtime);
    const Agent *to = runtime->agent(dst_agent), *from = runtime->agent(src_agent);
    VROCM_CHECK(to && from, HSA_STATUS_ERROR_INVALID_AGENT);
    VROCM_CHECK(engine_ids_mask, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(to->is_gpu() || from->is_gpu(), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    *engine_ids_mask = HSA_AMD_SDMA_ENGINE_0 | HSA_AMD_SDMA_ENGINE_1;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_get_preferred_copy_engine(hsa_agent_t dst_agent, hsa_agent_t src_agent,
                                                      uint32_t* recommended_ids_mask) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(runtime->agent(dst_agent) && runtime->agent(src_agent), HSA_STATUS_ERROR_INVALID_AGENT);
    VROCM_CHECK(recommended_ids_mask, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    *recommended_ids_mask = 0;
    return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_async_copy_rect(const hsa_pitched_ptr_t* dst, const hsa_dim3_t* dst_offset,
                                            const hsa_pitched_ptr_t* src, const hsa_dim3_t* src_offset,
                                            const hsa_dim3_t* range, hsa_agent_t copy_agent,
                                            hsa_amd_copy_direction_t dir, uint32_t num_dep_signals,
                                            const hsa_signal_t* dep_signals, hsa_signal_t completion_signal) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(dst && src && dst_offset && src_offset && range && dir != hsaHostToHost,
                HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK((num_dep_signals == 0) == (dep_signals == nullptr), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const Agent* agent = runtime->agent(copy_agent);
    VROCM_CHECK(agent && agent->is_gpu(), HSA_STATUS_ERROR_INVALID_AGENT);
    const auto status = check_signals(*runtime, num_dep_signals, dep_signals, completion_signal);
    if (status != HSA_STATUS_SUCCESS || range->x == 0 || range->y == 0 || range->z == 0) return status;
    runtime->copies.submit([to = *dst, to_offset = *dst_offset, from = *src, from_offset = *src_offset,
                            size = *range] { return copy_rect(to, to_offset, from, from_offset, size); },
                           {owner_of(*runtime, dst->base, {}), owner_of(*runtime, src->base, {}), dst->base, src->base,
                            std::uint64_t{range->x} * range->y * range->z},
                           dep_signals, num_dep_signals, signal_at(completion_signal));
    return HSA_STATUS_SUCCESS;
}

// ---- shared virtual memory ---------------------------------------------------------------------------------------

hsa_status_t hsa_amd_svm_attributes_set(void* ptr, size_t size, hsa_amd_svm_attribute_pair_t* attribute_list,
                                        size_t attribute_count) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(ptr && size && (attribute_list || attribute_count == 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->svm.set(reinterpret_cast<std::uint64_t>(ptr), size, attribute_list, attribute_count);
}

hsa_status_t hsa_amd_svm_attributes_get(void* ptr, size_t size, hsa_amd_svm_attribute_pair_t* attribute_list,
                                        size_t attribute_count) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(ptr && size && (attribute_list || attribute_count == 0), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    return runtime->svm.get(reinterpret_cast<std::uint64_t>(ptr), size, attribute_list, attribute_count);
}

// Memory does not move; what remains is the order of events.
hsa_status_t hsa_amd_svm_prefetch_async(void* ptr, size_t size, hsa_agent_t agent, uint32_t num_dep_signals,
                                        const hsa_signal_t* dep_signals, hsa_signal_t completion_signal) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(ptr && size, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK((num_dep_signals == 0) == (dep_signals == nullptr), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(runtime->agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
    VROCM_CHECK(completion_signal.handle == 0 || runtime->signals.valid(completion_signal),
                HSA_STATUS_ERROR_INVALID_SIGNAL);
    const auto begin = reinterpret_cast<std::uint64_t>(ptr);
    runtime->copies.submit(
        [runtime, begin, size, agent] {
            runtime->svm.prefetched(begin, size, agent);
            return true;
        },
        {}, dep_signals, num_dep_signals, completion_signal.handle ? signal_at(completion_signal) : nullptr);
    return HSA_STATUS_SUCCESS;
}

// ---- files ---------------------------------------------------------------------------------------------------------

namespace {

template <typename F>
hsa_status_t move_file(void* pointer, std::uint64_t size, std::int64_t offset, std::uint64_t* copied,
                       std::int32_t* status, F&& move) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(pointer && size, HSA_STATUS_ERROR_INVALID_ARGUMENT);
    VROCM_CHECK(runtime->memory.covers(pointer, size), HSA_STATUS_ERROR_INVALID_ALLOCATION);
    auto* const bytes = static_cast<char*>(runtime->memory.gpu_view(pointer, size));
    VROCM_CHECK(bytes, HSA_STATUS_ERROR_INVALID_ALLOCATION);
    std::uint64_t done = 0;
    ssize_t n = 1;
    while (done < size && (n = move(bytes + done, size - done, offset + static_cast<off_t>(done))) > 0)
        done += static_cast<std::uint64_t>(n);
    if (copied) *copied = done;
    if (status) *status = n < 0 ? errno : 0;
    return n < 0 ? HSA_STATUS_ERROR : HSA_STATUS_SUCCESS;
}

}  // namespace

hsa_status_t hsa_amd_ais_file_write(hsa_amd_ais_file_handle_t handle, void* devicePtr, uint64_t size,
                                    int64_t file_offset, uint64_t* size_copied, int32_t* status) {
    return move_file(devicePtr, size, file_offset, size_copied, status,
                     [&](void* p, std::uint64_t n, off_t at) { return pwrite(handle.fd, p, n, at); });
}

hsa_status_t hsa_amd_ais_file_read(hsa_amd_ais_file_handle_t handle, void* devicePtr, uint64_t size,
                                   int64_t file_offset, uint64_t* size_copied, int32_t* status) {
    return move_file(devicePtr, size, file_offset, size_copied, status,
                     [&](void* p, std::uint64_t n, off_t at) { return pread(handle.fd, p, n, at); });
}

}  // namespace vrocm::hsa::api
