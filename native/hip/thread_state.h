// What HIP keeps for each host thread.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "hip/hip_abi.h"

namespace vrocm::hip {

class Device;
class Stream;

struct CallConfiguration {
    dim3 grid, block;
    std::size_t shared = 0;
    hipStream_t stream = nullptr;
};

struct ThreadState {
    int device = 0;
    hipError_t last_error = hipSuccess;
    hipStreamCaptureMode capture_mode = hipStreamCaptureModeGlobal;
    std::vector<CallConfiguration> calls;                       // kernel<<<...>>> being launched
    std::vector<unsigned char> arguments;                       // hipSetupArgument
    std::vector<int> contexts;                                  // hipCtxPushCurrent
    std::map<int, std::unique_ptr<Stream>> per_thread_streams;  // hipStreamPerThread, by device

    ThreadState();
    ~ThreadState();
};

ThreadState& thread_state();
Device& current_device();

}  // namespace vrocm::hip
