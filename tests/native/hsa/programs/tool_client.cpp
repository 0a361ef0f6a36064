// A program that knows nothing of tools. Argument: the code object.
#include "harness.h"

int main(int, char** argv) {
    OK(hsa_init());
    const Module module(argv[1], gpu());
    hsa_queue_t* queue = make_queue(gpu(), 32);
    auto* p = allocate<int>(device_pool(), 64);
    run(queue, module.kernel("add_one"), Arguments(p, 64u), 64, 64);
    std::printf("client: %d\n", p[5]);
    OK(hsa_queue_destroy(queue));
    OK(hsa_shut_down());
    OK(hsa_init());  // once more, with the same tool
    make_signal(0);
    OK(hsa_shut_down());
    std::printf("client: done\n");
}
