// Arguments of kernels in memory of the GPU, as HIP has them on MI300X: another thread writes those of its own launches
// there all the time. Argument: the code object.
#include <atomic>
#include <thread>

#include "harness.h"

static void launch(hsa_queue_t* queue, std::uint64_t kernel, char* at, int* data) {
    const unsigned count = 64;
    std::memcpy(at, &data, 8);
    std::memcpy(at + 8, &count, 4);
    const hsa_signal_t done = make_signal(1);
    submit(queue, kernel_packet(kernel, at, count, 64, done), kKernelHead);
    wait_for(done, 0);
    OK(hsa_signal_destroy(done));
}

int main(int, char** argv) {
    OK(hsa_init());
    {
        const Module module(argv[1], gpu());
        hsa_queue_t* queue = make_queue(gpu());
        char* arguments = allocate<char>(device_pool(), 8192);
        int* data = allocate<int>(device_pool(), 64);
        std::memset(data, 0, 256);
        // More to copy: the writer gets its turn on a busy machine too.
        constexpr std::size_t kBallast = 1 << 24;
        auto* ballast = allocate<std::uint32_t>(device_pool(), kBallast);
        for (std::uint32_t i = 0; i < kBallast; ++i) ballast[i] = i * 2654435761u;
        launch(queue, module.kernel("add_one"), arguments + 4096, data);
        std::atomic<bool> stop{false};
        auto* words = reinterpret_cast<int*>(arguments);
        std::thread writer([&] {
            for (int i = 0; !stop; ++i) __atomic_store_n(&words[i % 1000], i, __ATOMIC_RELAXED);
        });
        while (__atomic_load_n(&words[999], __ATOMIC_RELAXED) == 0) std::this_thread::yield();
        launch(queue, module.kernel("add_one"), arguments + 4096 + 256, data);
        stop = true;
        writer.join();
        std::printf("%d\n", data[63]);
        OK(hsa_queue_destroy(queue));
    }
    OK(hsa_shut_down());
}
