#include "sim/dispatch/group_order.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace vrocm::sim {

namespace {
// splitmix64: every bit of the result depends on every bit of x.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}
}  // namespace

GroupOrder::GroupOrder(std::uint64_t seed, std::uint64_t groups, std::uint64_t window)
    : seed_(seed), groups_(groups), window_(std::max<std::uint64_t>(window, 1)) {}

GroupOrder GroupOrder::from_environment(std::uint64_t groups, std::uint64_t window) {
    const char* text = std::getenv("VROCM_GROUP_ORDER");
    return text ? GroupOrder(std::strtoull(text, nullptr, 10), groups, window) : GroupOrder();
}

std::uint64_t GroupOrder::operator()(std::uint64_t n) const {
    if (seed_ == 0 || n >= groups_) return n;
    const std::uint64_t first = n / window_ * window_, size = std::min(window_, groups_ - first);
    // x -> (stride x + shift) mod size visits every place once when the stride shares no factor with the size.
    std::uint64_t stride = mixed(seed_) % size | 1;
    while (std::gcd(stride, size) != 1) stride += 2;
    const std::uint64_t shift = mixed(seed_ ^ first) % size;
    return first + static_cast<std::uint64_t>((static_cast<unsigned __int128>(stride) * (n - first) + shift) % size);
}

}  // namespace vrocm::sim
