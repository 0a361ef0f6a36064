// Images of device code that programs bring along: offload bundles, in which are code objects for several targets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace vrocm::hip {

// The code object for a device inside an image, which is an offload bundle (plain or compressed) or a bare ELF.
// `size` bounds the image where it is known (files); images in memory tell their size themselves.
// Throws hipErrorNoBinaryForGpu when there is none, hipErrorInvalidImage when the image is neither, or damaged.
std::vector<std::uint8_t> select_code_object(const void* image, std::size_t size, std::string_view device_target);
inline constexpr std::size_t kUnknownSize = SIZE_MAX;

// Strips the wrapper that the compiler hands to __hipRegisterFatBinary. Null when it is damaged: that is no image, and
// its kernels fail with hipErrorInvalidImage when they are used.
const void* unwrap_fat_binary(const void* wrapper);

}  // namespace vrocm::hip
