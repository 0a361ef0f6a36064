// A kernel fails while host threads wait for it in every way there is. Argument: how it fails ("null", "trap", "limit"),
// and "leave" to end the process without waiting for anything. Each wait has to end with the error of that failure, and
// so has each that begins afterwards. The program hangs when one does not.
#include <hip/hip_runtime.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "check.h"

__global__ void fails(int* gate, int* nowhere, int* end, bool trap) {
    while (__atomic_load_n(gate, __ATOMIC_ACQUIRE) == 0) {
    }
    if (trap) __builtin_trap();
    if (nowhere != end) *nowhere = 1;
    while (*static_cast<volatile int*>(end) == 0) ++*static_cast<volatile int*>(end + 1);  // works, and never ends
}
__global__ void fine(int* p) {
    atomicAdd(p, 1);
}

static hipError_t expected;
static std::string how;

// What the threads share: a stream with the kernel that fails, and others that are free.
struct Stage {
    int *gate, *count;
    hipStream_t failing, after;
    hipEvent_t event, sleeping;
    hipGraphExec_t graph;

    Stage() {
        OK(hipHostMalloc(&gate, 64));
        OK(hipMalloc(&count, 64));
        for (int i = 0; i < 4; ++i) gate[i] = 0;
        OK(hipStreamCreate(&failing));
        OK(hipStreamCreateWithFlags(&after, hipStreamNonBlocking));
        OK(hipEventCreate(&event));
        OK(hipEventCreateWithFlags(&sleeping, hipEventBlockingSync));
        graph = make_graph();
    }
    hipGraphExec_t make_graph() {
        hipGraph_t made;
        hipGraphExec_t executable;
        OK(hipStreamBeginCapture(after, hipStreamCaptureModeRelaxed));
        fine<<<1, 64, 0, after>>>(count);
        OK(hipStreamEndCapture(after, &made));
        OK(hipGraphInstantiate(&executable, made, nullptr, nullptr, 0));
        return executable;
    }
    void begin() {
        int* const never = gate + 1;
        fails<<<1, 64, 0, failing>>>(gate, how == "null" ? nullptr : never, never, how == "trap");
        OK(hipGetLastError());
        OK(hipEventRecord(event, failing));
        OK(hipEventRecord(sleeping, failing));
    }
    void open() { __atomic_store_n(gate, 1, __ATOMIC_RELEASE); }
};

using Wait = std::function<hipError_t(Stage&)>;

static hipStream_t stream_after(hipEvent_t event) {
    hipStream_t stream;
    (void)hipStreamCreateWithFlags(&stream, hipStreamNonBlocking);
    (void)hipStreamWaitEvent(stream, event, 0);
    return stream;
}

template <class Ask>
static hipError_t ask_until_it_ends(Ask&& ask) {
    hipError_t answer;
    while ((answer = ask()) == hipErrorNotReady) {
    }
    return answer;
}

// The program's own function is told of the failure.
static hipError_t told_to_callback(Stage& stage) {
    struct Told {
        std::mutex mutex;
        std::condition_variable changed;
        bool yes = false;
        hipError_t error = hipSuccess;
    } told;
    const auto tell = [](hipStream_t, hipError_t error, void* data) {
        auto& told = *static_cast<Told*>(data);
        std::lock_guard lock(told.mutex);
        told.yes = true;
        told.error = error;
        told.changed.notify_all();
    };
    if (hipError_t refused = hipStreamAddCallback(stage.failing, tell, &told, 0)) return refused;
    std::unique_lock lock(told.mutex);
    told.changed.wait(lock, [&] { return told.yes; });
    return told.error;
}

// One that takes the success of what is before it for granted is not called.
static hipError_t host_function(Stage& stage) {
    static std::atomic<bool> called{false};
    (void)hipLaunchHostFunc(stage.failing, [](void*) { called = true; }, nullptr);
    const hipError_t error = hipStreamSynchronize(stage.failing);
    CHECK(!called);
    return error;
}

static hipError_t other_device(Stage& stage) {
    (void)hipSetDevice(1);
    hipStream_t stream = stream_after(stage.event);
    fine<<<1, 64, 0, stream>>>(stage.count);
    return hipDeviceSynchronize();
}

static hipError_t launches_until_the_queue_is_full(Stage& stage) {
    hipStream_t stream = stream_after(stage.event);
    hipError_t error = hipSuccess;
    for (int i = 0; i < 100000 && error == hipSuccess; ++i) {
        fine<<<1, 64, 0, stream>>>(stage.count);
        error = hipGetLastError();
    }
    return error;
}

static hipError_t graph_launch(Stage& stage) {
    hipStream_t stream = stream_after(stage.event);
    (void)hipGraphLaunch(stage.graph, stream);
    return hipStreamSynchronize(stream);
}

static hipError_t copies_and_fills(Stage& stage) {
    hipStream_t stream = stream_after(stage.event);
    (void)hipMemsetAsync(stage.count, 0, 4, stream);
    (void)hipMemset2DAsync(stage.count, 8, 0, 4, 2, stream);
    int host = 0;
    (void)hipMemcpyAsync(&host, stage.count, 4, hipMemcpyDeviceToHost, stream);
    return hipStreamSynchronize(stream);
}

static hipError_t value_that_never_comes(Stage& stage) {
    hipStream_t stream = stream_after(stage.event);
    (void)hipStreamWaitValue32(stream, stage.gate + 3, 1, hipStreamWaitValueEq, 0xffffffff);
    return hipStreamSynchronize(stream);
}

static hipError_t memory_of_a_pool(Stage& stage) {
    hipStream_t stream = stream_after(stage.event);
    void* p = nullptr;
    (void)hipMallocAsync(&p, 4096, stream);
    (void)hipFreeAsync(p, stream);
    return hipStreamSynchronize(stream);
}

static hipError_t per_thread_stream(Stage& stage) {
    (void)hipStreamWaitEvent(hipStreamPerThread, stage.event, 0);
    fine<<<1, 64, 0, hipStreamPerThread>>>(stage.count);
    return hipStreamSynchronize(hipStreamPerThread);
}

// A signal that only the kernel's success would have changed. There is no error to return: its value says it all.
template <class WaitFor>
static hipError_t signal(WaitFor&& wait_for) {
    hsa_signal_t signal{};
    CHECK(hsa_signal_create(1, 0, nullptr, &signal) == HSA_STATUS_SUCCESS);
    CHECK(wait_for(signal) == 1);
    return hipGetLastError();
}

template <hsa_wait_state_t state>
static hsa_signal_value_t acquire(hsa_signal_t signal) {
    return hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, state);
}
template <hsa_wait_state_t state>
static hsa_signal_value_t relaxed(hsa_signal_t signal) {
    return hsa_signal_wait_relaxed(signal, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, state);
}
static hsa_signal_value_t any(hsa_signal_t signal) {
    hsa_signal_condition_t condition = HSA_SIGNAL_CONDITION_LT;
    hsa_signal_value_t compare = 1, value = 0;
    CHECK(hsa_amd_signal_wait_any(1, &signal, &condition, &compare, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, &value) ==
          UINT32_MAX);
    return hsa_signal_load_relaxed(signal);
}
static hsa_signal_value_t all(hsa_signal_t signal) {
    hsa_signal_condition_t condition = HSA_SIGNAL_CONDITION_LT;
    hsa_signal_value_t compare = 1, value = 0;
    CHECK(hsa_amd_signal_wait_all(1, &signal, &condition, &compare, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, &value) ==
          UINT32_MAX);
    return value;
}
static hsa_signal_value_t group(hsa_signal_t signal) {
    hsa_signal_group_t made{};
    CHECK(hsa_signal_group_create(1, &signal, 0, nullptr, &made) == HSA_STATUS_SUCCESS);
    const hsa_signal_condition_t condition = HSA_SIGNAL_CONDITION_LT;
    const hsa_signal_value_t compare = 1;
    hsa_signal_t found{};
    hsa_signal_value_t value = 0;
    CHECK(hsa_signal_group_wait_any_scacquire(made, &condition, &compare, HSA_WAIT_STATE_BLOCKED, &found, &value) ==
          HSA_STATUS_ERROR);
    return hsa_signal_load_relaxed(signal);
}

static const struct {
    const char* name;
    Wait wait;
} waits[] = {
    {"device", [](Stage&) { return hipDeviceSynchronize(); }},
    {"stream", [](Stage& s) { return hipStreamSynchronize(s.failing); }},
    {"default stream", [](Stage&) { return hipStreamSynchronize(nullptr); }},
    {"per-thread stream", per_thread_stream},
    {"event", [](Stage& s) { return hipEventSynchronize(s.event); }},
    {"sleeping event", [](Stage& s) { return hipEventSynchronize(s.sleeping); }},
    {"stream query", [](Stage& s) { return ask_until_it_ends([&] { return hipStreamQuery(s.failing); }); }},
    {"event query", [](Stage& s) { return ask_until_it_ends([&] { return hipEventQuery(s.event); }); }},
    {"copy", [](Stage& s) {
         int host;
         return hipMemcpy(&host, s.count, 4, hipMemcpyDeviceToHost);
     }},
    {"copies and fills", copies_and_fills},
    {"callback", told_to_callback},
    {"host function", host_function},
    {"graph", graph_launch},
    {"other device", other_device},
    {"full queue", launches_until_the_queue_is_full},
    {"value", value_that_never_comes},
    {"pool", memory_of_a_pool},
    {"free", [](Stage&) {
         void* p = nullptr;
         (void)hipMalloc(&p, 64);
         return hipFree(p);
     }},
    {"signal, blocked", [](Stage&) { return signal(acquire<HSA_WAIT_STATE_BLOCKED>); }},
    {"signal, active", [](Stage&) { return signal(acquire<HSA_WAIT_STATE_ACTIVE>); }},
    {"signal, relaxed, blocked", [](Stage&) { return signal(relaxed<HSA_WAIT_STATE_BLOCKED>); }},
    {"signal, relaxed, active", [](Stage&) { return signal(relaxed<HSA_WAIT_STATE_ACTIVE>); }},
    {"any signal", [](Stage&) { return signal(any); }},
    {"all signals", [](Stage&) { return signal(all); }},
    {"group of signals", [](Stage&) { return signal(group); }},
};

static void expect_error_of(const char* name, const char* when, hipError_t error) {
    if (error == expected) return;
    std::printf("%s, %s: %s\n", name, when, hipGetErrorName(error));
    ++failures;
}

int main(int argc, char** argv) {
    how = argv[1];
    expected = how == "null"   ? hipErrorIllegalAddress
               : how == "trap" ? hipErrorLaunchFailure
                               : hipErrorLaunchTimeOut;
    Stage stage;
    stage.begin();
    if (argc > 2) {
        stage.open();
        return finish();
    }
    std::atomic<int> ready{0};
    std::vector<std::thread> threads;
    for (const auto& w : waits)
        threads.emplace_back([&] {
            ++ready;
            expect_error_of(w.name, "begun before", w.wait(stage));
        });
    while (ready < static_cast<int>(std::size(waits))) std::this_thread::yield();
    stage.open();
    for (std::thread& thread : threads) thread.join();
    for (const auto& w : waits) expect_error_of(w.name, "begun after", w.wait(stage));
    GIVES(expected, hipStreamDestroy(stage.after));
    GIVES(expected, hipDeviceReset());
    GIVES(expected, hipDeviceSynchronize());
    return finish();
}
