#include "hsa/metadata.h"

#include <stdexcept>

#include "msgpack/msgpack.h"

namespace vrocm::hsa {

namespace {

std::uint32_t number(const msgpack::Value& kernel, std::string_view key) {
    return static_cast<std::uint32_t>(kernel[key].integer);
}

KernelMetadata read_kernel(const msgpack::Value& kernel) {
    KernelMetadata made;
    made.symbol = kernel[".symbol"].text;
    made.kernarg_size = number(kernel, ".kernarg_segment_size");
    made.kernarg_align = number(kernel, ".kernarg_segment_align");
    made.group_size = number(kernel, ".group_segment_fixed_size");
    made.private_size = number(kernel, ".private_segment_fixed_size");
    made.dynamic_stack = kernel[".uses_dynamic_stack"].integer != 0;
    return made;
}

}  // namespace

std::vector<KernelMetadata> read_kernel_metadata(std::span<const std::uint8_t> document) {
    std::vector<KernelMetadata> kernels;
    try {
        const msgpack::Value root = msgpack::parse(document);
        for (const msgpack::Value& kernel : root["amdhsa.kernels"].items) kernels.push_back(read_kernel(kernel));
    } catch (const std::runtime_error&) {
        // Not MessagePack: the descriptors of the kernels still say what is needed to run them.
    }
    return kernels;
}

}  // namespace vrocm::hsa
