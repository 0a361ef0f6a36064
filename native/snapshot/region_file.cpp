#include "snapshot/region_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "snapshot/lz4_block.h"
#include "snapshot/xxh64.h"

namespace rpl::snapshot {

// How a region file begins. Not in the anonymous namespace: classes of the header have members of this type.
struct RegionFileHeader {
    char magic[8];
    std::uint32_t header_size, chunk_size;
    std::uint64_t base, size, chunks, index_offset, index_checksum, zero;
};
static_assert(sizeof(RegionFileHeader) == 64);

namespace {

using Header = RegionFileHeader;

constexpr std::uint8_t kCodecAsIs = 0, kCodecLz4 = 1;
constexpr std::uint64_t kLargestRegion = std::uint64_t{1} << 57;  // virtual addresses of x86-64 end there

const char* magic_of(RegionState state) {
    return state == RegionState::Before ? "RPLREG01" : "RPLAFT01";
}

std::uint64_t chunks_of(std::uint64_t size) {
    return size / kChunk + (size % kChunk != 0);
}

[[noreturn]] void fail(const std::string& path, const std::string& what, int code = 0) {
    throw FileError{path + ": " + what + (code ? std::string(": ") + std::strerror(code) : std::string()), code};
}

void write_all(int fd, const std::string& path, const void* bytes, std::size_t size, std::uint64_t offset) {
    const auto* at = static_cast<const char*>(bytes);
    while (size) {
        const ssize_t n = pwrite(fd, at, size, static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail(path, "cannot write", n < 0 ? errno : ENOSPC);
        at += n;
        offset += static_cast<std::uint64_t>(n);
        size -= static_cast<std::size_t>(n);
    }
}

void read_all(int fd, const std::string& path, void* bytes, std::size_t size, std::uint64_t offset) {
    auto* at = static_cast<char*>(bytes);
    while (size) {
        const ssize_t n = pread(fd, at, size, static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(path, "cannot read", errno);
        if (n == 0) fail(path, "is cut off");
        at += n;
        offset += static_cast<std::uint64_t>(n);
        size -= static_cast<std::size_t>(n);
    }
}

std::span<const std::uint8_t> bytes_of(const void* at, std::size_t size) {
    return {static_cast<const std::uint8_t*>(at), size};
}

bool page_is_zero(const std::uint8_t* page) {
    constexpr std::size_t kStride = 256;  // looked at together, so that the compiler can use vectors
    for (std::size_t at = 0; at < kPage; at += kStride) {
        std::uint64_t words[kStride / 8], any = 0;
        std::memcpy(words, page + at, kStride);
        for (const std::uint64_t word : words) any |= word;
        if (any) return false;
    }
    return true;
}

}  // namespace

std::uint16_t nonzero_pages(std::span<const std::uint8_t, kChunk> memory) {
    unsigned pages = 0;
    for (std::size_t page = 0; page < kPagesPerChunk; ++page)
        if (!page_is_zero(memory.data() + page * kPage)) pages |= 1u << page;
    return static_cast<std::uint16_t>(pages);
}

void pack_chunk(std::span<const std::uint8_t, kChunk> memory, std::uint16_t pages, PackedChunk& packed) {
    packed.entry = {};
    packed.entry.pages = pages;
    packed.payload = {};
    const std::size_t size = kPage * static_cast<std::size_t>(std::popcount(pages));
    if (size == 0) {
        packed.entry.checksum = xxh64({});
        return;
    }
    std::array<std::uint8_t, kChunk> gathered;  // used only when pages are missing
    const std::uint8_t* payload = memory.data();
    if (size != kChunk) {
        std::size_t at = 0;
        for (std::size_t page = 0; page < kPagesPerChunk; ++page) {
            if (!(pages >> page & 1)) continue;
            std::memcpy(gathered.data() + at, memory.data() + page * kPage, kPage);
            at += kPage;
        }
        payload = gathered.data();
    }
    packed.entry.checksum = xxh64({payload, size});
    // Compression has to save a sixteenth, else decoding costs more than it is worth.
    packed.bytes.resize(kChunk);
    const std::size_t compressed = lz4_compress({payload, size}, {packed.bytes.data(), size - size / 16});
    packed.entry.codec = compressed ? kCodecLz4 : kCodecAsIs;
    if (!compressed && size != kChunk) std::memcpy(packed.bytes.data(), payload, size);
    const bool in_place = !compressed && size == kChunk;
    packed.payload = {in_place ? payload : packed.bytes.data(), compressed ? compressed : size};
    packed.entry.stored = static_cast<std::uint32_t>(packed.payload.size());
}

// ---- writing ----

struct RegionWriter::State {
    std::string path;
    int fd = -1;
    std::atomic<std::uint64_t> end{sizeof(Header)};
    std::atomic<std::uint64_t> stored{0};
    // Header and index as they will lie in the file: the checksum for the manifest covers both.
    std::vector<std::uint8_t> head;
    Header header() const {
        Header h;
        std::memcpy(&h, head.data(), sizeof h);
        return h;
    }
    ~State() {
        if (fd >= 0) close(fd);
    }
};

RegionWriter::~RegionWriter() {
    delete state_;
}

void RegionWriter::open(const std::string& path, RegionState state, std::uint64_t base, std::uint64_t size) {
    delete std::exchange(state_, nullptr);
    if (size > kLargestRegion) fail(path, "region is too large");
    state_ = new State;
    state_->path = path;
    state_->fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (state_->fd < 0) fail(path, "cannot make", errno);
    Header header{};
    std::memcpy(header.magic, magic_of(state), sizeof header.magic);
    header.header_size = sizeof(Header);
    header.chunk_size = kChunk;
    header.base = base;
    header.size = size;
    header.chunks = chunks_of(size);
    state_->head.resize(sizeof header + header.chunks * sizeof(ChunkEntry));
    std::memcpy(state_->head.data(), &header, sizeof header);
    // Chunks that are never added hold no pages.
    ChunkEntry empty;
    empty.checksum = xxh64({});
    for (std::uint64_t i = 0; i < header.chunks; ++i)
        std::memcpy(state_->head.data() + sizeof header + i * sizeof empty, &empty, sizeof empty);
}

void RegionWriter::add(std::uint64_t chunk, const PackedChunk& packed) {
    ChunkEntry entry = packed.entry;
    if (entry.stored) {
        entry.offset = state_->end.fetch_add(entry.stored);
        state_->stored += entry.stored;
        write_all(state_->fd, state_->path, packed.payload.data(), entry.stored, entry.offset);
    }
    std::memcpy(state_->head.data() + sizeof(Header) + chunk * sizeof entry, &entry, sizeof entry);
}

std::uint64_t RegionWriter::finish() {
    State& s = *state_;
    Header header = s.header();
    header.index_offset = s.end;
    const std::size_t index_size = s.head.size() - sizeof header;
    header.index_checksum = xxh64({s.head.data() + sizeof header, index_size});
    std::memcpy(s.head.data(), &header, sizeof header);
    write_all(s.fd, s.path, s.head.data() + sizeof header, index_size, header.index_offset);
    write_all(s.fd, s.path, &header, sizeof header, 0);
    const int fd = std::exchange(s.fd, -1);
    if (close(fd) != 0) fail(s.path, "cannot write", errno);  // network file systems tell here
    const std::uint64_t checksum = xxh64(s.head);
    s.head = {};
    return checksum;
}

std::uint64_t RegionWriter::stored_bytes() const {
    return state_ ? state_->stored.load() : 0;
}

// ---- reading ----

struct RegionReader::State {
    std::string path;
    int fd = -1;
    Header header{};
    std::uint64_t file_size = 0, checksum = 0;
    std::vector<ChunkEntry> index;
    ~State() {
        if (fd >= 0) close(fd);
    }
    void check_entry(std::uint64_t chunk) const;
};

RegionReader::~RegionReader() {
    delete state_;
}

RegionReader::RegionReader(RegionReader&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}

RegionReader& RegionReader::operator=(RegionReader&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
}

void RegionReader::State::check_entry(std::uint64_t chunk) const {
    const ChunkEntry& e = index[chunk];
    const std::string where = "chunk " + std::to_string(chunk);
    const std::uint64_t payload = kPage * static_cast<std::uint64_t>(std::popcount(e.pages));
    const std::uint64_t left = header.size - chunk * kChunk;
    const std::uint64_t pages = left >= kChunk ? kPagesPerChunk : (left + kPage - 1) / kPage;
    if (e.codec > kCodecLz4 || e.zero != 0) fail(path, where + " has an unknown coding");
    if ((e.stored == 0) != (e.pages == 0) || (e.codec == kCodecAsIs && e.stored != payload) || e.stored > kChunk)
        fail(path, where + " has a size that cannot be");
    if (e.pages >> pages) fail(path, where + " holds pages beyond the end of the region");
    if (e.stored && (e.offset < sizeof(Header) || e.offset > file_size || e.stored > file_size - e.offset))
        fail(path, where + " lies outside the file");
}

void RegionReader::open(const std::string& path, RegionState state) {
    delete std::exchange(state_, nullptr);
    auto* s = state_ = new State;
    s->path = path;
    s->fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (s->fd < 0) fail(path, "cannot open", errno);
    struct stat about{};
    if (fstat(s->fd, &about) != 0) fail(path, "cannot read", errno);
    if (!S_ISREG(about.st_mode)) fail(path, "is not a file");
    s->file_size = static_cast<std::uint64_t>(about.st_size);
    if (s->file_size < sizeof(Header)) fail(path, "is cut off");
    read_all(s->fd, path, &s->header, sizeof(Header), 0);
    const Header& h = s->header;
    if (std::memcmp(h.magic, magic_of(state), sizeof h.magic) != 0)
        fail(path, state == RegionState::Before ? "is not a region file" : "is not a file of changed pages");
    if (h.header_size != sizeof(Header) || h.chunk_size != kChunk || h.zero != 0)
        fail(path, "has a header of an unknown kind");
    if (h.size > kLargestRegion || h.chunks != chunks_of(h.size))
        fail(path, "says that it has " + std::to_string(h.chunks) + " chunks, which does not fit its size");
    if (h.index_offset < sizeof(Header) || h.index_offset > s->file_size ||
        h.chunks > (s->file_size - h.index_offset) / sizeof(ChunkEntry))
        fail(path, "is cut off");
    s->index.resize(h.chunks);
    read_all(s->fd, path, s->index.data(), h.chunks * sizeof(ChunkEntry), h.index_offset);
    if (xxh64(bytes_of(s->index.data(), h.chunks * sizeof(ChunkEntry))) != h.index_checksum)
        fail(path, "has a damaged index (its checksum does not match)");
    for (std::uint64_t chunk = 0; chunk < h.chunks; ++chunk) s->check_entry(chunk);
}

std::uint64_t RegionReader::base() const {
    return state_->header.base;
}

std::uint64_t RegionReader::size() const {
    return state_->header.size;
}

std::uint64_t RegionReader::chunk_count() const {
    return state_->header.chunks;
}

std::uint64_t RegionReader::checksum() const {
    std::vector<std::uint8_t> head(sizeof(Header) + state_->index.size() * sizeof(ChunkEntry));
    std::memcpy(head.data(), &state_->header, sizeof(Header));
    if (!state_->index.empty())
        std::memcpy(head.data() + sizeof(Header), state_->index.data(), head.size() - sizeof(Header));
    return xxh64(head);
}

const ChunkEntry& RegionReader::entry(std::uint64_t chunk) const {
    return state_->index.at(chunk);
}

void RegionReader::read_chunk(std::uint64_t chunk, std::span<std::uint8_t, kChunk> memory) const {
    const ChunkEntry& e = entry(chunk);
    if (e.pages == 0) return;
    const std::size_t size = kPage * static_cast<std::size_t>(std::popcount(e.pages));
    std::array<std::uint8_t, kChunk> stored, decoded;
    // A chunk that holds every page and is not compressed needs no detour.
    std::uint8_t* payload = size == kChunk ? memory.data() : decoded.data();
    if (e.codec == kCodecAsIs) {
        read_all(state_->fd, state_->path, payload, size, e.offset);
    } else {
        read_all(state_->fd, state_->path, stored.data(), e.stored, e.offset);
        if (!lz4_decompress({stored.data(), e.stored}, {payload, size}))
            fail(state_->path, "chunk " + std::to_string(chunk) + " is damaged (it does not decode)");
    }
    if (xxh64({payload, size}) != e.checksum)
        fail(state_->path, "chunk " + std::to_string(chunk) + " is damaged (its checksum does not match)");
    if (size == kChunk) return;
    for (std::size_t page = 0, at = 0; page < kPagesPerChunk; ++page) {
        if (!(e.pages >> page & 1)) continue;
        std::memcpy(memory.data() + page * kPage, decoded.data() + at, kPage);
        at += kPage;
    }
}

}  // namespace rpl::snapshot
