#include "sim/timing/units/gpu.h"

#include <algorithm>

namespace vrocm::sim::timing {

Gpu::Gpu(const GpuModel& gpu_model)
    : model(gpu_model), p(parameters(gpu_model)), memory(gpu_model, p), xcds(gpu_model.xccs), costs(p) {
    const unsigned units = model.compute_units / model.xccs, engines = model.shader_engines / model.xccs;
    const unsigned fronts = model.front_caches_per_xcc;
    for (unsigned x = 0; x < model.xccs; ++x) {
        Xcd& xcd = xcds[x];
        xcd.l2 = std::make_unique<L2>(p, memory);
        xcd.launchers.resize(std::max(engines, 1u));
        const unsigned shared = 2 * (units - fronts);  // units that share their caches with another
        for (unsigned u = 0; u < units; ++u) {
            if (u >= shared || u % 2 == 0) xcd.front.push_back(std::make_unique<FrontCaches>(p, *xcd.l2));
            auto unit = std::make_unique<ComputeUnit>(p, *xcd.l2, *xcd.front.back());
            unit->xcd = x;
            unit->engine = u % static_cast<unsigned>(xcd.launchers.size());
            unit->number = u / static_cast<unsigned>(xcd.launchers.size());
            xcd.units.push_back(std::move(unit));
        }
    }
}

std::uint64_t Gpu::cache_bytes() const {
    return std::max<std::uint64_t>(p.infinity_cache.bytes, std::uint64_t{p.l2.bytes} * xcds.size());
}

void Gpu::begin_dispatch() {
    l2_filled_ = memory_filled_ = false;
    memory.begin_dispatch();
    for (Xcd& xcd : xcds) {
        xcd.l2->begin_dispatch(cold_caches);
        for (Pipe& launcher : xcd.launchers) launcher.reset();
        xcd.engines.assign(xcd.launchers.size(), {});
        for (auto& front : xcd.front) front->begin_dispatch(cold_caches);
        for (auto& unit : xcd.units) {
            unit->vector_memory.begin_dispatch();
            unit->lds.begin_dispatch();
            for (Simd& simd : unit->simds) simd = {};
            unit->groups = unit->rotation = 0;
            unit->executed = unit->wave_clocks = 0;
            unit->occupied = {};
            unit->lds_used = 0;
        }
    }
}

namespace {

// When a cache that takes `inserted` lines in `done` instructions is full; 0 when it is full already or never will be.
std::uint64_t full_after(std::uint64_t inserted, std::uint64_t capacity, std::uint64_t done, std::uint64_t expected) {
    if (inserted == 0 || inserted >= capacity) return 0;
    const auto when = static_cast<unsigned __int128>(done) * capacity / inserted;
    return when < expected ? static_cast<std::uint64_t>(when) : 0;
}

}  // namespace

std::uint64_t Gpu::fill_next_cache(std::uint64_t done, std::uint64_t expected) {
    std::uint64_t inserted = 0, written = 0, capacity = 0;
    for (const Xcd& xcd : xcds) {
        inserted += xcd.l2->inserted();
        written += xcd.l2->written();
        capacity += xcd.l2->capacity();
    }
    if (inserted == 0) return 0;
    // Also of the Infinity Cache: what is written reaches it late, when the L2s are full.
    const auto dirty = static_cast<unsigned>(1000 * written / inserted);
    if (!l2_filled_) {
        l2_filled_ = true;
        if (const std::uint64_t when = full_after(inserted, capacity, done, expected)) {
            for (Xcd& xcd : xcds) xcd.l2->fill_up(dirty);
            return when;
        }
    }
    if (memory_filled_) return 0;
    memory_filled_ = true;
    // What the L2s hold dirty will come to it too.
    const std::uint64_t held = std::min(written, capacity);
    const std::uint64_t when = full_after(memory.inserted() + held, memory.capacity(), done, expected);
    if (when) memory.fill_up(dirty);
    return when;
}

void Gpu::pass_unseen(std::uint64_t parts, std::uint64_t of) {
    for (Xcd& xcd : xcds) xcd.l2->pass_unseen(parts, of);
    memory.pass_unseen(parts, of);
}

}  // namespace vrocm::sim::timing
