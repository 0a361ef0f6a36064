#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "kernels.h"

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s size radius\n", argv[0]);
        return 2;
    }
    const int n = std::atoi(argv[1]), radius = std::atoi(argv[2]);
    const double start = seconds();
    std::vector<float> x(n), y(n, 1.0f);
    std::thread filler([&] {
        for (int i = 0; i < n; ++i) x[i] = 0.5f * (i % 17);
    });
    filler.join();
    saxpy(2.0f, x, y);
    const std::vector<float> smooth = blur(y, radius);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        float sum = 0;
        for (int k = -radius; k <= radius; ++k) {
            const int at = std::min(std::max(i + k, 0), n - 1);
            sum += 1.0f + 2.0f * 3 * x[at];
        }
        wrong += std::fabs(smooth[i] - sum / (2 * radius + 1)) > 1e-4f;
    }
    std::printf("%s in %.3f s\n", wrong ? "FAIL" : "PASS", seconds() - start);
    return wrong != 0;
}
