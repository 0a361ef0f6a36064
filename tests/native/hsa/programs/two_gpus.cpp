// Two virtual GPUs at once: code of its own on each, kernels that wait for each other, memory of the other.
// Argument: the code object.
#include "harness.h"

int main(int, char** argv) {
    OK(hsa_init());
    CHECK(agents(HSA_DEVICE_TYPE_GPU).size() == 2);
    const Module first(argv[1], gpu(0)), second(argv[1], gpu(1));
    CHECK(first.kernel("add_one") != second.kernel("add_one"));
    hsa_queue_t *queue0 = make_queue(gpu(0)), *queue1 = make_queue(gpu(1));
    auto* flag = allocate<int>(device_pool(0), 16);
    const hsa_agent_t both[2] = {gpu(0), gpu(1)};
    OK(hsa_amd_agents_allow_access(2, both, nullptr, flag));
    const Arguments spin(flag, flag + 1), set(flag, 1);
    const hsa_signal_t done = make_signal(1);
    submit(queue0, kernel_packet(first.kernel("spin_until"), spin.get(), 1, 1, done), kKernelHead);
    run(queue1, second.kernel("set_word"), set, 1, 1);
    wait_for(done, 0);
    CHECK(flag[1] == 1);
    // Variables are per agent.
    auto* out0 = allocate<int>(device_pool(0), 4);
    auto* out1 = allocate<int>(device_pool(1), 4);
    run(queue0, first.kernel("use_globals"), Arguments(out0), 1, 1);
    run(queue0, first.kernel("use_globals"), Arguments(out0), 1, 1);
    run(queue1, second.kernel("use_globals"), Arguments(out1), 1, 1);
    CHECK(out0[0] == 8 && out1[0] == 7);
    // From one to the other.
    const hsa_signal_t copied = make_signal(1);
    OK(hsa_amd_memory_async_copy(out1, gpu(1), out0, gpu(0), 16, 0, nullptr, copied));
    wait_for(copied, 0);
    CHECK(out1[0] == 8);
    OK(hsa_shut_down());
}
