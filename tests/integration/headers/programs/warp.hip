// Votes, shuffles, matches and reductions within a wave of 64 lanes.
#include <hip/hip_fp16.h>

#include "check.h"

struct Expected {
    int shfl, up, down, bxor;
};
// The definition of the shuffles, lane by lane.
static Expected reference(const std::vector<int>& v, int lane, int source, int delta, int width) {
    const int base = lane & ~(width - 1), end = base + width;
    Expected e;
    e.shfl = v[base + (source & (width - 1))];
    e.up = lane - delta < base ? v[lane] : v[lane - delta];
    e.down = lane + delta >= end ? v[lane] : v[lane + delta];
    e.bxor = (lane ^ delta) >= end ? v[lane] : v[lane ^ delta];
    return e;
}

template <class T>
__global__ void shuffle(const int* values, T* out, int source, int delta, int width) {
    const int lane = threadIdx.x;
    const T value = (T)values[lane];
    out[lane] = __shfl(value, source, width);
    out[64 + lane] = __shfl_up(value, delta, width);
    out[128 + lane] = __shfl_down(value, delta, width);
    out[192 + lane] = __shfl_xor(value, delta, width);
}
template <class T>
static void test_shuffles(const std::vector<int>& values, int* device) {
    DeviceArray<T> out(256);
    for (int width = 1; width <= 64; width *= 2)
        for (int delta : {0, 1, 3, 16, 33}) {
            shuffle<T><<<1, 64>>>(device, out, delta + 5, delta, width);
            const std::vector<T> got = out.read();
            for (int lane = 0; lane < 64; ++lane) {
                const Expected e = reference(values, lane, delta + 5, delta, width);
                EXPECT((int)got[lane] == e.shfl);
                EXPECT((int)got[64 + lane] == e.up);
                EXPECT((int)got[128 + lane] == e.down);
                EXPECT((int)got[192 + lane] == e.bxor);
            }
        }
}

__global__ void votes(const int* values, unsigned long long* out) {
    const int lane = threadIdx.x;
    const int v = values[lane];
    unsigned long long* mine = out + lane * 16;
    mine[0] = __ballot(v & 1);
    mine[1] = __any(v == values[0]);
    mine[2] = __all(v >= 0);
    mine[3] = __all(v > 0);
    mine[4] = __activemask();
    mine[5] = __lane_id();
    mine[6] = __match_any_sync(~0ull, v % 3);
    int same;
    mine[7] = __match_all_sync(~0ull, 5, &same) + same;
    mine[8] = __match_all_sync(~0ull, v, &same) + same;
    mine[9] = (unsigned)__reduce_add_sync(~0ull, v);
    mine[10] = (unsigned)__reduce_max_sync(~0ull, v);
    mine[11] = (unsigned)__reduce_xor_sync(~0ull, v);
    if (lane % 2) {
        mine[12] = __activemask();
        mine[13] = __ballot(v & 1);
        mine[14] = (unsigned)__reduce_min_sync(0xaaaaaaaaaaaaaaaaull, v);
    }
    __syncwarp();
    mine[15] = __popcll(__lanemask_lt());
}

int main() {
    std::vector<int> values(64);
    std::mt19937 random(5);
    for (int& value : values) value = random() % 200;
    values[10] = 0;
    DeviceArray<int> device(values);
    test_shuffles<int>(values, device);
    test_shuffles<unsigned>(values, device);
    test_shuffles<long long>(values, device);
    test_shuffles<unsigned long>(values, device);
    test_shuffles<float>(values, device);
    test_shuffles<double>(values, device);
    test_shuffles<__half>(values, device);

    DeviceArray<unsigned long long> out(64 * 16);
    votes<<<1, 64>>>(device, out);
    const std::vector<unsigned long long> got = out.read();
    unsigned long long odd = 0, by_three[3] = {};
    int sum = 0, largest = 0, all_xor = 0, smallest_odd_lane = 1000;
    for (int lane = 0; lane < 64; ++lane) {
        odd |= (unsigned long long)(values[lane] & 1) << lane;
        by_three[values[lane] % 3] |= 1ull << lane;
        sum += values[lane];
        largest = std::max(largest, values[lane]);
        all_xor ^= values[lane];
        if (lane % 2) smallest_odd_lane = std::min(smallest_odd_lane, values[lane]);
    }
    for (int lane = 0; lane < 64; ++lane) {
        const unsigned long long* mine = &got[lane * 16];
        EXPECT(mine[0] == odd);
        EXPECT(mine[1] == 1 && mine[2] == 1 && mine[3] == 0);
        EXPECT(mine[4] == ~0ull);
        EXPECT(mine[5] == (unsigned long long)lane);
        EXPECT(mine[6] == by_three[values[lane] % 3]);
        EXPECT(mine[7] == ~0ull + 1 && mine[8] == 0);
        EXPECT(mine[9] == (unsigned)sum && mine[10] == (unsigned)largest && mine[11] == (unsigned)all_xor);
        if (lane % 2) {
            EXPECT(mine[12] == 0xaaaaaaaaaaaaaaaaull);
            EXPECT(mine[13] == (odd & 0xaaaaaaaaaaaaaaaaull));
            EXPECT(mine[14] == (unsigned)smallest_odd_lane);
        }
        EXPECT(mine[15] == (unsigned long long)lane);
    }
    return finish();
}
