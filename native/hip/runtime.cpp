#include "hip/runtime.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>

#include "abi/hsa/hsa_ext_amd.h"
#include "hip/device/device.h"
#include "hip/device/fault.h"
#include "hip/error.h"
#include "hip/stream/stream.h"

namespace vrocm::hip {

namespace {

std::atomic<HipRuntime*> instance{nullptr};

struct AgentSearch {
    hsa_agent_t host{};
    std::vector<hsa_agent_t> gpus;
};

hsa_status_t note_agent(hsa_agent_t agent, void* data) {
    auto& found = *static_cast<AgentSearch*>(data);
    hsa_device_type_t type{};
    hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
    if (type == HSA_DEVICE_TYPE_CPU && !found.host.handle) found.host = agent;
    if (type == HSA_DEVICE_TYPE_GPU) found.gpus.push_back(agent);
    return HSA_STATUS_SUCCESS;
}

// HIP_VISIBLE_DEVICES: indices in the order wanted; the list ends at the first that is not valid.
std::vector<hsa_agent_t> visible(const std::vector<hsa_agent_t>& all) {
    const char* list = std::getenv("HIP_VISIBLE_DEVICES");
    if (!list) list = std::getenv("CUDA_VISIBLE_DEVICES");
    if (!list || !*list) return all;
    std::vector<hsa_agent_t> chosen;
    for (const char* at = list; *at;) {
        char* end = nullptr;
        const long index = std::strtol(at, &end, 10);
        if (end == at || index < 0 || index >= static_cast<long>(all.size())) break;
        chosen.push_back(all[static_cast<std::size_t>(index)]);
        at = *end == ',' ? end + 1 : end;
        if (*end && *end != ',') break;
    }
    return chosen;
}

// Runs after the static destructors of the program: what is still in flight ends, and prints.
struct AtUnload {
    ~AtUnload() {
        HipRuntime* runtime = HipRuntime::get_if_initialised();
        if (!runtime || sticky_error() != hipSuccess) return;
        for (const auto& device : runtime->devices()) device->synchronize();
        hsa_shut_down();
    }
} at_unload;

}  // namespace

HipRuntime& HipRuntime::get() {
    if (HipRuntime* made = instance.load(std::memory_order_acquire)) return *made;
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    if (!instance.load(std::memory_order_relaxed)) instance.store(new HipRuntime, std::memory_order_release);
    return *instance.load(std::memory_order_relaxed);
}

HipRuntime* HipRuntime::get_if_initialised() {
    return instance.load(std::memory_order_acquire);
}

HipRuntime::HipRuntime() {
    require(hsa_init() == HSA_STATUS_SUCCESS, hipErrorNoDevice);
    hsa_amd_profiling_async_copy_enable(true);
    find_agents();
    for (std::size_t i = 0; i < gpu_agents_.size(); ++i)
        devices_.push_back(std::make_unique<Device>(static_cast<int>(i), gpu_agents_[i], host_));
}

void HipRuntime::find_agents() {
    AgentSearch found;
    require_hsa(hsa_iterate_agents(note_agent, &found));
    host_ = found.host;
    gpu_agents_ = visible(found.gpus);
    require(!gpu_agents_.empty(), hipErrorNoDevice);
}

Device& HipRuntime::device(int id) {
    require(id >= 0 && id < device_count(), hipErrorInvalidDevice);
    return *devices_[static_cast<std::size_t>(id)];
}

void HipRuntime::flush_printf_of_all_streams() {
    HipRuntime* runtime = get_if_initialised();
    if (!runtime) return;
    for (const auto& device : runtime->devices()) {
        std::lock_guard lock(device->submission());
        for (Stream* stream : device->streams()) stream->flush_printf(true);
    }
}

}  // namespace vrocm::hip
