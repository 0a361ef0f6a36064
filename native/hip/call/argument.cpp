#include "hip/call/argument.h"

#include <initializer_list>
#include <utility>

namespace {

std::string fields(std::initializer_list<std::pair<const char*, std::size_t>> values) {
    std::string text = "{";
    for (const auto& [name, value] : values) {
        if (text.size() > 1) text.append(", ");
        text.append(name).append("=").append(std::to_string(value));
    }
    return text.append("}");
}

}  // namespace

std::string describe_argument(const dim3& value) {
    return fields({{"z", value.z}, {"y", value.y}, {"x", value.x}});
}

std::string describe_argument(const hipExtent& value) {
    return fields({{"depth", value.depth}, {"height", value.height}, {"width", value.width}});
}

std::string describe_argument(const hipPitchedPtr& value) {
    return fields({{"ysize", value.ysize}, {"xsize", value.xsize}, {"pitch", value.pitch}});
}

std::string describe_argument(hipMemcpyKind value) {
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
            return std::to_string(static_cast<int>(value));
    }
}
