#include "capture/calls/original.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

namespace rpl::capture {

Original& original() {
    static auto* instance = new Original;  // never destroyed: the application's threads may outlive static destructors
    return *instance;
}

namespace {

template <class Table>
bool save_table(Table& into, const Table& from, std::uint32_t major) {
    if (from.version.major_id != major) return false;
    std::memcpy(static_cast<void*>(&into), &from, std::min<std::size_t>(from.version.minor_id, sizeof into));
    return true;
}

}  // namespace

bool Original::save(const HsaApiTable& table, std::string& reason) {
    if (save_table(core, *table.core_, HSA_CORE_API_TABLE_MAJOR_VERSION) &&
        save_table(amd, *table.amd_ext_, HSA_AMD_EXT_API_TABLE_MAJOR_VERSION) && amd.hsa_amd_queue_intercept_create_fn)
        return true;
    reason = "this HSA runtime has other API tables (versions " + std::to_string(table.core_->version.major_id) + ", " +
             std::to_string(table.amd_ext_->version.major_id) + ") than those known, of ROCm 6 and 7";
    return false;
}

const hsa_ven_amd_loader_1_01_pfn_t* Original::loader() {
    static hsa_ven_amd_loader_1_01_pfn_t table{};
    static std::once_flag once;
    std::call_once(once, [this] {
        const hsa_status_t status =
            core.hsa_system_get_major_extension_table_fn(HSA_EXTENSION_AMD_LOADER, 1, sizeof table, &table);
        if (status != HSA_STATUS_SUCCESS) table = {};
    });
    return table.hsa_ven_amd_loader_loaded_code_object_get_info ? &table : nullptr;
}

std::string Original::name_of(hsa_status_t status) const {
    const char* text = nullptr;
    if (core.hsa_status_string_fn(status, &text) == HSA_STATUS_SUCCESS && text) return text;
    return "status " + std::to_string(status);
}

void Original::check(hsa_status_t status, const char* call) const {
    if (status != HSA_STATUS_SUCCESS) throw CaptureError(std::string(call) + ": " + name_of(status));
}

hsa_signal_value_t peek(hsa_signal_t signal) {
    volatile hsa_signal_value_t* value = nullptr;
    if (original().amd.hsa_amd_signal_value_pointer_fn &&
        original().amd.hsa_amd_signal_value_pointer_fn(signal, &value) == HSA_STATUS_SUCCESS && value) {
        const hsa_signal_value_t now = *value;
        std::atomic_thread_fence(std::memory_order_acquire);
        return now;
    }
    return original().core.hsa_signal_load_scacquire_fn(signal);
}

hsa_signal_t make_signal(hsa_signal_value_t value) {
    hsa_signal_t signal{0};
    original().core.hsa_signal_create_fn(value, 0, nullptr, &signal);
    return signal;
}

}  // namespace rpl::capture
