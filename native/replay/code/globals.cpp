#include "replay/code/globals.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "replay/failure.h"

namespace rpl::replay {

namespace {

[[noreturn]] void points_into_code(const Capture& capture, std::uint64_t address, std::uint64_t value,
                                   AddressRange now) {
    throw Failure{ExitCode::Relocated, "code relocated",
                  "captured memory at " + hexadecimal(address) + " points to " + hexadecimal(value) +
                      ", into the code object, which was at " + hexadecimal(capture.code->base) + " and is now at " +
                      hexadecimal(now.base),
                  "such pointers would be wrong, so nothing was run; a variant has to keep the layout of its variables "
                  "and functions, and the captured code itself comes to its address when nothing else is there"};
}

bool has_globals(const std::vector<PlacedRegion>& regions) {
    return std::any_of(regions.begin(), regions.end(),
                       [](const PlacedRegion& r) { return r.captured->kind == RegionKind::Globals; });
}

void require_base(const Capture& capture) {
    if (capture.code) return;
    throw Failure{ExitCode::Refused, "refused",
                  "the capture has globals of its code object and not where the code object was loaded",
                  "capture again with a runtime that has the loader extension 1.01"};
}

// Words of globals, in the parts that have memory here, that point into the captured code and not at something that
// is still there.
template <typename Right>
void check_words(const Capture& capture, const PlacedRegion& region, AddressRange now, const Right& right) {
    std::array<std::uint8_t, snapshot::kChunk> memory;
    for (std::uint64_t chunk = 0; chunk < region.chunk_count(); ++chunk) {
        region.contents(snapshot::RegionState::Before, chunk, memory);
        const std::uint64_t start = region.captured->base + chunk * snapshot::kChunk;
        for (std::size_t at = (8 - start % 8) % 8; at + 8 <= region.chunk_bytes(chunk); at += 8) {
            std::uint64_t word;
            std::memcpy(&word, memory.data() + at, sizeof word);
            if (word - capture.code->base >= capture.code->size || right(word)) continue;
            const std::uint64_t offset = chunk * snapshot::kChunk + at;
            const bool has_memory = std::any_of(region.pieces.begin(), region.pieces.end(), [&](const Piece& p) {
                return offset >= p.offset && offset + 8 <= p.offset + p.size;
            });
            if (has_memory) points_into_code(capture, start + at, word, now);
        }
    }
}

}  // namespace

void place_globals(const Capture& capture, const ReplayedCode& code, const PointerSearch* search,
                   std::vector<PlacedRegion>& regions) {
    if (!capture.code && !has_globals(regions)) return;
    require_base(capture);
    const std::uint64_t moved = code.range().base - capture.code->base;
    if (moved && search && !search->found().empty()) {
        const auto [value, address] = *search->found().begin();
        points_into_code(capture, address, value, code.range());
    }
    for (PlacedRegion& region : regions) {
        if (region.captured->kind != RegionKind::Globals) continue;
        region.pieces = {{0, region.size(), region.captured->base + moved}};
        region.moved_from = *capture.code;
        region.moved_by = moved;
    }
}

void place_globals_of_variant(const Capture& capture, const std::vector<Variable>& captured, const ReplayedCode& code,
                              const PointerSearch* search, std::vector<PlacedRegion>& regions,
                              std::vector<std::string>& notes) {
    if (!capture.code && !has_globals(regions)) return;
    require_base(capture);
    std::map<std::string, Variable> now;
    for (const Variable& variable : code.variables()) now[variable.name] = variable;
    std::vector<Variable> in_place;  // that pointers to are still right
    for (const Variable& was : captured) {
        const auto found = now.find(was.name);
        const bool fits = found != now.end() && found->second.size == was.size;
        if (fits && found->second.address == was.address) in_place.push_back(was);
        for (PlacedRegion& region : regions) {
            const CapturedRegion& r = *region.captured;
            if (r.kind != RegionKind::Globals || was.address < r.base || was.address + was.size > r.end()) continue;
            if (was.name.starts_with("__hip_cuid_")) continue;  // the compiler's mark of one compilation
            if (fits)
                region.pieces.push_back({was.address - r.base, was.size, found->second.address});
            else
                notes.push_back("variable " + was.name + " of the captured kernel is not in the variant" +
                                (found == now.end() ? "" : " with the same size") + ": what it held is not restored");
        }
    }
    const auto right = [&](std::uint64_t value) {
        return std::any_of(in_place.begin(), in_place.end(),
                           [&](const Variable& v) { return value >= v.address && value - v.address < v.size; });
    };
    if (search)
        for (const auto& [value, address] : search->found())
            if (!right(value) || !search->complete()) points_into_code(capture, address, value, code.range());
    for (PlacedRegion& region : regions) {
        if (region.captured->kind != RegionKind::Globals) continue;
        std::sort(region.pieces.begin(), region.pieces.end(),
                  [](const Piece& a, const Piece& b) { return a.offset < b.offset; });
        check_words(capture, region, code.range(), right);
    }
}

}  // namespace rpl::replay
