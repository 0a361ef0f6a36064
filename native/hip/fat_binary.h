// Offload bundles: code objects for several targets in one image.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace vrocm::hip {

// True when code built for `code` ("gfx942", "gfx942:xnack+") runs on the device `device`
// ("gfx942:sramecc+:xnack-"): same processor, and no feature asked for the other way round.
bool target_runs_on(std::string_view code, std::string_view device);

// The code object for a device inside an image, which is a clang offload bundle or a bare ELF.
// `size` bounds the image where it is known (files); images in memory tell their size themselves.
// Throws hipErrorNoBinaryForGpu when there is none, hipErrorInvalidImage when the image is neither.
std::span<const std::uint8_t> select_code_object(const void* image, std::size_t size, std::string_view device_target);
inline constexpr std::size_t kUnknownSize = SIZE_MAX;

// Strips the wrapper that the compiler hands to __hipRegisterFatBinary.
const void* unwrap_fat_binary(const void* wrapper);

}  // namespace vrocm::hip
