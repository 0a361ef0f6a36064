// What the test programs share: checks that end the program, and the usual steps of an HSA client.
#pragma once

#include <hsa/hsa.h>
#include <hsa/hsa_api_trace.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ven_amd_loader.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                                  \
        }                                                                                  \
    } while (0)
#define CHECK_STATUS(call, expected)                                                                              \
    do {                                                                                                          \
        const int status_ = static_cast<int>(call);                                                               \
        if (status_ != static_cast<int>(expected)) {                                                              \
            std::fprintf(stderr, "%s:%d: %s gave 0x%x, not %s\n", __FILE__, __LINE__, #call, status_, #expected); \
            std::exit(1);                                                                                         \
        }                                                                                                         \
    } while (0)
#define OK(call) CHECK_STATUS(call, HSA_STATUS_SUCCESS)

inline std::vector<hsa_agent_t> agents(hsa_device_type_t type) {
    struct Search {
        hsa_device_type_t type;
        std::vector<hsa_agent_t> found;
    } search{type, {}};
    OK(hsa_iterate_agents(
        [](hsa_agent_t agent, void* data) {
            auto* s = static_cast<Search*>(data);
            hsa_device_type_t kind;
            OK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &kind));
            if (kind == s->type) s->found.push_back(agent);
            return HSA_STATUS_SUCCESS;
        },
        &search));
    return search.found;
}

inline hsa_agent_t cpu() {
    return agents(HSA_DEVICE_TYPE_CPU).at(0);
}
inline hsa_agent_t gpu(std::size_t index = 0) {
    return agents(HSA_DEVICE_TYPE_GPU).at(index);
}

// The first pool of the agent with exactly these global flags.
inline hsa_amd_memory_pool_t pool(hsa_agent_t agent, std::uint32_t flags) {
    struct Search {
        std::uint32_t flags;
        hsa_amd_memory_pool_t found{0};
    } search{flags};
    hsa_amd_agent_iterate_memory_pools(
        agent,
        [](hsa_amd_memory_pool_t candidate, void* data) {
            auto* s = static_cast<Search*>(data);
            hsa_amd_segment_t segment;
            std::uint32_t has = 0;
            OK(hsa_amd_memory_pool_get_info(candidate, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
            OK(hsa_amd_memory_pool_get_info(candidate, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &has));
            if (segment != HSA_AMD_SEGMENT_GLOBAL || has != s->flags) return HSA_STATUS_SUCCESS;
            s->found = candidate;
            return HSA_STATUS_INFO_BREAK;
        },
        &search);
    CHECK(search.found.handle != 0);
    return search.found;
}

inline hsa_amd_memory_pool_t device_pool(std::size_t index = 0) {
    return pool(gpu(index), HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);
}
inline hsa_amd_memory_pool_t kernarg_pool() {
    return pool(cpu(), HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT | HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
}

template <typename T>
T* allocate(hsa_amd_memory_pool_t from, std::size_t count) {
    void* p = nullptr;
    OK(hsa_amd_memory_pool_allocate(from, count * sizeof(T), 0, &p));
    return static_cast<T*>(p);
}

inline hsa_signal_t make_signal(hsa_signal_value_t value) {
    hsa_signal_t signal{};
    OK(hsa_signal_create(value, 0, nullptr, &signal));
    return signal;
}

// Waits with a limit, so that a lost wake-up is a failure and not a hang.
inline void wait_for(hsa_signal_t signal, hsa_signal_value_t value, std::uint64_t seconds = 60) {
    const auto seen = hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_EQ, value, seconds * 1'000'000'000ull,
                                                HSA_WAIT_STATE_BLOCKED);
    if (seen != value) {
        std::fprintf(stderr, "a signal stayed at %lld instead of %lld\n", static_cast<long long>(seen),
                     static_cast<long long>(value));
        std::exit(1);
    }
}

// The code object named by the first argument of the program.
inline std::vector<char> read_file(const char* path) {
    std::ifstream file(path, std::ios::binary);
    CHECK(file.good());
    return {std::istreambuf_iterator<char>(file), {}};
}

class Module {
  public:
    Module(const char* path, hsa_agent_t agent) : agent_(agent), bytes_(read_file(path)) {
        OK(hsa_code_object_reader_create_from_memory(bytes_.data(), bytes_.size(), &reader_));
        OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &executable_));
        OK(hsa_executable_load_agent_code_object(executable_, agent, reader_, nullptr, &loaded_));
        OK(hsa_executable_freeze(executable_, nullptr));
    }
    hsa_executable_symbol_t symbol(const std::string& name) const {
        hsa_executable_symbol_t symbol{};
        OK(hsa_executable_get_symbol_by_name(executable_, name.c_str(), &agent_, &symbol));
        return symbol;
    }
    std::uint64_t kernel(const std::string& name) const {
        std::uint64_t object = 0;
        OK(hsa_executable_symbol_get_info(symbol(name + ".kd"), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object));
        return object;
    }
    hsa_executable_t executable() const { return executable_; }
    hsa_loaded_code_object_t loaded() const { return loaded_; }
    const std::vector<char>& bytes() const { return bytes_; }

  private:
    hsa_agent_t agent_;
    std::vector<char> bytes_;
    hsa_code_object_reader_t reader_{};
    hsa_executable_t executable_{};
    hsa_loaded_code_object_t loaded_{};
};

inline hsa_queue_t* make_queue(hsa_agent_t agent, std::uint32_t size = 64,
                               void (*callback)(hsa_status_t, hsa_queue_t*, void*) = nullptr, void* data = nullptr) {
    hsa_queue_t* queue = nullptr;
    OK(hsa_queue_create(agent, size, HSA_QUEUE_TYPE_MULTI, callback, data, UINT32_MAX, UINT32_MAX, &queue));
    return queue;
}

constexpr std::uint16_t header(hsa_packet_type_t type, bool barrier = false) {
    return static_cast<std::uint16_t>((type << HSA_PACKET_HEADER_TYPE) | (barrier << HSA_PACKET_HEADER_BARRIER) |
                                      (HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE) |
                                      (HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE));
}

// Writes a packet as clients do: body first, header last, then the doorbell. `head` holds header and setup.
template <typename Packet>
std::uint64_t submit(hsa_queue_t* queue, const Packet& packet, std::uint32_t head) {
    static_assert(sizeof(Packet) == 64);
    const std::uint64_t index = hsa_queue_add_write_index_scacq_screl(queue, 1);
    while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size) {
    }
    char* slot = static_cast<char*>(queue->base_address) + (index & (queue->size - 1)) * 64;
    std::memcpy(slot + 4, reinterpret_cast<const char*>(&packet) + 4, 60);
    __atomic_store_n(reinterpret_cast<std::uint32_t*>(slot), head, __ATOMIC_RELEASE);
    hsa_signal_store_screlease(queue->doorbell_signal, static_cast<hsa_signal_value_t>(index));
    return index;
}

inline hsa_kernel_dispatch_packet_t kernel_packet(std::uint64_t kernel, void* arguments, std::uint32_t items,
                                                  std::uint16_t group, hsa_signal_t done) {
    hsa_kernel_dispatch_packet_t p{};
    p.workgroup_size_x = group;
    p.workgroup_size_y = p.workgroup_size_z = 1;
    p.grid_size_x = items;
    p.grid_size_y = p.grid_size_z = 1;
    p.kernel_object = kernel;
    p.kernarg_address = arguments;
    p.completion_signal = done;
    return p;
}

constexpr std::uint32_t kKernelHead = header(HSA_PACKET_TYPE_KERNEL_DISPATCH) | (1u << 16);

// Kernel arguments laid out one after another, each at its natural alignment.
class Arguments {
  public:
    template <typename... T>
    explicit Arguments(T... values) : memory_(allocate<char>(kernarg_pool(), 256)) {
        (add(values), ...);
    }
    ~Arguments() { hsa_amd_memory_pool_free(memory_); }
    Arguments(const Arguments&) = delete;
    void* get() const { return memory_; }

  private:
    template <typename T>
    void add(T value) {
        used_ = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
        std::memcpy(memory_ + used_, &value, sizeof value);
        used_ += sizeof value;
    }
    char* memory_;
    std::size_t used_ = 0;
};

// One kernel from submission to completion.
inline void run(hsa_queue_t* queue, std::uint64_t kernel, const Arguments& arguments, std::uint32_t items,
                std::uint16_t group) {
    const hsa_signal_t done = make_signal(1);
    submit(queue, kernel_packet(kernel, arguments.get(), items, group, done), kKernelHead);
    wait_for(done, 0);
    OK(hsa_signal_destroy(done));
}
