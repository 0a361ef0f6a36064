#include "hsa/tracing/objects.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

#include "hsa/agent/isa.h"
#include "hsa/code/executable.h"
#include "hsa/queue/queue.h"
#include "hsa/tracing/thread_traces.h"
#include "sim/code/kernel.h"
#include "trace/log.h"

namespace vrocm::hsa {

namespace {

using trace::Kind;
using trace::Payload;

std::atomic<std::uint64_t> last_code_object{0}, last_kernel{0};

struct KernelIds {
    std::mutex mutex;
    struct Kernel {
        std::uint64_t id = 0;
        std::string symbol;
    };
    std::unordered_map<std::uint64_t, Kernel> by_address;
    Kernel find(std::uint64_t kernel_object) {
        std::lock_guard lock(mutex);
        const auto found = by_address.find(kernel_object);
        return found == by_address.end() ? Kernel() : found->second;
    }
};
KernelIds& kernel_ids() {
    static auto* ids = new KernelIds;
    return *ids;
}

std::string text_info(const Agent& agent, std::uint32_t attribute) {
    char text[64] = {};
    agent.info(attribute, text);
    return text;
}

std::uint32_t number_info(const Agent& agent, std::uint32_t attribute) {
    std::uint32_t value = 0;
    agent.info(attribute, &value);
    return value;
}

// What a tracer reports of a GPU, by the names of rocprofiler-sdk's agent properties.
std::string properties(const Agent& agent) {
    std::string text;
    const auto add = [&text](const char* name, std::uint64_t value) {
        text.append(name).append("=").append(std::to_string(value)).append("\n");
    };
    if (!agent.is_gpu()) {
        add("cpu_cores_count", number_info(agent, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT));
        return text;
    }
    const GpuModel& m = agent.model();
    add("cu_count", m.compute_units);
    add("simd_per_cu", m.simds_per_cu);
    add("max_waves_per_cu", m.waves_per_cu);
    add("lds_size_in_kb", m.lds_bytes >> 10);
    add("wave_front_size", kWavefrontSize);
    add("num_xcc", m.xccs);
    add("array_count", std::uint64_t{m.shader_engines} * m.shader_arrays_per_engine);
    add("simd_arrays_per_engine", m.shader_arrays_per_engine);
    add("num_shader_banks", m.shader_engines);
    add("device_id", m.chip_id);
    add("family_id", m.family_id);
    add("location_id", number_info(agent, HSA_AMD_AGENT_INFO_BDFID));
    add("drm_render_minor", number_info(agent, HSA_AMD_AGENT_INFO_DRIVER_UID));
    add("num_sdma_engines", m.sdma_engines);
    add("num_sdma_xgmi_engines", m.xgmi_sdma_engines);
    add("max_engine_clk_fcompute", m.clock_mhz);
    add("fw_version", number_info(agent, HSA_AMD_AGENT_INFO_UCODE_VERSION));
    add("sdma_fw_version", number_info(agent, HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION));
    add("workgroup_max_size", kMaxWorkgroupSize);
    add("local_mem_size", m.memory_bytes);
    add("mem_width", m.memory_bus_bits);
    add("mem_clk_max", m.memory_mhz);
    add("l1_bytes", m.l1_bytes);
    add("l2_bytes", m.l2_bytes);
    add("l3_bytes", m.l3_bytes);
    add("cacheline_bytes", m.cacheline_bytes);
    return text;
}

}  // namespace

void trace_agent(const Agent& agent) {
    Payload record;
    const unsigned of_type = agent.is_gpu() ? agent.index() - 1 : 0;  // the one CPU comes first
    record.numbers(agent.handle().handle, agent.is_gpu(), agent.index(), of_type);
    record.text(text_info(agent, HSA_AGENT_INFO_NAME)).text(agent.is_gpu() ? agent.model().key : "");
    record.text(text_info(agent, HSA_AGENT_INFO_VENDOR_NAME)).text(text_info(agent, HSA_AMD_AGENT_INFO_PRODUCT_NAME));
    record.text(text_info(agent, HSA_AMD_AGENT_INFO_UUID)).text(properties(agent));
    append(Kind::Agent, record);
}

std::uint64_t traced_queue_id(const Queue& queue) {
    return queue.handle()->id + 1;  // 0 means that no queue is known
}

void trace_queue(const Queue& queue) {
    append(Kind::Queue, Payload().numbers(traced_queue_id(queue), queue.agent().handle().handle));
}

std::uint64_t trace_code_object(const LoadedCodeObject& object) {
    const std::uint64_t id = ++last_code_object;
    Payload record;
    record.numbers(id, object.agent->handle().handle).text(object.source.uri);
    record.numbers(object.base, object.size, object.delta, object.source.storage);
    append(Kind::CodeObject, record);
    keep_code_object(object, id);
    return id;
}

void trace_kernel(const ExecutableSymbol& symbol, std::uint64_t code_object) {
    const std::uint64_t id = ++last_kernel;
    std::uint8_t bytes[sim::kDescriptorBytes];
    std::memcpy(bytes, reinterpret_cast<const void*>(symbol.address), sizeof bytes);
    const auto descriptor = sim::KernelDescriptor::parse(bytes);
    // The descriptor counts registers in steps of 16 (SGPRs, field of 4 bits in steps of 8) and 8 (VGPRs of both files
    // together); the accumulation file begins where the other ends.
    const unsigned sgprs = ((descriptor.rsrc1 >> 6 & 0xf) / 2 + 1) * 16;
    const unsigned arch_vgprs = std::min(descriptor.accum_offset(), descriptor.vgprs());
    Payload record;
    record.numbers(id, code_object).text(symbol.name);
    record.numbers(symbol.address, symbol.kernarg_size, kKernargAlignment, symbol.group_size, symbol.private_size);
    record.numbers(sgprs, arch_vgprs, descriptor.vgprs() - arch_vgprs, descriptor.entry_offset);
    append(Kind::KernelSymbol, record);
    std::lock_guard lock(kernel_ids().mutex);
    kernel_ids().by_address[symbol.address] = {id, symbol.name};
}

std::uint64_t traced_kernel_id(std::uint64_t kernel_object) {
    return kernel_ids().find(kernel_object).id;
}

std::string traced_kernel_symbol(std::uint64_t kernel_object) {
    return kernel_ids().find(kernel_object).symbol;
}

}  // namespace vrocm::hsa
