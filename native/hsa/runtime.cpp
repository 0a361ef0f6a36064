#include "hsa/runtime.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "hsa/api/table.h"
#include "hsa/queue/command_processor.h"
#include "hsa/time/clock.h"
#include "hsa/tools.h"
#include "hsa/tracing/objects.h"
#include "sim/checkers/options.h"
#include "sim/checkers/report.h"
#include "sim/memory/address_space.h"
#include "sim/timing/mode.h"
#include "trace/log.h"

namespace vrocm::hsa {

namespace {

constexpr unsigned kMaxGpus = 16;

unsigned gpu_count() {
    const char* text = std::getenv("VROCM_DEVICES");
    if (!text || !*text) return 1;
    const long count = std::strtol(text, nullptr, 10);
    return static_cast<unsigned>(std::clamp(count, 0l, static_cast<long>(kMaxGpus)));
}

// GPUs to show and their order: ROCR_VISIBLE_DEVICES names them by number or by UUID; an entry that names none
// ends the list, as in ROCr.
std::vector<unsigned> visible_gpus(unsigned count) {
    std::vector<unsigned> gpus;
    const char* text = std::getenv("ROCR_VISIBLE_DEVICES");
    if (!text) {
        for (unsigned i = 0; i < count; ++i) gpus.push_back(i);
        return gpus;
    }
    for (const char* at = text; *at;) {
        char* end = nullptr;
        unsigned long number = count;
        if (std::string_view(at).starts_with("GPU-"))
            number = std::strtoul(at + 4, &end, 16) - kFirstUuid;
        else
            number = std::strtoul(at, &end, 10);
        if (end == at || number >= count) break;
        gpus.push_back(static_cast<unsigned>(number));
        if (*end != ',') break;
        at = end + 1;
    }
    return gpus;
}

std::atomic<Runtime*> instance{nullptr};
int references = 0;

// hsa_init and hsa_shut_down, one at a time; a tool may call them from OnLoad.
std::recursive_mutex& life_mutex() {
    alignas(std::recursive_mutex) static unsigned char storage[sizeof(std::recursive_mutex)];
    static auto* mutex = new (storage) std::recursive_mutex;
    return *mutex;
}

void pause_for_fork() {
    life_mutex().lock();
    if (Runtime* runtime = instance)
        for (const auto& agent : runtime->agents)
            if (agent->is_gpu()) agent->processor().pause();
}

void go_on_after_fork() {
    if (Runtime* runtime = instance)
        for (const auto& agent : runtime->agents)
            if (agent->is_gpu()) agent->processor().resume();
    life_mutex().unlock();
}

// A child process has none of the threads and must not wait for them. It may open a runtime of its own; the memory
// of the old one stays as it is.
void forget_after_fork() {
    instance = nullptr;
    references = 0;
    new (&life_mutex()) std::recursive_mutex;
    forget_waits();
    if (clock::is_virtual()) clock::after_fork();
}

}  // namespace

// Access to the private parts from the functions of this file.
struct RuntimeLife {
    static void stop_threads(Runtime& runtime) { runtime.stop(); }
    static hsa_status_t make() {
        static const bool once = pthread_atfork(pause_for_fork, go_on_after_fork, forget_after_fork) == 0;
        (void)once;
        if (sim::checkers::checking()) {
            sim::AddressSpace::process().remember_freed();
            sim::checkers::report_start();
        }
        Runtime* runtime;
        try {
            runtime = new Runtime;
        } catch (const std::bad_alloc&) {
            return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
        }
        instance = runtime;
        const hsa_status_t status = runtime->start();
        if (status != HSA_STATUS_SUCCESS) destroy(runtime);
        return status;
    }
    static void destroy(Runtime* runtime) {
        runtime->stop();
        runtime->queues.clear();
        // Signals go with the runtime's memory.
        if (clock::is_virtual()) VirtualTime::get().runtime_ends();
        delete runtime;
        instance = nullptr;
    }
};

Runtime* Runtime::get() {
    return instance.load(std::memory_order_acquire);
}

Runtime::Runtime() = default;
Runtime::~Runtime() = default;

hsa_status_t Runtime::open() {
    std::lock_guard lock(life_mutex());
    if (references == INT32_MAX) return HSA_STATUS_ERROR_REFCOUNT_OVERFLOW;
    if (references++ > 0) return HSA_STATUS_SUCCESS;
    const hsa_status_t status = RuntimeLife::make();
    if (status != HSA_STATUS_SUCCESS) {
        references = 0;
        return status;
    }
    load_tools();
    return HSA_STATUS_SUCCESS;
}

hsa_status_t Runtime::close() {
    std::lock_guard lock(life_mutex());
    if (references == 0) return HSA_STATUS_ERROR_NOT_INITIALIZED;
    if (references > 1) {
        --references;
        return HSA_STATUS_SUCCESS;
    }
    unload_tools();  // tools may still use the runtime
    hsa_amd_event_t event{};
    event.event_type = HSA_AMD_SYSTEM_SHUTDOWN_EVENT;
    get()->events.raise(event);
    references = 0;
    RuntimeLife::destroy(get());
    return HSA_STATUS_SUCCESS;
}

hsa_status_t Runtime::start() {
    if (!sim::timing::mode_is_valid()) {
        std::fprintf(stderr, "vrocm: VROCM_TIMING=%s is not known; set it to sampled (the default), full or off\n",
                     std::getenv("VROCM_TIMING"));
        return HSA_STATUS_ERROR;
    }
    std::string_view asked;
    const GpuModel* model = sim::chosen_gpu_model(asked);
    if (!model) {
        std::fprintf(stderr, "vrocm: VROCM_DEVICE=%.*s is not a known GPU; known are:", static_cast<int>(asked.size()),
                     asked.data());
        for (const GpuModel& known : sim::gpu_models()) std::fprintf(stderr, " %s", known.key.data());
        std::fputc('\n', stderr);
        return HSA_STATUS_ERROR;
    }
    VirtualTime::get().set_costs(costs_of(model->key));
    agents.push_back(std::make_unique<Agent>(0, MemoryBudget::host_memory()));
    try {
        for (unsigned ordinal : visible_gpus(gpu_count()))
            agents.push_back(
                std::make_unique<Agent>(static_cast<unsigned>(agents.size()), ordinal, *model, *agents[0]));
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "vrocm: %s\n", problem.what());
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
    if (trace::active())
        for (const auto& agent : agents) trace_agent(*agent);
    return HSA_STATUS_SUCCESS;
}

// Ends all threads; nothing is freed.
void Runtime::stop() {
    for (const auto& agent : agents)
        if (agent->is_gpu()) agent->processor().stop();
    copies.stop();
    async.stop();
}

Agent* Runtime::agent(hsa_agent_t handle) const {
    for (const auto& agent : agents)
        if (agent->handle().handle == handle.handle) return agent.get();
    return nullptr;
}

MemoryPool* Runtime::pool(std::uint64_t handle) const {
    for (const auto& agent : agents)
        for (const auto& pool : agent->pools())
            if (pool->handle().handle == handle) return pool.get();
    return nullptr;
}

bool Runtime::agent_bits(const hsa_agent_t* list, std::size_t count, std::uint64_t& bits) const {
    bits = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Agent* found = agent(list[i]);
        if (!found) return false;
        bits |= found->bit();
    }
    return true;
}

}  // namespace vrocm::hsa

// What compilers call to have the destructor of a static object run at exit. This definition serves the objects of
// this library alone, and does nothing: such destructors would run before stop_at_exit(), while the threads still
// use the objects (tables of the decoder, for one). None of them holds anything that outlives the process.
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void*), void*, void*) {
    return 0;
}

namespace vrocm::hsa {

// At the end of the process, or when the library is closed: no thread may run on into code and data that go away.
// Whatever depends on this library has been finished before.
__attribute__((destructor)) static void stop_at_exit() {
    if (Runtime* runtime = Runtime::get()) RuntimeLife::stop_threads(*runtime);
    if (clock::is_virtual()) VirtualTime::get().settle_all();
    trace::close_log();
}

}  // namespace vrocm::hsa
