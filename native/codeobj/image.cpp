#include "codeobj/image.h"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "codeobj/target.h"
#include "compression/decompress.h"

namespace vrocm::codeobj {

namespace {

constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";
constexpr std::size_t kMagicBytes = 64;       // an ELF header; bundles are no smaller
constexpr std::uint64_t kMostEntries = 4096;  // more is not a bundle but bytes that look like one
constexpr std::uint64_t kLongestName = 4096;
constexpr std::uint64_t kLargestCodeObject = 4ull << 30;

bool begins_with(Bytes bytes, std::string_view magic) {
    return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

std::uint64_t end_of(std::uint64_t offset, std::uint64_t size) {
    if (size > std::numeric_limits<std::uint64_t>::max() - offset) throw BadImage("its headers cannot be");
    return offset + size;
}

// The size of the code object that an image begins with, from its headers.
std::uint64_t code_object_size(const ImageBytes& image) {
    Elf64_Ehdr header;
    const auto head = image.copy(0, sizeof header);
    if (!read_header(head, header)) throw BadImage("not a 64-bit ELF file");
    if (header.e_phnum && header.e_phentsize != sizeof(Elf64_Phdr))
        throw BadImage("its program headers are of no known size");
    std::uint64_t end = std::max<std::uint64_t>(
        sizeof header, end_of(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr)));
    if (header.e_shnum) end = std::max(end, end_of(header.e_shoff, std::uint64_t{header.e_shnum} * header.e_shentsize));
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        const auto p = image.at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
        if (p.p_type == PT_LOAD || p.p_type == PT_NOTE || p.p_type == PT_DYNAMIC)
            end = std::max(end, end_of(p.p_offset, p.p_filesz));
    }
    if (end > kLargestCodeObject) throw BadImage("larger than code objects are");
    return end;
}

// "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-" -> "gfx942:xnack-"; empty for host entries.
std::string_view target_of_entry(std::string_view id) {
    if (!id.starts_with("hip")) return {};
    const auto at = id.rfind("-gfx");
    return at == id.npos ? std::string_view{} : id.substr(at + 1);
}

std::optional<std::vector<std::uint8_t>> choose(const ImageBytes& bundle, std::string_view device) {
    struct Entry {
        std::uint64_t offset, size, id_length;
    };
    std::uint64_t at = kBundleMagic.size();
    const auto count = bundle.at<std::uint64_t>(at);
    if (count > kMostEntries) throw BadImage("a bundle of too many entries");
    at += sizeof count;
    std::optional<Entry> chosen;
    std::size_t chosen_length = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto entry = bundle.at<Entry>(at);
        at += sizeof entry;
        if (entry.id_length > kLongestName) throw BadImage("a name in a bundle is too long");
        const std::vector<std::uint8_t> id = bundle.copy(at, entry.id_length);
        at += entry.id_length;
        const std::string_view target = target_of_entry({reinterpret_cast<const char*>(id.data()), id.size()});
        if (target.empty() || entry.size == 0 || !runs_on(target, device)) continue;
        // The one that names most features was built most closely for this device.
        if (target.size() < chosen_length) continue;
        chosen = entry;
        chosen_length = target.size();
    }
    if (!chosen) return std::nullopt;
    return bundle.copy(chosen->offset, chosen->size);
}

// The headers of compressed bundles, after the magic: version, method, and sizes of growing width.
struct Compressed {
    std::uint16_t method = 0;
    std::uint64_t header = 0, whole = 0, plain = 0;  // bytes; `whole` is not recorded in the first version
};

Compressed read_compressed(const ImageBytes& image) {
    Compressed made;
    const auto version = image.at<std::uint16_t>(4);
    made.method = image.at<std::uint16_t>(6);
    constexpr std::uint64_t kHash = 8;
    switch (version) {
        case 1:
            made.plain = image.at<std::uint32_t>(8);
            made.header = 12 + kHash;
            // It says not where it ends: what compresses badly grows by less than this.
            made.whole = made.header + made.plain + made.plain / 64 + 4096;
            break;
        case 2:
            made.whole = image.at<std::uint32_t>(8);
            made.plain = image.at<std::uint32_t>(12);
            made.header = 16 + kHash;
            break;
        case 3:
            made.whole = image.at<std::uint64_t>(8);
            made.plain = image.at<std::uint64_t>(16);
            made.header = 24 + kHash;
            break;
        default:
            throw BadImage("a compressed bundle of version " + std::to_string(version) + ", which is not known");
    }
    if (made.whole < made.header) throw BadImage("a compressed bundle that is smaller than its header");
    return made;
}

std::vector<std::uint8_t> decompress(const ImageBytes& image) {
    constexpr std::uint16_t kZlib = 0, kZstd = 1;
    const Compressed header = read_compressed(image);
    const bool ends_somewhere = image.at<std::uint16_t>(4) == 1;
    const std::vector<std::uint8_t> whole =
        ends_somewhere ? image.copy_up_to(header.whole) : image.copy(0, header.whole);
    if (whole.size() < header.header) throw BadImage("a compressed bundle ends within its header");
    const Bytes packed = Bytes(whole).subspan(header.header);
    std::vector<std::uint8_t> plain;
    try {
        if (header.method == kZlib)
            plain = compression::unpack_zlib(packed, header.plain);
        else if (header.method == kZstd)
            plain = compression::unpack_zstd(packed, header.plain);
        else
            throw BadImage("a compressed bundle of method " + std::to_string(header.method) + ", which is not known");
    } catch (const compression::Damaged& error) {
        throw BadImage(std::string("a compressed bundle is damaged: ") + error.what());
    }
    if (plain.size() != header.plain) throw BadImage("a compressed bundle has another size than it says");
    return plain;
}

}  // namespace

std::size_t ImageBytes::copy_some(void* to, std::uint64_t offset, std::size_t size) const {
    if (size_) {
        const std::size_t there = offset < *size_ ? std::min(size, *size_ - offset) : 0;
        if (there) std::memcpy(to, begin_ + offset, there);
        return there;
    }
    const auto from = reinterpret_cast<std::uint64_t>(begin_);
    if (offset > std::numeric_limits<std::uint64_t>::max() - from) return 0;
    iovec here{to, size}, there{reinterpret_cast<void*>(from + offset), size};
    // The system call itself: sanitizers stand before the function.
    const long copied = syscall(SYS_process_vm_readv, getpid(), &here, 1ul, &there, 1ul, 0ul);
    if (copied >= 0) return static_cast<std::size_t>(copied);
    if (errno == EFAULT) return 0;
    std::memcpy(to, there.iov_base, size);  // a sandbox without this call: memory has to be taken at its word
    return size;
}

void ImageBytes::copy_into(void* to, std::uint64_t offset, std::size_t size) const {
    if (copy_some(to, offset, size) != size) throw BadImage("it ends before its contents do");
}

std::vector<std::uint8_t> ImageBytes::copy(std::uint64_t offset, std::uint64_t size) const {
    // In parts: a size that is a lie takes no more memory than there are bytes.
    constexpr std::uint64_t kPart = 16 << 20;
    std::vector<std::uint8_t> copied;
    while (copied.size() < size) {
        const std::size_t done = copied.size();
        const auto part = static_cast<std::size_t>(std::min(kPart, size - done));
        copied.resize(done + part);
        copy_into(copied.data() + done, end_of(offset, done), part);
    }
    return copied;
}

std::vector<std::uint8_t> ImageBytes::copy_up_to(std::uint64_t most) const {
    constexpr std::size_t kPart = 1 << 20;
    std::vector<std::uint8_t> copied;
    while (copied.size() < most) {
        const std::size_t done = copied.size(), part = std::min<std::uint64_t>(kPart, most - done);
        copied.resize(done + part);
        const std::size_t got = copy_some(copied.data() + done, done, part);
        copied.resize(done + got);
        if (got < part) break;
    }
    return copied;
}

std::optional<std::vector<std::uint8_t>> code_object_for(const ImageBytes& image, std::string_view device) {
    const std::vector<std::uint8_t> head = image.copy_up_to(kMagicBytes);
    if (begins_with(head, {ELFMAG, SELFMAG})) return image.copy(0, code_object_size(image));
    if (begins_with(head, kBundleMagic)) return choose(image, device);
    if (!begins_with(head, kCompressedMagic)) throw BadImage("neither a code object nor an offload bundle");
    const std::vector<std::uint8_t> plain = decompress(image);
    if (!begins_with(plain, kBundleMagic)) throw BadImage("what was compressed is no offload bundle");
    return choose(ImageBytes(Bytes(plain)), device);
}

}  // namespace vrocm::codeobj
