// Fills and copies for libamdhip64 that hardware does with blit kernels (abi/vrocm/clock.h).
#include <memory>

#include "abi/vrocm/clock.h"
#include "hsa/api/functions.h"

using namespace vrocm::hsa;

extern "C" hsa_status_t vrocm_clock_blit(const vrocm_blit_work* work, uint32_t dependency_count,
                                         const hsa_signal_t* dependencies, hsa_signal_t completion) {
    VROCM_OPEN(runtime);
    VROCM_CHECK(runtime->signals.valid(completion), HSA_STATUS_ERROR_INVALID_SIGNAL);
    for (uint32_t i = 0; i < dependency_count; ++i)
        VROCM_CHECK(runtime->signals.valid(dependencies[i]), HSA_STATUS_ERROR_INVALID_SIGNAL);
    const std::shared_ptr<void> data(work->data, work->release);
    CopyTraffic traffic{work->to, work->from, const_cast<void*>(work->target), work->source, work->bytes, false};
    traffic.fill = work->kind == VROCM_BLIT_FILL;
    runtime->copies.submit([data, function = work->function] { return function(data.get()) != 0; }, traffic,
                           dependencies, dependency_count, signal_at(completion));
    return HSA_STATUS_SUCCESS;
}
