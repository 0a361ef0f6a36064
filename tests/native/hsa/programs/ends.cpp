// Ways to end a process while the runtime is open and busy. Arguments: the code object, the way.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "harness.h"

struct Late {
    ~Late() { std::printf("static destructor\n"); }
};
static Late late;

int main(int, char** argv) {
    const std::string way = argv[2];
    OK(hsa_init());
    const Module module(argv[1], gpu());
    hsa_queue_t* queue = make_queue(gpu());
    auto* flag = allocate<int>(device_pool(), 16);
    const auto& spin = *new Arguments(flag, flag + 1);  // not freed: the kernel may start late
    // Never ends by itself.
    submit(queue, kernel_packet(module.kernel("spin_until"), spin.get(), 1, 1, make_signal(1)), kKernelHead);
    const hsa_signal_t never = make_signal(1);
    OK(hsa_amd_signal_async_handler(
        never, HSA_SIGNAL_CONDITION_EQ, 0, [](hsa_signal_value_t, void*) { return false; }, nullptr));
    OK(hsa_amd_memory_async_copy(flag + 4, gpu(), flag + 5, gpu(), 4, 1, &never, make_signal(1)));
    if (way == "return") return 0;
    if (way == "exit") std::exit(0);
    if (way == "exit-from-thread") {
        std::thread([] { std::exit(0); }).join();
    } else if (way == "shut-down") {
        OK(hsa_shut_down());
    } else if (way == "fork") {
        const hsa_signal_t waited_for = make_signal(1);
        std::atomic<bool> waits{false};
        std::thread waiting([&] {
            waits = true;
            wait_for(waited_for, 0, 600);
        });
        while (!waits) std::this_thread::yield();
        const pid_t pid = fork();
        if (pid == 0) {
            waiting.detach();  // there is no such thread here
            CHECK_STATUS(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);  // nothing of the parent is open here
            OK(hsa_init());
            const Module own(argv[1], gpu());
            hsa_queue_t* fresh = make_queue(gpu());
            auto* p = allocate<int>(device_pool(), 64);
            run(fresh, own.kernel("add_one"), Arguments(p, 64u), 64, 64);
            CHECK(p[0] == 1);
            std::exit(0);
        }
        int status = 0;
        CHECK(waitpid(pid, &status, 0) == pid && status == 0);
        const pid_t idle = fork();
        if (idle == 0) {
            waiting.detach();
            std::exit(0);  // a child that never touches it
        }
        CHECK(waitpid(idle, &status, 0) == idle && status == 0);
        __atomic_store_n(flag, 1, __ATOMIC_RELEASE);  // the parent still works
        hsa_signal_store_screlease(waited_for, 0);
        waiting.join();
        OK(hsa_shut_down());
    }
    return 0;
}
