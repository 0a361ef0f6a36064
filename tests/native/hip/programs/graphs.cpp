// Graphs without kernels: made by hand, captured, cloned, changed, updated.
#include <hip/hip_runtime_api.h>

#include <string>

#include "check.h"

static std::string trail;
static void step(void* data) { trail += static_cast<const char*>(data); }
static char a[] = "a", b[] = "b", c[] = "c", d[] = "d";
static hipHostNodeParams host(char* text) { return {step, text}; }

static void by_hand() {
    hipGraph_t graph;
    hipGraphNode_t na, nb, nc, nd, empty;
    OK(hipGraphCreate(&graph, 0));
    auto pa = host(a), pb = host(b), pc = host(c), pd = host(d);
    OK(hipGraphAddHostNode(&na, graph, nullptr, 0, &pa));
    OK(hipGraphAddHostNode(&nb, graph, &na, 1, &pb));
    OK(hipGraphAddHostNode(&nc, graph, &na, 1, &pc));
    hipGraphNode_t both[] = {nb, nc};
    OK(hipGraphAddEmptyNode(&empty, graph, both, 2));
    OK(hipGraphAddHostNode(&nd, graph, &empty, 1, &pd));
    size_t count = 0;
    OK(hipGraphGetNodes(graph, nullptr, &count));
    CHECK(count == 5);
    OK(hipGraphGetEdges(graph, nullptr, nullptr, &count));
    CHECK(count == 5);
    OK(hipGraphGetRootNodes(graph, nullptr, &count));
    CHECK(count == 1);
    OK(hipGraphNodeGetDependencies(empty, nullptr, &count));
    CHECK(count == 2);
    hipGraphNodeType type;
    OK(hipGraphNodeGetType(empty, &type));
    CHECK(type == hipGraphNodeTypeEmpty);

    hipGraphExec_t run;
    OK(hipGraphInstantiate(&run, graph, nullptr, nullptr, 0));
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    trail.clear();
    OK(hipGraphLaunch(run, stream));
    OK(hipGraphLaunch(run, stream));
    OK(hipStreamSynchronize(stream));
    CHECK(trail == "abcdabcd");

    OK(hipGraphExecHostNodeSetParams(run, nc, &pd));
    trail.clear();
    OK(hipGraphLaunch(run, stream));
    OK(hipStreamSynchronize(stream));
    CHECK(trail == "abdd");

    hipGraph_t clone;
    hipGraphNode_t in_clone;
    OK(hipGraphClone(&clone, graph));
    OK(hipGraphNodeFindInClone(&in_clone, nb, clone));
    CHECK(in_clone != nb);
    OK(hipGraphDestroyNode(in_clone));
    OK(hipGraphGetNodes(clone, nullptr, &count));
    CHECK(count == 4);
    hipGraphExecUpdateResult result;
    hipGraphNode_t culprit;
    GIVES(hipErrorGraphExecUpdateFailure, hipGraphExecUpdate(run, clone, &culprit, &result));
    CHECK(result == hipGraphExecUpdateErrorTopologyChanged);
    OK(hipGraphHostNodeSetParams(na, &pd));
    OK(hipGraphExecUpdate(run, graph, &culprit, &result));
    CHECK(result == hipGraphExecUpdateSuccess);
    trail.clear();
    OK(hipGraphLaunch(run, stream));
    OK(hipStreamSynchronize(stream));
    CHECK(trail == "dbcd");

    OK(hipGraphAddDependencies(graph, &nd, &na, 1));  // a circle cannot be run
    hipGraphExec_t never;
    GIVES(hipErrorInvalidValue, hipGraphInstantiate(&never, graph, nullptr, nullptr, 0));
    OK(hipGraphRemoveDependencies(graph, &nd, &na, 1));
    GIVES(hipErrorInvalidValue, hipGraphRemoveDependencies(graph, &nd, &na, 1));

    OK(hipGraphExecDestroy(run));
    OK(hipGraphDestroy(clone));
    OK(hipGraphDestroy(graph));
    GIVES(hipErrorInvalidValue, hipGraphDestroy(graph));
    OK(hipStreamDestroy(stream));
}

static void memory_nodes() {
    hipGraph_t graph, child;
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphCreate(&child, 0));
    unsigned* device;
    unsigned out[16] = {}, in[16];
    for (unsigned i = 0; i < 16; ++i) in[i] = i;
    OK(hipMalloc(&device, 64));
    hipGraphNode_t copy_in, fill, nested, copy_out;
    OK(hipGraphAddMemcpyNode1D(&copy_in, child, nullptr, 0, device, in, 64, hipMemcpyHostToDevice));
    OK(hipGraphAddChildGraphNode(&nested, graph, nullptr, 0, child));
    hipMemsetParams params{device, 4, 1, 0, 77, 3};
    OK(hipGraphAddMemsetNode(&fill, graph, &nested, 1, &params));
    OK(hipGraphAddMemcpyNode1D(&copy_out, graph, &fill, 1, out, device, 64, hipMemcpyDeviceToHost));
    hipGraphExec_t run;
    OK(hipGraphInstantiateWithFlags(&run, graph, 0));
    OK(hipGraphLaunch(run, nullptr));
    OK(hipDeviceSynchronize());
    CHECK(out[0] == 77 && out[2] == 77 && out[3] == 3 && out[15] == 15);
    params.value = 5;
    params.width = 16;
    OK(hipGraphExecMemsetNodeSetParams(run, fill, &params));
    OK(hipGraphLaunch(run, nullptr));
    OK(hipDeviceSynchronize());
    CHECK(out[15] == 5);
    OK(hipGraphNodeSetEnabled(run, fill, 0));
    OK(hipGraphLaunch(run, nullptr));
    OK(hipDeviceSynchronize());
    CHECK(out[15] == 15);
    hipMemcpy3DParms got;
    OK(hipGraphMemcpyNodeGetParams(copy_out, &got));
    CHECK(got.dstPtr.ptr == out && got.extent.width == 64);
    GIVES(hipErrorInvalidValue, hipGraphMemsetNodeGetParams(copy_out, &params));
    OK(hipGraphExecDestroy(run));
    OK(hipGraphDestroy(graph));
    OK(hipGraphDestroy(child));
    OK(hipFree(device));
}

static void captured() {
    hipStream_t first, second;
    hipEvent_t fork, join;
    OK(hipStreamCreate(&first));
    OK(hipStreamCreate(&second));
    OK(hipEventCreate(&fork));
    OK(hipEventCreate(&join));
    int *device, out = 0;
    OK(hipMalloc(&device, 4));
    OK(hipMemset(device, 0, 4));
    OK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
    hipStreamCaptureStatus status;
    OK(hipStreamIsCapturing(first, &status));
    CHECK(status == hipStreamCaptureStatusActive);
    OK(hipLaunchHostFunc(first, step, a));
    OK(hipEventRecord(fork, first));
    OK(hipStreamWaitEvent(second, fork, 0));
    OK(hipStreamIsCapturing(second, &status));
    CHECK(status == hipStreamCaptureStatusActive);
    OK(hipMemsetAsync(device, 2, 4, second));
    OK(hipEventRecord(join, second));
    OK(hipLaunchHostFunc(first, step, b));
    OK(hipStreamWaitEvent(first, join, 0));
    OK(hipMemcpyAsync(&out, device, 4, hipMemcpyDeviceToHost, first));
    hipGraph_t graph;
    OK(hipStreamEndCapture(first, &graph));
    CHECK(trail.empty() && out == 0);  // nothing has run
    size_t nodes = 0, edges = 0;
    OK(hipGraphGetNodes(graph, nullptr, &nodes));
    OK(hipGraphGetEdges(graph, nullptr, nullptr, &edges));
    CHECK(nodes == 4 && edges == 4);
    hipGraphExec_t run;
    OK(hipGraphInstantiate(&run, graph, nullptr, nullptr, 0));
    OK(hipGraphLaunch(run, first));
    OK(hipStreamSynchronize(first));
    CHECK(trail == "ab" && out == 0x02020202);
    OK(hipGraphExecDestroy(run));
    OK(hipGraphDestroy(graph));

    // What capture forbids.
    OK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
    GIVES(hipErrorStreamCaptureUnsupported, hipStreamSynchronize(first));
    OK(hipStreamIsCapturing(first, &status));
    CHECK(status == hipStreamCaptureStatusInvalidated);
    GIVES(hipErrorStreamCaptureInvalidated, hipStreamEndCapture(first, &graph));
    CHECK(graph == nullptr);
    OK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
    OK(hipEventRecord(fork, first));
    OK(hipStreamWaitEvent(second, fork, 0));
    OK(hipLaunchHostFunc(second, step, c));
    GIVES(hipErrorStreamCaptureUnmatched, hipStreamEndCapture(second, &graph));
    GIVES(hipErrorStreamCaptureUnjoined, hipStreamEndCapture(first, &graph));
    GIVES(hipErrorIllegalState, hipStreamEndCapture(first, &graph));
    OK(hipStreamBeginCapture(first, hipStreamCaptureModeGlobal));
    GIVES(hipErrorStreamCaptureImplicit, hipMemsetAsync(device, 0, 4, nullptr));
    GIVES(hipErrorStreamCaptureInvalidated, hipStreamEndCapture(first, &graph));
    void* p;
    OK(hipStreamBeginCapture(first, hipStreamCaptureModeRelaxed));
    hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
    OK(hipThreadExchangeStreamCaptureMode(&mode));
    OK(hipMalloc(&p, 16));
    OK(hipThreadExchangeStreamCaptureMode(&mode));
    OK(hipStreamEndCapture(first, &graph));
    OK(hipGraphDestroy(graph));
    OK(hipFree(p));
    GIVES(hipErrorStreamCaptureUnsupported, hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal));
    OK(hipFree(device));
    OK(hipStreamDestroy(first));
    OK(hipStreamDestroy(second));
}

static void user_objects() {
    static int destroyed = 0;
    hipGraph_t graph;
    OK(hipGraphCreate(&graph, 0));
    hipUserObject_t object;
    OK(hipUserObjectCreate(&object, &destroyed, [](void* n) { ++*static_cast<int*>(n); }, 1,
                           hipUserObjectNoDestructorSync));
    OK(hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove));
    CHECK(destroyed == 0);
    OK(hipGraphDestroy(graph));
    CHECK(destroyed == 1);
}

int main() {
    by_hand();
    memory_nodes();
    trail.clear();
    captured();
    user_objects();
    return finish();
}
