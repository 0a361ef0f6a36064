// Breadth-first search by frontiers: atomicCAS to claim, atomicAdd to append, host loop on the frontier's size.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <queue>
#include <vector>

__global__ void expand(const int* offsets, const int* edges, int* depth, const int* frontier, int size, int* next, int* next_size, int level) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;
    int node = frontier[i];
    for (int e = offsets[node]; e < offsets[node + 1]; ++e) {
        int other = edges[e];
        if (atomicCAS(&depth[other], -1, level) == -1) next[atomicAdd(next_size, 1)] = other;
    }
}

int main() {
    const int nodes = 20000;
    std::vector<int> offsets(nodes + 1), edges;
    unsigned state = 1;
    for (int i = 0; i < nodes; ++i) {
        offsets[i] = (int)edges.size();
        for (int k = 0; k < 1 + i % 6; ++k) {
            state = state * 1664525u + 1013904223u;
            edges.push_back((state >> 8) % nodes);
        }
        edges.push_back((i + 1) % nodes);
    }
    offsets[nodes] = (int)edges.size();
    std::vector<int> want(nodes, -1);
    std::queue<int> todo;
    want[0] = 0;
    todo.push(0);
    while (!todo.empty()) {
        int node = todo.front();
        todo.pop();
        for (int e = offsets[node]; e < offsets[node + 1]; ++e)
            if (want[edges[e]] < 0) want[edges[e]] = want[node] + 1, todo.push(edges[e]);
    }
    int *d_offsets, *d_edges, *d_depth, *d_frontier, *d_next, *d_size;
    hipMalloc((void**)&d_offsets, offsets.size() * 4);
    hipMalloc((void**)&d_edges, edges.size() * 4);
    hipMalloc((void**)&d_depth, nodes * 4);
    hipMalloc((void**)&d_frontier, nodes * 4);
    hipMalloc((void**)&d_next, nodes * 4);
    hipMallocManaged((void**)&d_size, 4);
    hipMemcpy(d_offsets, offsets.data(), offsets.size() * 4, hipMemcpyHostToDevice);
    hipMemcpy(d_edges, edges.data(), edges.size() * 4, hipMemcpyHostToDevice);
    hipMemset(d_depth, 0xff, nodes * 4);
    hipMemset(d_depth, 0, 4);
    hipMemset(d_frontier, 0, 4);
    int size = 1;
    for (int level = 1; size > 0; ++level) {
        *d_size = 0;
        expand<<<(size + 255) / 256, 256>>>(d_offsets, d_edges, d_depth, d_frontier, size, d_next, d_size, level);
        hipDeviceSynchronize();
        size = *d_size;
        std::swap(d_frontier, d_next);
    }
    std::vector<int> got(nodes);
    hipMemcpy(got.data(), d_depth, nodes * 4, hipMemcpyDeviceToHost);
    bool ok = got == want;
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (int* p : {d_offsets, d_edges, d_depth, d_frontier, d_next, d_size}) hipFree(p);
    return ok ? 0 : 1;
}
