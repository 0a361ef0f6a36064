// Greedy colouring of a graph in one launch: a vertex waits until every neighbour of higher priority has a colour,
// which may be given by another block. Nothing but volatile loads tells the waiting threads.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

__host__ __device__ unsigned priority(unsigned v) {
    v = (v ^ v >> 15) * 0x2c1b3c6du;
    return v ^ v >> 12;
}

__host__ __device__ bool before(int a, int b) {
    return priority(a) != priority(b) ? priority(a) > priority(b) : a > b;
}

__global__ void colour(int n, const int* first, const int* edges, volatile signed char* colours) {
    bool waiting;
    do {
        waiting = false;
        for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
            if (colours[v] >= 0) continue;
            unsigned long long taken = 0;
            int e = first[v];
            for (; e < first[v + 1]; ++e) {
                int other = edges[e];
                if (!before(other, v)) continue;
                int c = colours[other];
                if (c < 0) break;
                taken |= 1ull << c;
            }
            if (e < first[v + 1])
                waiting = true;
            else
                colours[v] = (signed char)(__ffsll((long long)~taken) - 1);
        }
    } while (waiting);
}

int main() {
    const int n = 12000;
    std::vector<std::vector<int>> near(n);
    unsigned state = 7;
    for (int i = 0; i < 3 * n; ++i) {
        int a = (state = state * 1664525u + 1013904223u) % n, b = (state = state * 1664525u + 1013904223u) % n;
        if (a == b) continue;
        near[a].push_back(b);
        near[b].push_back(a);
    }
    std::vector<int> first(1, 0), edges;
    for (auto& list : near) {
        edges.insert(edges.end(), list.begin(), list.end());
        first.push_back((int)edges.size());
    }
    int *d_first, *d_edges;
    signed char* d_colours;
    hipMalloc(&d_first, first.size() * 4);
    hipMalloc(&d_edges, edges.size() * 4);
    hipMalloc(&d_colours, n);
    hipMemcpy(d_first, first.data(), first.size() * 4, hipMemcpyHostToDevice);
    hipMemcpy(d_edges, edges.data(), edges.size() * 4, hipMemcpyHostToDevice);
    hipMemset(d_colours, 0xff, n);
    colour<<<24, 256>>>(n, d_first, d_edges, d_colours);
    std::vector<signed char> colours(n);
    hipMemcpy(colours.data(), d_colours, n, hipMemcpyDeviceToHost);
    int bad = 0;
    for (int v = 0; v < n; ++v) {
        bad += colours[v] < 0;
        for (int other : near[v]) bad += colours[v] == colours[other];
    }
    printf("%s\n", bad ? "FAIL" : "PASS");
    hipFree(d_first);
    hipFree(d_edges);
    hipFree(d_colours);
    return bad != 0;
}
