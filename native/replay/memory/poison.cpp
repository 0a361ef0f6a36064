#include "replay/memory/poison.h"

#include <algorithm>

#include "replay/failure.h"
#include "replay/memory/pattern.h"

namespace rpl::replay {

namespace {

using snapshot::Json;

[[noreturn]] void bad_poison(const std::string& message) {
    throw Failure{ExitCode::BadInput, "poison", message,
                  "the file has the form {\"seed\": 1, \"ranges\": [{\"base\": \"0x…\", \"size\": 64}]}, with ranges "
                  "inside captured regions"};
}

Json parse(const std::string& path) {
    const std::vector<std::uint8_t> bytes = read_file(path, "poison");
    try {
        return Json::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    } catch (const snapshot::JsonError& error) {
        bad_poison(path + ": " + error.what());
    }
}

}  // namespace

Poison::Poison(const std::string& path, const std::vector<PlacedRegion>& regions) : regions_(regions) {
    if (path.empty()) return;
    const Json document = parse(path);
    try {
        seed_ = static_cast<std::uint64_t>(document["seed"].integer());
        for (const Json& value : document["ranges"].items()) {
            const std::uint64_t base = value["base"].address();
            const std::int64_t size = value["size"].integer();
            if (size < 0) bad_poison(path + ": a size is negative");
            if (size == 0) continue;
            const auto bytes = static_cast<std::uint64_t>(size);
            const auto region = std::find_if(regions.begin(), regions.end(), [&](const PlacedRegion& r) {
                return base >= r.captured->base && base - r.captured->base <= r.size() &&
                       bytes <= r.size() - (base - r.captured->base);
            });
            if (region == regions.end())
                bad_poison(path + ": " + std::to_string(bytes) + " bytes at " + hexadecimal(base) +
                           " do not lie in one captured region");
            ranges_.push_back(
                {static_cast<std::size_t>(region - regions.begin()), base - region->captured->base, bytes});
        }
    } catch (const snapshot::JsonError& error) {
        bad_poison(path + ": " + error.what());
    }
}

std::uint64_t Poison::bytes() const {
    std::uint64_t sum = 0;
    for (const Range& range : ranges_) sum += range.size;
    return sum;
}

void Poison::mark(DirtyPages& dirty) const {
    for (const Range& range : ranges_) dirty.add_bytes(range.region, range.offset, range.size);
}

void Poison::apply(CopyLanes& lanes) const {
    lanes.for_each(ranges_.size(), [&](CopyLane& lane, std::size_t i) {
        const Range& range = ranges_[i];
        const PlacedRegion& region = regions_[range.region];
        for (std::uint64_t done = 0; done < range.size;) {
            const auto part = std::min<std::uint64_t>(CopyLane::kStaging, range.size - done);
            fill_pattern(region.captured->base + range.offset + done, seed_, {lane.staging(), part});
            region.write(lane, range.offset + done, lane.staging(), part, true);
            done += part;
        }
    });
}

}  // namespace rpl::replay
