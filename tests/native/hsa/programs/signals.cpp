// Signals: every operation, waits across threads, handlers, groups, sharing between processes.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "harness.h"

using namespace std::chrono_literals;

static void operations() {
    const hsa_signal_t s = make_signal(10);
    CHECK(hsa_signal_load_relaxed(s) == 10 && hsa_signal_load_scacquire(s) == 10 && hsa_signal_load_acquire(s) == 10);
    hsa_signal_store_relaxed(s, 1);
    hsa_signal_store_screlease(s, 2);
    hsa_signal_store_release(s, 3);
    hsa_signal_silent_store_relaxed(s, 4);
    CHECK(hsa_signal_load_relaxed(s) == 4);
#define EACH_ORDER(operation, argument)                \
    hsa_signal_##operation##_relaxed(s, argument);     \
    hsa_signal_##operation##_scacquire(s, argument);   \
    hsa_signal_##operation##_screlease(s, argument);   \
    hsa_signal_##operation##_scacq_screl(s, argument); \
    hsa_signal_##operation##_acquire(s, argument);     \
    hsa_signal_##operation##_release(s, argument);     \
    hsa_signal_##operation##_acq_rel(s, argument)
    EACH_ORDER(add, 2);
    CHECK(hsa_signal_load_relaxed(s) == 18);
    EACH_ORDER(subtract, 1);
    CHECK(hsa_signal_load_relaxed(s) == 11);
    EACH_ORDER(or, 4);
    CHECK(hsa_signal_load_relaxed(s) == 15);
    EACH_ORDER(and, 9);
    CHECK(hsa_signal_load_relaxed(s) == 9);
    EACH_ORDER(xor, 1);  // seven times
    CHECK(hsa_signal_load_relaxed(s) == 8);
    CHECK(hsa_signal_exchange_relaxed(s, 20) == 8 && hsa_signal_exchange_scacq_screl(s, 21) == 20);
    CHECK(hsa_signal_cas_relaxed(s, 5, 6) == 21);
    CHECK(hsa_signal_cas_scacq_screl(s, 21, 6) == 21 && hsa_signal_load_relaxed(s) == 6);
    OK(hsa_signal_destroy(s));
    CHECK_STATUS(hsa_signal_destroy(s), HSA_STATUS_ERROR_INVALID_SIGNAL);
    CHECK_STATUS(hsa_signal_destroy({0}), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(hsa_signal_create(1, 0, nullptr, nullptr), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    const hsa_agent_t twice[2] = {gpu(), gpu()};
    hsa_signal_t made;
    CHECK_STATUS(hsa_signal_create(1, 2, twice, &made), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

static void waits() {
    const hsa_signal_t s = make_signal(3);
    const auto start = std::chrono::steady_clock::now();
    CHECK(hsa_signal_wait_relaxed(s, HSA_SIGNAL_CONDITION_EQ, 0, 20'000'000, HSA_WAIT_STATE_BLOCKED) ==
          3);  // times out
    const auto spent = std::chrono::steady_clock::now() - start;
    CHECK(spent >= 20ms && spent < 5s);
    CHECK(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, 4, ~0ull, HSA_WAIT_STATE_ACTIVE) == 3);
    CHECK(hsa_signal_wait_acquire(s, HSA_SIGNAL_CONDITION_NE, 4, ~0ull, HSA_WAIT_STATE_ACTIVE) == 3);
    // Four threads count it down; four wait for different values.
    hsa_signal_store_relaxed(s, 400);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([s] {
            for (int n = 0; n < 100; ++n) hsa_signal_subtract_scacq_screl(s, 1);
        });
    for (int bound : {1, 100, 300, 400})
        threads.emplace_back([s, bound] {
            CHECK(hsa_signal_wait_scacquire(s, HSA_SIGNAL_CONDITION_LT, bound, ~0ull, HSA_WAIT_STATE_BLOCKED) < bound);
        });
    for (auto& thread : threads) thread.join();
    CHECK(hsa_signal_load_relaxed(s) == 0);
    OK(hsa_signal_destroy(s));
}

static void ping_pong() {
    const hsa_signal_t a = make_signal(0), b = make_signal(0);
    constexpr int kRounds = 2000;
    const auto start = std::chrono::steady_clock::now();
    std::thread other([=] {
        for (int i = 1; i <= kRounds; ++i) {
            wait_for(a, i);
            hsa_signal_store_screlease(b, i);
        }
    });
    for (int i = 1; i <= kRounds; ++i) {
        hsa_signal_store_screlease(a, i);
        wait_for(b, i);
    }
    other.join();
    // A wake-up that got lost would cost a poll interval of up to a millisecond each time.
    CHECK(std::chrono::steady_clock::now() - start < 10s);
}

static void several() {
    hsa_signal_t s[3] = {make_signal(1), make_signal(1), make_signal(1)};
    hsa_signal_condition_t conditions[3] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ};
    hsa_signal_value_t values[3] = {0, 0, 0}, seen[3] = {9, 9, 9};
    CHECK(hsa_amd_signal_wait_any(3, s, conditions, values, 1'000'000, HSA_WAIT_STATE_BLOCKED, seen) == UINT32_MAX);
    std::thread setter([&] {
        std::this_thread::sleep_for(5ms);
        hsa_signal_store_screlease(s[1], 0);
        std::this_thread::sleep_for(5ms);
        hsa_signal_store_screlease(s[0], 0);
        hsa_signal_store_screlease(s[2], 0);
    });
    CHECK(hsa_amd_signal_wait_any(3, s, conditions, values, ~0ull, HSA_WAIT_STATE_BLOCKED, seen) == 1 && seen[0] == 0);
    CHECK(hsa_amd_signal_wait_all(3, s, conditions, values, ~0ull, HSA_WAIT_STATE_BLOCKED, seen) == 0);
    setter.join();
    CHECK(seen[0] == 0 && seen[1] == 0 && seen[2] == 0);
    hsa_signal_group_t group;
    OK(hsa_signal_group_create(3, s, 0, nullptr, &group));
    hsa_signal_store_relaxed(s[0], 1);
    hsa_signal_store_relaxed(s[1], 1);
    hsa_signal_t which;
    hsa_signal_value_t value;
    OK(hsa_signal_group_wait_any_scacquire(group, conditions, values, HSA_WAIT_STATE_BLOCKED, &which, &value));
    CHECK(which.handle == s[2].handle && value == 0);
    OK(hsa_signal_group_destroy(group));
    CHECK_STATUS(hsa_signal_group_destroy(group), HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
}

static void handlers() {
    static std::atomic<int> calls{0};
    const hsa_signal_t s = make_signal(5), done = make_signal(1);
    OK(hsa_amd_signal_async_handler(
        s, HSA_SIGNAL_CONDITION_LT, 3,
        [](hsa_signal_value_t value, void* arg) {
            CHECK(value < 3);
            if (++calls < 2) {  // again, when it is satisfied again
                hsa_signal_store_relaxed(*static_cast<hsa_signal_t*>(arg), 5);
                return true;
            }
            return false;
        },
        const_cast<hsa_signal_t*>(&s)));
    hsa_signal_store_screlease(s, 2);
    wait_for(s, 5);
    CHECK(calls == 1);
    hsa_signal_store_screlease(s, 1);
    for (int i = 0; calls < 2 && i < 1000; ++i) std::this_thread::sleep_for(1ms);
    CHECK(calls == 2);
    OK(hsa_amd_async_function([](void* arg) { hsa_signal_store_screlease(*static_cast<hsa_signal_t*>(arg), 0); },
                              const_cast<hsa_signal_t*>(&done)));
    wait_for(done, 0);
    // Written past the runtime, as a device does: still noticed.
    hsa_signal_t gpu_only;
    OK(hsa_amd_signal_create(1, 0, nullptr, HSA_AMD_SIGNAL_AMD_GPU_ONLY, &gpu_only));
    volatile hsa_signal_value_t* value = nullptr;
    OK(hsa_amd_signal_value_pointer(gpu_only, &value));
    std::thread writer([value] {
        std::this_thread::sleep_for(5ms);
        *value = 0;
    });
    wait_for(gpu_only, 0);
    writer.join();
    CHECK_STATUS(hsa_amd_signal_async_handler(
                     {0}, HSA_SIGNAL_CONDITION_EQ, 0, [](hsa_signal_value_t, void*) { return false; }, nullptr),
                 HSA_STATUS_ERROR_INVALID_SIGNAL);
}

// The child is started before the runtime is open, as IPC clients do.
struct Pipes {
    int to_child[2], to_parent[2];
};

static int child(const Pipes& pipes) {
    hsa_amd_ipc_signal_t handle;
    CHECK(read(pipes.to_child[0], &handle, sizeof handle) == sizeof handle);
    OK(hsa_init());
    hsa_signal_t s;
    OK(hsa_amd_ipc_signal_attach(&handle, &s));
    wait_for(s, 7);
    hsa_signal_store_screlease(s, 8);
    OK(hsa_signal_destroy(s));
    OK(hsa_shut_down());
    return 0;
}

static void between_processes(const Pipes& pipes, pid_t pid) {
    hsa_signal_t s;
    OK(hsa_amd_signal_create(1, 0, nullptr, HSA_AMD_SIGNAL_IPC, &s));
    hsa_amd_ipc_signal_t handle;
    OK(hsa_amd_ipc_signal_create(s, &handle));
    CHECK(write(pipes.to_child[1], &handle, sizeof handle) == sizeof handle);
    hsa_signal_store_screlease(s, 7);
    wait_for(s, 8);
    int status = 0;
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    OK(hsa_signal_destroy(s));
    const hsa_signal_t plain = make_signal(1);
    CHECK_STATUS(hsa_amd_ipc_signal_create(plain, &handle), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

int main() {
    Pipes pipes;
    CHECK(pipe(pipes.to_child) == 0 && pipe(pipes.to_parent) == 0);
    const pid_t pid = fork();
    if (pid == 0) return child(pipes);
    OK(hsa_init());
    operations();
    waits();
    ping_pong();
    several();
    handlers();
    between_processes(pipes, pid);
    OK(hsa_shut_down());
}
