#include "sim/timing/gpu.h"

#include <algorithm>

namespace vrocm::sim::timing {

Gpu::Gpu(const GpuModel& gpu_model)
    : model(gpu_model), p(parameters(gpu_model)), memory(gpu_model, p), xcds(gpu_model.xccs), costs(p) {
    const unsigned units = model.compute_units / model.xccs, engines = model.shader_engines / model.xccs;
    for (unsigned x = 0; x < model.xccs; ++x) {
        Xcd& xcd = xcds[x];
        xcd.l2 = std::make_unique<L2>(p, memory);
        xcd.launchers.resize(std::max(engines, 1u));
        for (unsigned u = 0; u < units; ++u) {
            if (u % 2 == 0) xcd.front.push_back(std::make_unique<FrontCaches>(p, *xcd.l2));
            auto unit = std::make_unique<ComputeUnit>(p, *xcd.l2, *xcd.front.back());
            unit->xcd = x;
            unit->engine = u % static_cast<unsigned>(xcd.launchers.size());
            unit->number = u / static_cast<unsigned>(xcd.launchers.size());
            xcd.units.push_back(std::move(unit));
        }
    }
}

void Gpu::begin_dispatch() {
    memory.begin_dispatch();
    for (Xcd& xcd : xcds) {
        xcd.l2->begin_dispatch(cold_caches);
        for (Pipe& launcher : xcd.launchers) launcher.reset();
        for (auto& front : xcd.front) front->begin_dispatch();
        for (auto& unit : xcd.units) {
            unit->vector_memory.begin_dispatch();
            unit->lds.begin_dispatch();
            for (Simd& simd : unit->simds) simd = {};
            unit->groups = 0;
            unit->lds_used = 0;
        }
    }
}

}  // namespace vrocm::sim::timing
