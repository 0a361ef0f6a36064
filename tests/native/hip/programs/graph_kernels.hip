// Kernels in graphs, kernels between streams.
#include <hip/hip_runtime.h>

#include "check.h"

__global__ void add_to(int* data, int value) { data[threadIdx.x] += value; }
__global__ void multiply(int* data, int value) { data[threadIdx.x] *= value; }
__global__ void slow_write(int* data, int value, int rounds) {
    int x = 0;
    for (int i = 0; i < rounds; ++i) x = __builtin_amdgcn_readfirstlane(x + i);
    *data = value + (x == -1);
}
__global__ void copy_value(const int* from, int* to) { *to = *from; }

static int *data, out[64];

static void fetch() { OK(hipMemcpy(out, data, sizeof out, hipMemcpyDeviceToHost)); }

static void by_hand() {
    hipGraph_t graph;
    OK(hipGraphCreate(&graph, 0));
    hipMemsetParams zero{data, 4, 1, 0, 0, 64};
    hipGraphNode_t clear, first, second;
    OK(hipGraphAddMemsetNode(&clear, graph, nullptr, 0, &zero));
    int three = 3, five = 5;
    void *add_args[] = {&data, &three}, *mul_args[] = {&data, &five};
    hipKernelNodeParams p{};
    p.blockDim = dim3(64);
    p.gridDim = dim3(1);
    p.func = reinterpret_cast<void*>(add_to);
    p.kernelParams = add_args;
    OK(hipGraphAddKernelNode(&first, graph, &clear, 1, &p));
    p.func = reinterpret_cast<void*>(multiply);
    p.kernelParams = mul_args;
    OK(hipGraphAddKernelNode(&second, graph, &first, 1, &p));
    three = five = 999;  // arguments were taken when the node was made
    hipGraphExec_t run;
    OK(hipGraphInstantiate(&run, graph, nullptr, nullptr, 0));
    OK(hipGraphLaunch(run, nullptr));
    fetch();
    CHECK(out[0] == 15 && out[63] == 15);
    hipKernelNodeParams got;
    OK(hipGraphKernelNodeGetParams(first, &got));
    CHECK(got.func == reinterpret_cast<void*>(add_to) && got.blockDim.x == 64);
    CHECK(*static_cast<int*>(got.kernelParams[1]) == 3);
    int seven = 7;
    mul_args[1] = &seven;
    OK(hipGraphExecKernelNodeSetParams(run, second, &p));
    OK(hipGraphLaunch(run, nullptr));
    fetch();
    CHECK(out[5] == 21);
    OK(hipGraphExecDestroy(run));
    OK(hipGraphDestroy(graph));
}

static void captured() {
    hipStream_t first, second;
    hipEvent_t fork, join;
    OK(hipStreamCreate(&first));
    OK(hipStreamCreate(&second));
    OK(hipEventCreateWithFlags(&fork, hipEventDisableTiming));
    OK(hipEventCreateWithFlags(&join, hipEventDisableTiming));
    OK(hipMemset(data, 0, sizeof out));
    OK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
    add_to<<<1, 32, 0, first>>>(data, 1);
    OK(hipEventRecord(fork, first));
    OK(hipStreamWaitEvent(second, fork, 0));
    add_to<<<1, 32, 0, second>>>(data + 32, 2);
    multiply<<<1, 32, 0, first>>>(data, 10);
    OK(hipEventRecord(join, second));
    OK(hipStreamWaitEvent(first, join, 0));
    add_to<<<1, 64, 0, first>>>(data, 100);
    hipGraph_t graph;
    OK(hipStreamEndCapture(first, &graph));
    hipGraphExec_t run;
    OK(hipGraphInstantiate(&run, graph, nullptr, nullptr, 0));
    fetch();
    CHECK(out[0] == 0);  // captured, not run
    for (int i = 0; i < 2; ++i) OK(hipGraphLaunch(run, first));
    OK(hipStreamSynchronize(first));
    fetch();
    CHECK(out[0] == ((1 * 10 + 100) + 1) * 10 + 100 && out[32] == 204);
    OK(hipGraphExecDestroy(run));
    OK(hipGraphDestroy(graph));
    OK(hipStreamDestroy(first));
    OK(hipStreamDestroy(second));
}

static void ordered_streams() {
    hipStream_t first, second;
    hipEvent_t event;
    OK(hipStreamCreateWithFlags(&first, hipStreamNonBlocking));
    OK(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
    OK(hipEventCreate(&event));
    OK(hipMemset(data, 0, sizeof out));
    slow_write<<<1, 1, 0, first>>>(data, 41, 20000);
    OK(hipEventRecord(event, first));
    OK(hipStreamWaitEvent(second, event, 0));
    copy_value<<<1, 1, 0, second>>>(data, data + 1);
    OK(hipMemcpyAsync(out, data, 8, hipMemcpyDeviceToHost, second));
    OK(hipStreamSynchronize(second));
    CHECK(out[0] == 41 && out[1] == 41);
    // The default stream waits for blocking streams and they for it, without an event.
    hipStream_t blocking;
    OK(hipStreamCreate(&blocking));
    slow_write<<<1, 1, 0, blocking>>>(data, 50, 20000);
    copy_value<<<1, 1>>>(data, data + 2);
    slow_write<<<1, 1, 0, blocking>>>(data, 51, 10);
    OK(hipDeviceSynchronize());
    fetch();
    CHECK(out[2] == 50 && out[0] == 51);
    OK(hipStreamDestroy(blocking));
    OK(hipStreamDestroy(first));
    OK(hipStreamDestroy(second));
    OK(hipEventDestroy(event));
}

static void long_queue() {
    OK(hipMemset(data, 0, sizeof out));
    for (int i = 0; i < 6000; ++i) add_to<<<1, 1>>>(data, 1);  // more than a queue or the argument ring holds
    fetch();
    CHECK(out[0] == 6000);
}

// Kernels, copies and fills taking turns: each waits for the one before, thousands of times.
static void taking_turns() {
    OK(hipMemset(data, 0, sizeof out));
    int last = -1;
    for (int i = 0; i < 1500; ++i) {
        add_to<<<1, 1>>>(data, 1);
        OK(hipMemcpyAsync(data + 1, data, 4, hipMemcpyDeviceToDevice, nullptr));
        OK(hipMemsetAsync(data + 2, i & 1, 4, nullptr));
        add_to<<<1, 1>>>(data + 1, 1);
    }
    OK(hipMemcpyAsync(&last, data + 1, 4, hipMemcpyDeviceToHost, nullptr));
    OK(hipDeviceSynchronize());
    CHECK(last == 1501);
}

static void more_streams_than_queues() {
    std::vector<hipStream_t> streams(200);
    OK(hipMemset(data, 0, sizeof out));
    for (hipStream_t& stream : streams) OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    hipEvent_t event;
    OK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    for (hipStream_t stream : streams) {  // a chain through all of them
        OK(hipStreamWaitEvent(stream, event, 0));
        add_to<<<1, 1, 0, stream>>>(data, 1);
        OK(hipEventRecord(event, stream));
    }
    OK(hipEventSynchronize(event));
    fetch();
    CHECK(out[0] == 200);
    for (hipStream_t stream : streams) OK(hipStreamDestroy(stream));
    OK(hipEventDestroy(event));
}

int main() {
    OK(hipMalloc(&data, sizeof out));
    by_hand();
    captured();
    ordered_streams();
    long_queue();
    taking_turns();
    more_streams_than_queues();
    OK(hipFree(data));
    return finish();
}
