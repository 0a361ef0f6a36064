// Walks a linked list of real device pointers: every node holds the device address of the next one. One thread,
// one load after another, so time per step is memory latency; and the walk only works if addresses are kept.
#include "check.h"

struct Node {
    Node* next;
    unsigned value;
    unsigned padding[13];
};
static_assert(sizeof(Node) == 64, "one node a cache line half");

__global__ void chase(const Node* start, int steps, unsigned* sum, const Node** last) {
    const Node* node = start;
    unsigned total = 0;
    for (int i = 0; i < steps; ++i) {
        total += node->value;
        node = node->next;
    }
    *sum = total;
    *last = node;
}

int main() {
    const int nodes = 4096, steps = 10'000, stride = 1033;  // the stride shares no factor with the node count
    Node* device = nullptr;
    HIP_CHECK(hipMalloc(&device, nodes * sizeof(Node)));
    std::vector<Node> host(nodes);
    for (int i = 0; i < nodes; ++i) host[i] = {device + (i + stride) % nodes, unsigned(i) * 2654435761u, {}};
    HIP_CHECK(hipMemcpy(device, host.data(), nodes * sizeof(Node), hipMemcpyHostToDevice));

    unsigned want = 0;
    int at = 0;
    for (int i = 0; i < steps; ++i) want += host[at].value, at = (at + stride) % nodes;

    unsigned* sum = nullptr;
    const Node** last = nullptr;
    HIP_CHECK(hipMalloc(&sum, sizeof *sum));
    HIP_CHECK(hipMalloc(&last, sizeof *last));
    chase<<<1, 1>>>(device, steps, sum, last);
    HIP_CHECK(hipGetLastError());
    std::vector<unsigned> got = to_host(sum, 1);
    bool same_place = to_host(last, 1)[0] == device + at;
    HIP_CHECK(hipFree(device));
    HIP_CHECK(hipFree(sum));
    HIP_CHECK(hipFree(last));
    if (!same_place) return std::puts("pointer_chase FAIL  (the walk ended elsewhere)"), 1;
    return verdict("pointer_chase", got, std::vector<unsigned>{want}, 0);
}
