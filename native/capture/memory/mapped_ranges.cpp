#include "capture/memory/mapped_ranges.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

namespace rpl::capture {

MappedRanges MappedRanges::now() {
    MappedRanges made;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long long begin = 0, end = 0;
        char readable = '-';
        if (std::sscanf(line.c_str(), "%llx-%llx %c", &begin, &end, &readable) != 3 || readable != 'r') continue;
        if (!made.ranges_.empty() && made.ranges_.back().second == begin)
            made.ranges_.back().second = end;
        else
            made.ranges_.emplace_back(begin, end);
    }
    return made;
}

std::vector<MappedRanges::Range> MappedRanges::within(std::uint64_t begin, std::uint64_t end) const {
    std::vector<Range> parts;
    auto at = std::upper_bound(ranges_.begin(), ranges_.end(), begin,
                               [](std::uint64_t address, const Range& range) { return address < range.second; });
    for (; at != ranges_.end() && at->first < end; ++at)
        parts.emplace_back(std::max(begin, at->first), std::min(end, at->second));
    return parts;
}

}  // namespace rpl::capture
