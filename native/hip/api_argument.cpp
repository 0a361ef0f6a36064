#include "hip/api_argument.h"

#include <initializer_list>
#include <utility>

namespace vrocm::hip {

namespace {

std::string memcpy_kind(std::int64_t value) {
    switch (value) {
        case hipMemcpyHostToHost:
            return "hipMemcpyHostToHost";
        case hipMemcpyHostToDevice:
            return "hipMemcpyHostToDevice";
        case hipMemcpyDeviceToHost:
            return "hipMemcpyDeviceToHost";
        case hipMemcpyDeviceToDevice:
            return "hipMemcpyDeviceToDevice";
        case hipMemcpyDefault:
            return "hipMemcpyDefault";
        case hipMemcpyDeviceToDeviceNoCU:
            return "hipMemcpyDeviceToDeviceNoCU";
        default:
            return std::to_string(value);
    }
}

std::string fields(std::initializer_list<std::pair<const char*, std::size_t>> values) {
    std::string text = "{";
    for (const auto& [name, value] : values) {
        if (text.size() > 1) text.append(", ");
        text.append(name).append("=").append(std::to_string(value));
    }
    return text.append("}");
}

}  // namespace

std::string ArgumentTexts::enumerator(std::string_view type, std::int64_t value) {
    return type == "hipMemcpyKind" ? memcpy_kind(value) : std::to_string(value);
}

void ArgumentTexts::structure(const dim3& value, ArgumentText& into) {
    into.text = fields({{"z", value.z}, {"y", value.y}, {"x", value.x}});
}

void ArgumentTexts::structure(const hipExtent& value, ArgumentText& into) {
    into.text = fields({{"depth", value.depth}, {"height", value.height}, {"width", value.width}});
}

void ArgumentTexts::structure(const hipPitchedPtr& value, ArgumentText& into) {
    into.text = fields({{"ysize", value.ysize}, {"xsize", value.xsize}, {"pitch", value.pitch}});
}

}  // namespace vrocm::hip
