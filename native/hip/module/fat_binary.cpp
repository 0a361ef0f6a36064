#include "hip/module/fat_binary.h"

#include <cstdint>
#include <cstdio>
#include <utility>

#include "codeobj/image.h"
#include "hip/error.h"

namespace vrocm::hip {

namespace {

// What clang emits around the bundle (clang CodeGen, CGCUDANV): "HIPF", version 1.
struct Wrapper {
    std::uint32_t magic;
    std::uint32_t version;
    const void* binary;
    const void* unused;
};
constexpr std::uint32_t kWrapperMagic = 0x48495046;

}  // namespace

std::vector<std::uint8_t> select_code_object(const void* image, std::size_t size, std::string_view device_target) {
    const auto* bytes = static_cast<const std::uint8_t*>(image);
    try {
        auto found = codeobj::code_object_for(
            size == kUnknownSize ? codeobj::ImageBytes(image) : codeobj::ImageBytes(codeobj::Bytes(bytes, size)),
            device_target);
        require(found.has_value(), hipErrorNoBinaryForGpu);
        return std::move(*found);
    } catch (const codeobj::BadImage& error) {
        std::fprintf(stderr, "vrocm: image of device code refused: %s\n", error.what());
        fail(hipErrorInvalidImage);
    }
}

const void* unwrap_fat_binary(const void* wrapper) {
    try {
        const auto w = codeobj::ImageBytes(wrapper).at<Wrapper>(0);
        if (w.magic == kWrapperMagic && w.version == 1) return w.binary;
    } catch (const codeobj::BadImage&) {
    }
    std::fprintf(stderr, "vrocm: device code in this program is not wrapped as compilers do it: it cannot be used\n");
    return nullptr;
}

}  // namespace vrocm::hip
