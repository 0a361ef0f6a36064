// Images of device code for C callers: what is in them, and what compressed them.
#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capi/vrocm_sim.h"
#include "codeobj/image.h"
#include "codeobj/kernel_metadata.h"
#include "codeobj/loadable.h"
#include "codeobj/target.h"
#include "compression/decompress.h"

namespace {

using namespace vrocm;

void write_text(std::string_view text, char* to, std::size_t size) {
    if (!to || !size) return;
    const std::size_t count = std::min(text.size(), size - 1);
    std::memcpy(to, text.data(), count);
    to[count] = '\0';
}

// Runs f, which gives bytes, and hands them over; -1 with a message when it throws.
template <typename F>
int hand_over(F&& f, std::uint8_t* out, std::size_t capacity, std::size_t* size, char* message,
              std::size_t message_size) {
    try {
        const std::vector<std::uint8_t> made = f();
        if (size) *size = made.size();
        if (out && !made.empty()) std::memcpy(out, made.data(), std::min(made.size(), capacity));
        return 0;
    } catch (const std::exception& error) {
        write_text(error.what(), message, message_size);
        return -1;
    }
}

std::string summary_of(const codeobj::Loadable& code) {
    std::string text = code.isa() + '\n';
    for (const codeobj::Elf::Symbol& s : code.symbols())
        if (s.section != SHN_UNDEF && !s.name.empty())
            text.append("symbol ").append(s.name) += ' ' + std::to_string(s.size) + '\n';
    text += "relocations " + std::to_string(code.relocations().size()) + '\n';
    const auto metadata = codeobj::read_metadata(code.elf()).value_or(codeobj::Metadata());
    for (const codeobj::KernelMetadata& kernel : metadata.kernels) text += "kernel " + kernel.symbol + '\n';
    return text;
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int vrocm_unpack(const char* method, const uint8_t* packed, size_t packed_size, uint64_t most, uint8_t* out,
                        size_t capacity, size_t* size, char* message, size_t message_size) {
    const auto unpack = std::string_view(method) == "zlib" ? compression::unpack_zlib : compression::unpack_zstd;
    return hand_over([&] { return unpack({packed, packed_size}, most, nullptr); }, out, capacity, size, message,
                     message_size);
}

EXPORT int vrocm_device_code(const uint8_t* image, size_t image_size, const char* target, uint8_t* out, size_t capacity,
                             size_t* size, char* message, size_t message_size) {
    const auto find = [&] {
        const codeobj::ImageBytes bytes = image_size == SIZE_MAX
                                              ? codeobj::ImageBytes(static_cast<const void*>(image))
                                              : codeobj::ImageBytes(codeobj::Bytes(image, image_size));
        auto found = codeobj::code_object_for(bytes, target);
        if (!found) throw std::runtime_error("no code for this target");
        return std::move(*found);
    };
    return hand_over(find, out, capacity, size, message, message_size);
}

EXPORT int vrocm_code_summary(const uint8_t* elf, size_t elf_size, char* text, size_t text_size) {
    try {
        std::string why;
        const auto code = codeobj::Loadable::read({elf, elf_size}, why);
        write_text(code ? summary_of(*code) : why, text, text_size);
        return code ? 0 : -1;
    } catch (const std::exception& error) {
        write_text(error.what(), text, text_size);
        return -1;
    }
}
