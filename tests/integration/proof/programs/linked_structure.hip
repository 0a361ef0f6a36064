// A tree whose nodes lie in many allocations and hold real device pointers; the kernel sums along random walks.
#include "check.h"

struct Node {
    Node* left;
    Node* right;
    unsigned value;
};

__global__ void walk(const Node* root, const unsigned* turns, unsigned* sums, const Node** ends, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const Node* node = root;
    unsigned sum = 0, turn = turns[i];
    while (node->left) {
        sum = sum * 31 + node->value;
        node = turn & 1 ? node->right : node->left;
        turn >>= 1;
    }
    sums[i] = sum * 31 + node->value;
    ends[i] = node;
}

int main() {
    const int levels = 10, count = 500;
    std::vector<Node*> nodes;  // heap order; node n has the children 2n+1 and 2n+2
    for (int n = 0; n < (1 << levels) - 1; ++n) {
        Node* node = nullptr;
        HIP_CHECK(hipMalloc(&node, n % 3 == 0 ? sizeof(Node) : 5000 + 64 * (n % 7)));
        nodes.push_back(node);
    }
    for (size_t n = 0; n < nodes.size(); ++n) {
        const bool leaf = 2 * n + 1 >= nodes.size();
        const Node node{leaf ? nullptr : nodes[2 * n + 1], leaf ? nullptr : nodes[2 * n + 2], unsigned(n) * 7919u};
        HIP_CHECK(hipMemcpy(nodes[n], &node, sizeof node, hipMemcpyHostToDevice));
    }
    std::vector<unsigned> turns(count), want(count);
    for (int i = 0; i < count; ++i) {
        turns[i] = unsigned(i) * 2654435761u;
        size_t n = 0;
        unsigned turn = turns[i], sum = 0;
        for (; 2 * n + 1 < nodes.size(); turn >>= 1) {
            sum = sum * 31 + unsigned(n) * 7919u;
            n = 2 * n + 1 + (turn & 1);
        }
        want[i] = sum * 31 + unsigned(n) * 7919u;
    }
    unsigned* device_turns = to_device(turns);
    unsigned* sums = nullptr;
    const Node** ends = nullptr;
    HIP_CHECK(hipMalloc(&sums, count * sizeof *sums));
    HIP_CHECK(hipMalloc(&ends, count * sizeof *ends));
    walk<<<(count + 63) / 64, 64>>>(nodes[0], device_turns, sums, ends, count);
    HIP_CHECK(hipGetLastError());
    return verdict("linked", to_host(sums, count), want, 0);
}
