// Gravitation in double precision: tiles of bodies in LDS, rsqrt, float3-like structs, several steps.
#include <hip/hip_runtime.h>
#include <cmath>
#include <cstdio>
#include <vector>

struct Body {
    double4 p;  // w: mass
    double3 v;
};

__global__ void step(const Body* in, Body* out, int n, double dt) {
    __shared__ double4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double3 a = make_double3(0, 0, 0);
    Body self = in[min(i, n - 1)];
    for (int base = 0; base < n; base += 128) {
        if (base + threadIdx.x < (unsigned)n) tile[threadIdx.x] = in[base + threadIdx.x].p;
        __syncthreads();
        int count = min(128, n - base);
        for (int j = 0; j < count; ++j) {
            double dx = tile[j].x - self.p.x, dy = tile[j].y - self.p.y, dz = tile[j].z - self.p.z;
            double r2 = dx * dx + dy * dy + dz * dz + 1e-3;
            double inv = rsqrt(r2);
            double f = tile[j].w * inv * inv * inv;
            a.x += f * dx, a.y += f * dy, a.z += f * dz;
        }
        __syncthreads();
    }
    if (i >= n) return;
    self.v.x += a.x * dt, self.v.y += a.y * dt, self.v.z += a.z * dt;
    self.p.x += self.v.x * dt, self.p.y += self.v.y * dt, self.p.z += self.v.z * dt;
    out[i] = self;
}

int main() {
    const int n = 700, steps = 3;
    const double dt = 0.01;
    std::vector<Body> host(n), want;
    for (int i = 0; i < n; ++i)
        host[i] = {make_double4(sin(i * 1.3), cos(i * 0.7), sin(i * 0.1) * cos(i), 1.0 / (1 + i % 7)), make_double3(0, 0, 0)};
    want = host;
    for (int s = 0; s < steps; ++s) {
        std::vector<Body> next = want;
        for (int i = 0; i < n; ++i) {
            double ax = 0, ay = 0, az = 0;
            for (int j = 0; j < n; ++j) {
                double dx = want[j].p.x - want[i].p.x, dy = want[j].p.y - want[i].p.y, dz = want[j].p.z - want[i].p.z;
                double inv = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-3);
                double f = want[j].p.w * inv * inv * inv;
                ax += f * dx, ay += f * dy, az += f * dz;
            }
            next[i].v.x += ax * dt, next[i].v.y += ay * dt, next[i].v.z += az * dt;
            next[i].p.x += next[i].v.x * dt, next[i].p.y += next[i].v.y * dt, next[i].p.z += next[i].v.z * dt;
        }
        want = next;
    }
    Body *a, *b;
    hipMalloc((void**)&a, n * sizeof(Body));
    hipMalloc((void**)&b, n * sizeof(Body));
    hipMemcpy(a, host.data(), n * sizeof(Body), hipMemcpyHostToDevice);
    for (int s = 0; s < steps; ++s) {
        hipLaunchKernelGGL(step, dim3((n + 127) / 128), dim3(128), 0, 0, a, b, n, dt);
        Body* t = a;
        a = b;
        b = t;
    }
    hipMemcpy(host.data(), a, n * sizeof(Body), hipMemcpyDeviceToHost);
    double worst = 0;
    for (int i = 0; i < n; ++i) worst = fmax(worst, fmax(fabs(host[i].p.x - want[i].p.x), fabs(host[i].v.z - want[i].v.z)));
    printf("worst %g\n%s\n", worst, worst < 1e-10 ? "PASS" : "FAIL");
    hipFree(a);
    hipFree(b);
    return worst < 1e-10 ? 0 : 1;
}
