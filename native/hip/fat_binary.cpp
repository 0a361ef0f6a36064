#include "hip/fat_binary.h"

#include <cstring>
#include <string>
#include <vector>

#include "hip/code_object.h"
#include "hip/error.h"

namespace vrocm::hip {

namespace {

// LLVM clang documentation, "Clang Offload Bundler": uncompressed and compressed magic.
constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";

// What clang emits around the bundle (clang CodeGen, CGCUDANV): "HIPF", version 1.
struct Wrapper {
    std::uint32_t magic;
    std::uint32_t version;
    const void* binary;
    const void* unused;
};
constexpr std::uint32_t kWrapperMagic = 0x48495046;

// An ELF header and a bundle's magic with its count both fit.
constexpr std::size_t kSmallestImage = 64;

struct BundleEntry {
    std::uint64_t offset, size, id_length;
};

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == text.npos) return parts;
        text.remove_prefix(at + 1);
    }
}

// "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-" -> "gfx942:xnack-"; empty for host entries.
std::string_view target_of_entry(std::string_view id) {
    if (!id.starts_with("hip")) return {};
    const auto at = id.rfind("-gfx");
    return at == id.npos ? std::string_view{} : id.substr(at + 1);
}

}  // namespace

bool target_runs_on(std::string_view code, std::string_view device) {
    const auto wanted = split(code, ':'), offered = split(device, ':');
    const bool generic = wanted[0] == "gfx9-4-generic" && offered[0] == "gfx942";
    if (wanted[0] != offered[0] && !generic) return false;
    for (std::size_t i = 1; i < wanted.size(); ++i)
        for (std::size_t j = 1; j < offered.size(); ++j) {
            const std::string_view w = wanted[i], o = offered[j];
            if (w.size() == o.size() && w.substr(0, w.size() - 1) == o.substr(0, o.size() - 1) && w != o) return false;
        }
    return true;
}

std::span<const std::uint8_t> select_code_object(const void* image, std::size_t size, std::string_view device_target) {
    const auto* bytes = static_cast<const std::uint8_t*>(image);
    auto need = [&](std::uint64_t offset, std::uint64_t length) {
        require(offset <= size && length <= size - offset, hipErrorInvalidImage);
    };
    need(0, kSmallestImage);
    if (std::memcmp(bytes, "\177ELF", 4) == 0) {
        const std::size_t length = elf_size(image, size);
        need(0, length);
        return {bytes, length};
    }
    if (std::memcmp(bytes, kCompressedMagic.data(), kCompressedMagic.size()) == 0)
        refuse("a compressed offload bundle (CCOB)", "build with --no-offload-compress");
    require(std::memcmp(bytes, kBundleMagic.data(), kBundleMagic.size()) == 0, hipErrorInvalidImage);

    std::uint64_t count, at = kBundleMagic.size();
    std::memcpy(&count, bytes + at, sizeof count);
    at += sizeof count;
    std::span<const std::uint8_t> chosen;
    std::size_t chosen_length = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        BundleEntry entry;
        need(at, sizeof entry);
        std::memcpy(&entry, bytes + at, sizeof entry);
        at += sizeof entry;
        need(at, entry.id_length);
        const std::string_view id(reinterpret_cast<const char*>(bytes + at), entry.id_length);
        at += entry.id_length;
        const std::string_view target = target_of_entry(id);
        if (target.empty() || entry.size == 0 || !target_runs_on(target, device_target)) continue;
        need(entry.offset, entry.size);
        // The one that names most features was built most closely for this device.
        if (target.size() >= chosen_length) {
            chosen = {bytes + entry.offset, entry.size};
            chosen_length = target.size();
        }
    }
    require(!chosen.empty(), hipErrorNoBinaryForGpu);
    return chosen;
}

const void* unwrap_fat_binary(const void* wrapper) {
    Wrapper w;
    std::memcpy(&w, wrapper, sizeof w);
    require(w.magic == kWrapperMagic, hipErrorInvalidImage);
    require(w.version == 1, hipErrorInvalidImage);
    return w.binary;
}

}  // namespace vrocm::hip
