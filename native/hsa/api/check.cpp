// What libamdhip64 says to the checkers.
#include "abi/vrocm/check.h"

#include "sim/checkers/options.h"
#include "sim/checkers/report.h"
#include "sim/checkers/uninitialised_bytes.h"
#include "sim/memory/address_space.h"

using namespace vrocm::sim;

int vrocm_check_wanted(void) {
    return checkers::checking();
}

void vrocm_check_allocated(const void* base, size_t size) {
    checkers::UninitialisedBytes::process().allocated(reinterpret_cast<std::uint64_t>(base), size);
}

void vrocm_check_written(const void* base, size_t size) {
    checkers::UninitialisedBytes::process().written(reinterpret_cast<std::uint64_t>(base), size);
}

void vrocm_check_leaked(const void* base) {
    if (const auto found = AddressSpace::process().find(reinterpret_cast<std::uint64_t>(base)))
        checkers::report_leak(*found);
}
