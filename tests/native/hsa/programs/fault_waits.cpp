// A client of HSA alone, with a queue whose kernel fails. Its error callback gets the status and does what a runtime
// above HSA does: it ends whatever waits, by storing to the signals. Arguments: the code object, how the kernel fails
// ("null", "trap", "limit").
#include <atomic>
#include <functional>
#include <thread>

#include "harness.h"

static constexpr hsa_signal_value_t kFailed = -1;

struct Waiting {
    const char* name;
    std::function<hsa_signal_value_t(hsa_signal_t)> wait;
    hsa_signal_t signal = make_signal(1);
};

template <hsa_wait_state_t state>
static hsa_signal_value_t acquire(hsa_signal_t signal) {
    return hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, state);
}
template <hsa_wait_state_t state>
static hsa_signal_value_t relaxed(hsa_signal_t signal) {
    return hsa_signal_wait_relaxed(signal, HSA_SIGNAL_CONDITION_NE, 1, UINT64_MAX, state);
}
// In turns, as a runtime that also looks at other things does.
static hsa_signal_value_t in_turns(hsa_signal_t signal) {
    hsa_signal_value_t value;
    do
        value = hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, 100'000, HSA_WAIT_STATE_ACTIVE);
    while (value >= 1);
    return value;
}
static hsa_signal_value_t polling(hsa_signal_t signal) {
    hsa_signal_value_t value;
    do value = hsa_signal_load_scacquire(signal);
    while (value == 1);
    return value;
}
static hsa_signal_value_t any(hsa_signal_t signal) {
    hsa_signal_t both[] = {make_signal(1), signal};
    hsa_signal_condition_t conditions[] = {HSA_SIGNAL_CONDITION_LT, HSA_SIGNAL_CONDITION_LT};
    hsa_signal_value_t compare[] = {1, 1}, value = 0;
    CHECK(hsa_amd_signal_wait_any(2, both, conditions, compare, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, &value) == 1);
    return value;
}
static hsa_signal_value_t all(hsa_signal_t signal) {
    hsa_signal_t both[] = {make_signal(0), signal};
    hsa_signal_condition_t conditions[] = {HSA_SIGNAL_CONDITION_LT, HSA_SIGNAL_CONDITION_LT};
    hsa_signal_value_t compare[] = {1, 1}, values[] = {1, 1};
    CHECK(hsa_amd_signal_wait_all(2, both, conditions, compare, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, values) == 0);
    return values[1];
}
static hsa_signal_value_t group(hsa_signal_t signal) {
    hsa_signal_group_t made{};
    OK(hsa_signal_group_create(1, &signal, 0, nullptr, &made));
    const hsa_signal_condition_t condition = HSA_SIGNAL_CONDITION_LT;
    const hsa_signal_value_t compare = 1;
    hsa_signal_t found{};
    hsa_signal_value_t value = 0;
    OK(hsa_signal_group_wait_any_scacquire(made, &condition, &compare, HSA_WAIT_STATE_BLOCKED, &found, &value));
    return value;
}
static hsa_signal_value_t handler(hsa_signal_t signal) {
    static std::atomic<hsa_signal_value_t> told{1};
    OK(hsa_amd_signal_async_handler(
        signal, HSA_SIGNAL_CONDITION_LT, 1,
        [](hsa_signal_value_t value, void*) {
            told = value;
            return false;
        },
        nullptr));
    while (told == 1) std::this_thread::yield();
    return told;
}

static std::vector<Waiting>& waits() {
    static std::vector<Waiting> all_kinds = {
        {"blocked", acquire<HSA_WAIT_STATE_BLOCKED>},
        {"active", acquire<HSA_WAIT_STATE_ACTIVE>},
        {"relaxed, blocked", relaxed<HSA_WAIT_STATE_BLOCKED>},
        {"relaxed, active", relaxed<HSA_WAIT_STATE_ACTIVE>},
        {"in turns", in_turns},
        {"polling", polling},
        {"any", any},
        {"all", all},
        {"group", group},
        {"handler", handler},
    };
    return all_kinds;
}

static std::atomic<int> status{-1};
static std::atomic<hsa_queue_t*> source{nullptr};

static void on_error(hsa_status_t error, hsa_queue_t* queue, void*) {
    source = queue;
    status = error;
    for (const Waiting& w : waits()) hsa_signal_store_screlease(w.signal, kFailed);
}

int main(int, char** argv) {
    OK(hsa_init());
    const Module module(argv[1], gpu());
    const std::string how = argv[2];
    const std::uint64_t kernel = module.kernel(how == "null" ? "set_word" : how == "trap" ? "trap" : "spin_until");
    auto* never = allocate<int>(device_pool(), 16);
    *never = 0;
    hsa_queue_t* queue = make_queue(gpu(), 64, on_error);
    hsa_queue_t* sound = make_queue(gpu());

    std::atomic<std::size_t> ready{0};
    std::vector<std::thread> threads;
    for (const Waiting& w : waits())
        threads.emplace_back([&] {
            ++ready;
            const hsa_signal_value_t value = w.wait(w.signal);
            if (value != kFailed) std::fprintf(stderr, "%s saw %lld\n", w.name, static_cast<long long>(value));
            CHECK(value == kFailed);
        });
    while (ready < waits().size()) std::this_thread::yield();
    const hsa_signal_t done = make_signal(1);
    int* const where = how == "null" ? nullptr : never;
    const Arguments arguments(where, never);
    submit(queue, kernel_packet(kernel, arguments.get(), 64, 64, done), kKernelHead);
    for (std::thread& thread : threads) thread.join();
    CHECK(source == queue);
    CHECK(status == (how == "null"   ? static_cast<int>(HSA_STATUS_ERROR_MEMORY_FAULT)
                     : how == "trap" ? static_cast<int>(HSA_STATUS_ERROR_EXCEPTION)
                                     : static_cast<int>(HSA_STATUS_ERROR)));
    CHECK(hsa_signal_load_relaxed(done) == 1);  // as on hardware, where nobody decrements it any more
    // The process goes on: the failed queue can go, and others work.
    OK(hsa_queue_destroy(queue));
    run(sound, module.kernel("set_word"), Arguments(never, 7), 1, 1);
    CHECK(*never == 7);
    OK(hsa_shut_down());
}
