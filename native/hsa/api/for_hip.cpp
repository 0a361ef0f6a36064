// What libamdhip64 asks for beyond the API: copies that hardware does with blit kernels (abi/vrocm/clock.h), and what
// it says to the checkers (abi/vrocm/check.h).
#include <memory>

#include "abi/vrocm/check.h"
#include "abi/vrocm/clock.h"
#include "hsa/api/functions.h"
#include "sim/checkers/options.h"
#include "sim/checkers/report.h"
#include "sim/checkers/uninitialised_bytes.h"
#include "sim/memory/address_space.h"

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

int vrocm_check_wanted(void) {
    return vrocm::sim::checkers::checking();
}

void vrocm_check_allocated(const void* base, size_t size) {
    vrocm::sim::checkers::UninitialisedBytes::process().allocated(reinterpret_cast<std::uint64_t>(base), size);
}

void vrocm_check_written(const void* base, size_t size) {
    vrocm::sim::checkers::UninitialisedBytes::process().written(reinterpret_cast<std::uint64_t>(base), size);
}

void vrocm_check_leaked(const void* base) {
    if (const auto found = vrocm::sim::AddressSpace::process().find(reinterpret_cast<std::uint64_t>(base)))
        vrocm::sim::checkers::report_leak(*found);
}
