// The functions of the runtime as they were before this library put its own in their places, and the few questions
// asked of them everywhere.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "abi/hsa/hsa_api_trace.h"
#include "abi/hsa/hsa_ven_amd_loader.h"

namespace rpl::capture {

// A capture that cannot be made; the application goes on without it.
struct CaptureError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Members of the tables that this runtime does not have are null.
struct Original {
    CoreApiTable core{};
    AmdExtTable amd{};
    // Filled when it is first asked for: the loader extension cannot be had while the runtime starts.
    const hsa_ven_amd_loader_1_01_pfn_t* loader();

    // False, with the reason, when the tables are not those of ROCm 6 or 7.
    bool save(const HsaApiTable& table, std::string& reason);
    std::string name_of(hsa_status_t status) const;
    // Throws CaptureError that names the call.
    void check(hsa_status_t status, const char* call) const;
};

Original& original();

// The value that is in memory now, with no regard to what time the runtime says it is.
hsa_signal_value_t peek(hsa_signal_t signal);
// A signal of the library's own; a handle of 0 when there is none to be had.
hsa_signal_t make_signal(hsa_signal_value_t value);

// Puts `function` in the place of `name` when the table has it, and the original was saved.
#define RPL_REPLACE(table, name, function)                                                                 \
    do {                                                                                                   \
        using Table = std::remove_reference_t<decltype(*(table))>;                                         \
        if (offsetof(Table, name##_fn) + sizeof(void*) <= (table)->version.minor_id && (table)->name##_fn) \
            (table)->name##_fn = function;                                                                 \
    } while (0)

}  // namespace rpl::capture
