// Runs functions of native/snapshot on request, so that tests can compare them with other implementations.
// A request on stdin: operation (1 byte), argument (8 bytes), size (4 bytes), that many bytes.
// An answer on stdout: 1 (done) or 0 (refused), size (4 bytes), that many bytes.
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "codeobj/code_object.h"
#include "snapshot/chunk_digest.h"
#include "snapshot/json.h"
#include "snapshot/lz4_block.h"
#include "snapshot/region_file.h"
#include "snapshot/xxh64.h"

using namespace rpl::snapshot;
using Bytes = std::vector<std::uint8_t>;

namespace {

struct Answer {
    bool done = true;
    Bytes bytes;
};

Answer text(bool done, const std::string& words) {
    return {done, Bytes(words.begin(), words.end())};
}

// Sizes are exact heap blocks: AddressSanitizer sees every step outside.
Answer compress(const Bytes& source, std::uint64_t capacity) {
    Bytes target(capacity);
    const std::size_t size = lz4_compress(source, target);
    target.resize(size);
    return {size != 0, target};
}

Answer decompress(const Bytes& source, std::uint64_t size) {
    Bytes target(size);
    const bool done = lz4_decompress(source, target);
    if (!done) target.clear();
    return {done, target};
}

Answer digest(const Bytes& chunk, bool vectors) {
    if (chunk.size() != kChunk || (vectors && !has_vectors())) return {false, {}};
    const ChunkDigest made = chunk_digest(std::span<const std::uint8_t, kChunk>(chunk.data(), kChunk), vectors);
    Bytes bytes(sizeof made);
    std::memcpy(bytes.data(), made.data(), sizeof made);
    return {true, bytes};
}

Answer metadata(const Bytes& source) {
    std::string reason;
    const auto object = vrocm::codeobj::read_code_object(source, reason);
    if (!object) return text(false, reason);
    Json kernels = Json::array(), segments = Json::array();
    for (const vrocm::codeobj::KernelMetadata& k : object->kernels) {
        Json arguments = Json::array();
        for (const vrocm::codeobj::KernelArgument& a : k.arguments)
            arguments.add(Json::object()
                              .set("name", a.name)
                              .set("offset", a.offset)
                              .set("size", a.size)
                              .set("value_kind", a.value_kind));
        kernels.add(Json::object()
                        .set("name", k.name)
                        .set("symbol", k.symbol)
                        .set("kernarg_size", k.kernarg_size)
                        .set("group_size", k.group_size)
                        .set("private_size", k.private_size)
                        .set("arguments", std::move(arguments)));
    }
    for (const Elf64_Phdr& s : object->segments)
        segments.add(Json::object()
                         .set("address", s.p_vaddr)
                         .set("memory_size", s.p_memsz)
                         .set("executable", (s.p_flags & PF_X) != 0)
                         .set("writable", (s.p_flags & PF_W) != 0));
    return text(true, Json::object()
                          .set("target", object->target)
                          .set("kernels", std::move(kernels))
                          .set("segments", std::move(segments))
                          .dump());
}

// The file's path, a zero, and the bytes of the region; answers with the manifest's checksum.
Answer write_region(const Bytes& request, std::uint64_t base) {
    const std::string path(reinterpret_cast<const char*>(request.data()));
    const Bytes memory(request.begin() + static_cast<std::ptrdiff_t>(path.size()) + 1, request.end());
    RegionWriter writer;
    writer.open(path, RegionState::Before, base, memory.size());
    PackedChunk packed;
    const std::uint64_t chunks = (memory.size() + kChunk - 1) / kChunk;
    for (std::uint64_t i = chunks; i-- > 0;) {  // from the last: any order is right
        Bytes chunk(kChunk);
        std::memcpy(chunk.data(), memory.data() + i * kChunk, std::min(kChunk, memory.size() - i * kChunk));
        const std::span<const std::uint8_t, kChunk> view(chunk);
        pack_chunk(view, nonzero_pages(view), packed);
        writer.add(i, packed);
    }
    const std::uint64_t checksum = writer.finish();
    Bytes answer(8);
    std::memcpy(answer.data(), &checksum, 8);
    return {true, answer};
}

Answer read_region(const Bytes& request, std::uint64_t after) {
    RegionReader reader;
    reader.open(std::string(request.begin(), request.end()), after ? RegionState::After : RegionState::Before);
    Bytes memory;
    for (std::uint64_t i = 0; i < reader.chunk_count(); ++i) {
        Bytes chunk(kChunk);
        reader.read_chunk(i, std::span<std::uint8_t, kChunk>(chunk));
        memory.insert(memory.end(), chunk.begin(), chunk.end());
    }
    memory.resize(reader.size());
    return {true, memory};
}

Answer serve(char operation, std::uint64_t argument, const Bytes& request) try {
    const std::string words(request.begin(), request.end());
    switch (operation) {
        case 'x': {
            const std::uint64_t hash = xxh64(request, argument);
            Bytes answer(8);
            std::memcpy(answer.data(), &hash, 8);
            return {true, answer};
        }
        case 'c':
            return compress(request, argument);
        case 'd':
            return decompress(request, argument);
        case 'g':
            return digest(request, argument != 0);
        case 'j':
            return text(true, Json::parse(words).dump(static_cast<int>(argument)));
        case 't':  // a text that may hold anything
            return text(true, Json(words).dump());
        case 'k':
            return metadata(request);
        case 'w':
            return write_region(request, argument);
        case 'r':
            return read_region(request, argument);
        default:
            return text(false, "unknown operation");
    }
} catch (const JsonError& error) {
    return text(false, error.what());
} catch (const FileError& error) {
    return text(false, error.message);
}

// MB/s of compressing and decompressing the bytes of a file, in chunks; in processor time, as the machine may be busy.
int measure(const char* path) {
    std::FILE* file = std::fopen(path, "rb");
    if (!file) return 1;
    Bytes memory(64 << 20);
    memory.resize(std::fread(memory.data(), 1, memory.size(), file) / kChunk * kChunk);
    std::fclose(file);
    const auto rate = [&](std::clock_t since) {
        return static_cast<double>(memory.size()) / 1e6 / (static_cast<double>(std::clock() - since) / CLOCKS_PER_SEC);
    };
    std::size_t stored = 0;
    PackedChunk packed;
    auto begin = std::clock();
    for (std::size_t at = 0; at < memory.size(); at += kChunk) {
        const std::span<const std::uint8_t, kChunk> view(memory.data() + at, kChunk);
        pack_chunk(view, nonzero_pages(view), packed);
        stored += packed.entry.stored;
    }
    const double packing = rate(begin);
    // Decoding is measured on the last chunk, again and again.
    Bytes decoded(kPage * static_cast<std::size_t>(__builtin_popcount(packed.entry.pages)));
    begin = std::clock();
    for (std::size_t at = 0; at < memory.size() && packed.entry.codec == 1; at += kChunk)
        if (!lz4_decompress(packed.payload, decoded)) return 1;
    const double unpacking = packed.entry.codec == 1 ? rate(begin) : 0;
    begin = std::clock();
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < memory.size(); at += kChunk) sum += xxh64({memory.data() + at, kChunk});
    std::printf("pack %.0f MB/s to %.3f, unpack %.0f MB/s, xxh64 %.0f MB/s (%llx)\n", packing,
                static_cast<double>(stored) / static_cast<double>(memory.size()), unpacking, rate(begin),
                static_cast<unsigned long long>(sum));
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 3 && std::strcmp(arguments[1], "measure") == 0) return measure(arguments[2]);
    char operation;
    while (std::fread(&operation, 1, 1, stdin) == 1) {
        std::uint64_t argument;
        std::uint32_t size;
        if (std::fread(&argument, 8, 1, stdin) != 1 || std::fread(&size, 4, 1, stdin) != 1) return 1;
        Bytes request(size);
        if (size && std::fread(request.data(), size, 1, stdin) != 1) return 1;
        const Answer answer = serve(operation, argument, request);
        size = static_cast<std::uint32_t>(answer.bytes.size());
        std::fputc(answer.done, stdout);
        std::fwrite(&size, 4, 1, stdout);
        if (size) std::fwrite(answer.bytes.data(), size, 1, stdout);
        std::fflush(stdout);
    }
}
