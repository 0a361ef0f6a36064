#include "sim/gpu_model.h"

#include <strings.h>

#include <algorithm>
#include <cstdlib>

namespace vrocm::sim {

namespace {

constexpr GpuModel kModels[] = {
#include "gpus/models.inc"
};

}  // namespace

std::span<const GpuModel> gpu_models() {
    return kModels;
}

const GpuModel& default_gpu_model(isa::Arch arch) {
    for (const GpuModel& model : kModels)
        if (model.arch == arch) return model;
    return kModels[0];
}

std::uint32_t largest_lds_bytes() {
    std::uint32_t largest = 0;
    for (const GpuModel& model : kModels) largest = std::max(largest, model.lds_bytes);
    return largest;
}

const GpuModel* chosen_gpu_model(std::string_view& asked) {
    const char* text = std::getenv("VROCM_DEVICE");
    if (!text || !*text) return &kModels[0];
    asked = text;
    for (const GpuModel& model : kModels)
        if (asked.size() == model.key.size() && strncasecmp(text, model.key.data(), asked.size()) == 0) return &model;
    return nullptr;
}

}  // namespace vrocm::sim
