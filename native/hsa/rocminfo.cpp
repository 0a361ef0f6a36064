// rocminfo: what the HSA runtime says about the system, in the layout that build scripts search.
#include <cinttypes>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <string>

#include "abi/hsa/hsa_ext_amd.h"

namespace {

constexpr int kLabelWidth = 25;

void line(int indent, const char* label, const char* format, ...) __attribute__((format(printf, 3, 4)));
void line(int indent, const char* label, const char* format, ...) {
    std::printf("%*s%-*s", indent, "", kLabelWidth, label);
    va_list arguments;
    va_start(arguments, format);
    std::vprintf(format, arguments);
    va_end(arguments);
    std::putchar('\n');
}

// A number in decimal and hexadecimal, as rocminfo has always printed them.
void number(int indent, const char* label, std::uint64_t value, const char* unit = "") {
    line(indent, label, "%" PRIu64 "(0x%" PRIx64 ")%s", value, value, unit);
}

void heading(const char* what, int index) {
    char label[24];
    std::snprintf(label, sizeof label, "%s %d", what, index);
    line(4, label, "%s", "");
}

template <typename T>
T agent_info(hsa_agent_t agent, int attribute) {
    T value{};
    hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(attribute), &value);
    return value;
}

std::string agent_text(hsa_agent_t agent, int attribute) {
    char text[64] = {};
    hsa_agent_get_info(agent, static_cast<hsa_agent_info_t>(attribute), text);
    return text;
}

const char* truth(bool value) {
    return value ? "TRUE" : "FALSE";
}

void print_system() {
    std::uint16_t major = 0, minor = 0, ext_major = 0, ext_minor = 0;
    std::uint64_t frequency = 0, max_wait = 0;
    bool xnack = false, dmabuf = false, vmm = false;
    hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major);
    hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MINOR, &minor);
    hsa_system_get_info(HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR, &ext_major);
    hsa_system_get_info(HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR, &ext_minor);
    hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency);
    hsa_system_get_info(HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT, &max_wait);
    hsa_system_get_info(HSA_AMD_SYSTEM_INFO_XNACK_ENABLED, &xnack);
    hsa_system_get_info(HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED, &dmabuf);
    hsa_system_get_info(HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED, &vmm);
    std::printf("=====================    \nHSA System Attributes    \n=====================    \n");
    line(0, "Runtime Version:", "%u.%u", major, minor);
    line(0, "Runtime Ext Version:", "%u.%u", ext_major, ext_minor);
    line(0, "System Timestamp Freq.:", "%fMHz", static_cast<double>(frequency) / 1e6);
    line(0, "Sig. Max Wait Duration:", "%" PRIu64 " (0x%" PRIX64 ") (timestamp count)", max_wait, max_wait);
    line(0, "Machine Model:", "LARGE");
    line(0, "System Endianness:", "LITTLE");
    line(0, "Mwaitx:", "DISABLED");
    line(0, "XNACK enabled:", "%s", xnack ? "YES" : "NO");
    line(0, "DMAbuf Support:", "%s", dmabuf ? "YES" : "NO");
    line(0, "VMM Support:", "%s", vmm ? "YES" : "NO");
    std::printf("\n==========               \nHSA Agents               \n==========               \n");
}

void print_caches(hsa_agent_t agent) {
    const auto print = [](hsa_cache_t cache, void*) {
        std::uint8_t level = 0;
        std::uint32_t size = 0;
        hsa_cache_get_info(cache, HSA_CACHE_INFO_LEVEL, &level);
        hsa_cache_get_info(cache, HSA_CACHE_INFO_SIZE, &size);
        char label[8];
        std::snprintf(label, sizeof label, "L%u:", level);
        number(4, label, size / 1024, " KB");
        return HSA_STATUS_SUCCESS;
    };
    line(2, "Cache Info:", "%s", "");
    hsa_agent_iterate_caches(agent, print, nullptr);
}

std::string segment_text(hsa_amd_segment_t segment, std::uint32_t flags) {
    if (segment == HSA_AMD_SEGMENT_GROUP) return "GROUP";
    std::string text = "GLOBAL; FLAGS: ";
    std::string list;
    const auto add = [&list](const char* name) { list += (list.empty() ? "" : ", ") + std::string(name); };
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) add("KERNARG");
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED) add("FINE GRAINED");
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_EXTENDED_SCOPE_FINE_GRAINED) add("EXTENDED FINE GRAINED");
    if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED) add("COARSE GRAINED");
    return text + list;
}

hsa_status_t print_pool(hsa_amd_memory_pool_t pool, void* counter) {
    hsa_amd_segment_t segment{};
    std::uint32_t flags = 0;
    std::size_t size = 0, granule = 0, recommended = 0, alignment = 0;
    bool allocatable = false, all = false;
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size);
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allocatable);
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, &granule);
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_REC_GRANULE, &recommended);
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT, &alignment);
    hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL, &all);
    heading("Pool", ++*static_cast<int*>(counter));
    line(6, "Segment:", "%s", segment_text(segment, flags).c_str());
    number(6, "Size:", size / 1024, " KB");
    line(6, "Allocatable:", "%s", truth(allocatable));
    line(6, "Alloc Granule:", "%zuKB", granule / 1024);
    line(6, "Alloc Recommended Granule:", "%zuKB", recommended / 1024);
    line(6, "Alloc Alignment:", "%zuKB", alignment / 1024);
    line(6, "Accessible by all:", "%s", truth(all));
    return HSA_STATUS_SUCCESS;
}

void print_grid(int indent, hsa_dim3_t grid) {
    number(indent, "x", grid.x);
    number(indent, "y", grid.y);
    number(indent, "z", grid.z);
}

hsa_status_t print_isa(hsa_isa_t isa, void* counter) {
    std::uint32_t length = 0, workgroup = 0, fbarriers = 0;
    hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length);
    std::string name(length, '\0');
    hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name.data());
    std::uint16_t sides[3] = {};
    hsa_dim3_t grid{};
    std::uint64_t grid_size = 0;
    hsa_isa_get_info_alt(isa, HSA_ISA_INFO_WORKGROUP_MAX_SIZE, &workgroup);
    hsa_isa_get_info_alt(isa, HSA_ISA_INFO_WORKGROUP_MAX_DIM, sides);
    hsa_isa_get_info_alt(isa, HSA_ISA_INFO_GRID_MAX_DIM, &grid);
    hsa_isa_get_info_alt(isa, HSA_ISA_INFO_GRID_MAX_SIZE, &grid_size);
    hsa_isa_get_info_alt(isa, HSA_ISA_INFO_FBARRIER_MAX_SIZE, &fbarriers);
    heading("ISA", ++*static_cast<int*>(counter));
    line(6, "Name:", "%s", name.c_str());
    line(6, "Machine Models:", "HSA_MACHINE_MODEL_LARGE");
    line(6, "Profiles:", "HSA_PROFILE_BASE");
    line(6, "Default Rounding Mode:", "NEAR");
    line(6, "Fast f16:", "TRUE");
    number(6, "Workgroup Max Size:", workgroup);
    line(6, "Workgroup Max Size per Dimension:", "%s", "");
    print_grid(8, {sides[0], sides[1], sides[2]});
    number(6, "Grid Max Size:", grid_size & 0xffffffffu);
    line(6, "Grid Max Size per Dimension:", "%s", "");
    print_grid(8, grid);
    line(6, "FBarrier Max Size:", "%u", fbarriers);
    return HSA_STATUS_SUCCESS;
}

void print_gpu_limits(hsa_agent_t agent) {
    line(2, "Fast F16 Operation:", "%s", truth(agent_info<bool>(agent, HSA_AGENT_INFO_FAST_F16_OPERATION)));
    number(2, "Wavefront Size:", agent_info<std::uint32_t>(agent, HSA_AGENT_INFO_WAVEFRONT_SIZE));
    number(2, "Workgroup Max Size:", agent_info<std::uint32_t>(agent, HSA_AGENT_INFO_WORKGROUP_MAX_SIZE));
    std::uint16_t sides[3] = {};
    hsa_agent_get_info(agent, HSA_AGENT_INFO_WORKGROUP_MAX_DIM, sides);
    line(2, "Workgroup Max Size per Dimension:", "%s", "");
    print_grid(4, {sides[0], sides[1], sides[2]});
    const auto waves = agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU);
    number(2, "Max Waves Per CU:", waves);
    number(2, "Max Work-item Per CU:", waves * agent_info<std::uint32_t>(agent, HSA_AGENT_INFO_WAVEFRONT_SIZE));
    number(2, "Grid Max Size:", agent_info<std::uint32_t>(agent, HSA_AGENT_INFO_GRID_MAX_SIZE));
    line(2, "Grid Max Size per Dimension:", "%s", "");
    print_grid(4, agent_info<hsa_dim3_t>(agent, HSA_AGENT_INFO_GRID_MAX_DIM));
    line(2, "Max fbarriers/Workgrp:", "%u", agent_info<std::uint32_t>(agent, HSA_AGENT_INFO_FBARRIER_MAX_SIZE));
    line(2, "Packet Processor uCode::", "%u", agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_UCODE_VERSION));
    line(2, "SDMA engine uCode::", "%u", agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION));
    line(2, "IOMMU Support::", "None");
}

void print_hardware(hsa_agent_t agent) {
    number(2, "Chip ID:", agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_CHIP_ID));
    number(2, "ASIC Revision:", agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_ASIC_REVISION));
    number(2, "Cacheline Size:", agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_CACHELINE_SIZE));
    line(2, "Max Clock Freq. (MHz):", "%u", agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY));
    line(2, "BDFID:", "%u", agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_BDFID));
    line(2, "Internal Node ID:", "%u", agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_DRIVER_NODE_ID));
    line(2, "Compute Unit:", "%u", agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT));
    line(2, "SIMDs per CU:", "%u", agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU));
    line(2, "Shader Engines:", "%u", agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES));
    line(2, "Shader Arrs. per Eng.:", "%u",
         agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE));
    line(2, "WatchPts on Addr. Ranges:", "%u",
         agent_info<std::uint32_t>(agent, HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS));
    line(2, "Coherent Host Access:", "%s", truth(agent_info<bool>(agent, HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS)));
}

hsa_status_t print_agent(hsa_agent_t agent, void* counter) {
    const bool gpu = agent_info<hsa_device_type_t>(agent, HSA_AGENT_INFO_DEVICE) == HSA_DEVICE_TYPE_GPU;
    std::printf("*******                  \nAgent %d                  \n*******                  \n",
                ++*static_cast<int*>(counter));
    line(2, "Name:", "%s", agent_text(agent, HSA_AGENT_INFO_NAME).c_str());
    line(2, "Uuid:", "%s", agent_text(agent, HSA_AMD_AGENT_INFO_UUID).c_str());
    line(2, "Marketing Name:", "%s", agent_text(agent, HSA_AMD_AGENT_INFO_PRODUCT_NAME).c_str());
    line(2, "Vendor Name:", "%s", agent_text(agent, HSA_AGENT_INFO_VENDOR_NAME).c_str());
    line(2, "Feature:", "%s", gpu ? "KERNEL_DISPATCH" : "None specified");
    line(2, "Profile:", "%s", gpu ? "BASE_PROFILE" : "FULL_PROFILE");
    line(2, "Float Round Mode:", "NEAR");
    number(2, "Max Queue Number:", agent_info<std::uint32_t>(agent, HSA_AGENT_INFO_QUEUES_MAX));
    number(2, "Queue Min Size:", agent_info<std::uint32_t>(agent, HSA_AGENT_INFO_QUEUE_MIN_SIZE));
    number(2, "Queue Max Size:", agent_info<std::uint32_t>(agent, HSA_AGENT_INFO_QUEUE_MAX_SIZE));
    line(2, "Queue Type:", "MULTI");
    line(2, "Node:", "%u", agent_info<std::uint32_t>(agent, HSA_AGENT_INFO_NODE));
    line(2, "Device Type:", "%s", gpu ? "GPU" : "CPU");
    print_caches(agent);
    print_hardware(agent);
    line(2, "Features:", "%s", gpu ? "KERNEL_DISPATCH" : "None");
    if (gpu) print_gpu_limits(agent);
    line(2, "Pool Info:", "%s", "");
    int pools = 0, isas = 0;
    hsa_amd_agent_iterate_memory_pools(agent, print_pool, &pools);
    line(2, "ISA Info:", "%s", "");
    hsa_agent_iterate_isas(agent, print_isa, &isas);
    return HSA_STATUS_SUCCESS;
}

}  // namespace

int main() {
    if (const hsa_status_t status = hsa_init(); status != HSA_STATUS_SUCCESS) {
        const char* text = nullptr;
        hsa_status_string(status, &text);
        std::fprintf(stderr, "rocminfo: hsa_init failed: %s\n", text ? text : "unknown status");
        return 1;
    }
    print_system();
    int agents = 0;
    const hsa_status_t status = hsa_iterate_agents(print_agent, &agents);
    std::printf("*** Done ***             \n");
    hsa_shut_down();
    return status == HSA_STATUS_SUCCESS ? 0 : 1;
}
