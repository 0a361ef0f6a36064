// Images of device code as programs hand them over: a code object, or an offload bundle, plain or compressed
// (https://clang.llvm.org/docs/ClangOffloadBundler.html). Of one in memory only the beginning is known; its headers,
// which may be damaged, say where it ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "codeobj/elf.h"

namespace vrocm::codeobj {

class BadImage : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Bytes of which the end may be unknown. Those that are not there are never touched: beyond a known end nothing is
// read, and memory is copied by the kernel, for which a page that is missing is an answer and not a signal.
class ImageBytes {
  public:
    explicit ImageBytes(Bytes all) : begin_(all.data()), size_(all.size()) {}
    explicit ImageBytes(const void* begin) : begin_(static_cast<const std::uint8_t*>(begin)) {}

    // Throws BadImage when they are not all there.
    std::vector<std::uint8_t> copy(std::uint64_t offset, std::uint64_t size) const;
    // As many as there are, at most `most`.
    std::vector<std::uint8_t> copy_up_to(std::uint64_t most) const;
    template <class T>
    T at(std::uint64_t offset) const {
        T value;
        copy_into(&value, offset, sizeof value);
        return value;
    }

  private:
    void copy_into(void* to, std::uint64_t offset, std::size_t size) const;
    std::size_t copy_some(void* to, std::uint64_t offset, std::size_t size) const;

    const std::uint8_t* begin_;
    std::optional<std::size_t> size_;
};

// The code object for a GPU ("gfx942:sramecc+:xnack-") in an image: of the entries of a bundle that run on it, the one
// that was built most closely for it. Nothing when there is none for it; throws BadImage when the image is damaged or
// something else.
std::optional<std::vector<std::uint8_t>> code_object_for(const ImageBytes& image, std::string_view device);

}  // namespace vrocm::codeobj
