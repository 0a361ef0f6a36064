#include "trace/log.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <new>
#include <string_view>

#include "abi/vrocm/trace.h"
#include "hsa/time/clock.h"
#include "trace/call_stack.h"

uint32_t vrocm_trace_categories = 0;

namespace vrocm::trace {

namespace {

// The categories by the names that VROCM_TRACE uses.
struct Named {
    std::string_view name;
    std::uint32_t bits;
};

constexpr Named kNames[] = {
    {"hip_runtime", VROCM_TRACE_HIP_RUNTIME}, {"hip_compiler", VROCM_TRACE_HIP_COMPILER},
    {"hsa_core", VROCM_TRACE_HSA_CORE},       {"hsa_amd", VROCM_TRACE_HSA_AMD_EXT},
    {"hsa_image", VROCM_TRACE_HSA_IMAGE_EXT}, {"hsa_finalizer", VROCM_TRACE_HSA_FINALIZE_EXT},
    {"marker", VROCM_TRACE_MARKER},           {"kernel", VROCM_TRACE_KERNEL},
    {"memory_copy", VROCM_TRACE_COPY},        {"memory_allocation", VROCM_TRACE_ALLOCATION},
    {"scratch_memory", VROCM_TRACE_SCRATCH},  {"counters", VROCM_TRACE_COUNTERS},
};

std::uint32_t bits_of(std::string_view name) {
    for (const Named& known : kNames)
        if (known.name == name) return known.bits;
    std::fprintf(stderr, "vrocm: VROCM_TRACE names %.*s, which is not something to trace\n",
                 static_cast<int>(name.size()), name.data());
    return 0;
}

// "hip_runtime,kernel,..."; null or empty: everything. Says an unknown name on standard error.
std::uint32_t categories_from(const char* list) {
    std::uint32_t bits = 0;
    std::string_view rest = list ? list : "";
    if (rest.empty())
        for (const Named& known : kNames) bits |= known.bits;
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        bits |= bits_of(rest.substr(0, comma));
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    return bits;
}

constexpr std::uint64_t kSegment = 1 << 20;  // what is mapped at a time, at least

constexpr std::uint64_t aligned(std::uint64_t size) {
    return (size + 7) & ~std::uint64_t{7};
}

class LogFile {
  public:
    void append(Kind kind, std::string_view payload, std::uint32_t thread) {
        std::lock_guard lock(mutex_);
        if (!ready()) return;
        write(kind, payload, thread);
    }
    void close() {
        std::lock_guard lock(mutex_);
        if (fd_ < 0) return;
        Payload end;
        end.number(hsa::clock::now());
        write(Kind::ProcessEnd, end.bytes(), thread_id());
        if (ftruncate(fd_, static_cast<off_t>(position_)) != 0) std::perror("vrocm: trace log");
        forget();
    }
    std::string path_beside(const std::string& suffix) {
        std::lock_guard lock(mutex_);
        return beginning_ + suffix;
    }
    // In the child of a fork: the file is the parent's.
    void after_fork() {
        new (&mutex_) std::mutex;
        forget();
        failed_ = false;
    }

  private:
    bool ready() {
        if (fd_ >= 0) return true;
        return !failed_ && open();
    }

    bool open() {
        const char* folder = std::getenv("VROCM_TRACE_DIR");
        // A program that replaced itself with another has the same pid: the next free number.
        for (unsigned image = 0; image < 10000 && folder; ++image) {
            beginning_ = std::string(folder) + "/" + std::to_string(getpid()) + "." + std::to_string(image) + ".";
            fd_ = ::open((beginning_ + "vlog").c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
            if (fd_ >= 0 || errno != EEXIST) break;
        }
        if (fd_ < 0) return fail("cannot be created");
        if (!map(0, kSegment)) return false;
        FileHeader header{{'V', 'R', 'O', 'C', 'M', 'L', 'O', 'G'}, 1, static_cast<std::uint32_t>(getpid())};
        std::memcpy(segment_, &header, sizeof header);
        position_ = sizeof header;
        write(Kind::Process, describe_process().bytes(), thread_id());
        return true;
    }

    static Payload describe_process() {
        std::ifstream file("/proc/self/cmdline", std::ios::binary);
        const std::string command{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        Payload made;
        made.numbers(getpid(), getppid(), hsa::clock::now()).text(command).number(vrocm_trace_categories);
        return made;
    }

    bool fail(const char* what) {
        std::fprintf(stderr, "vrocm: the trace log %s: %s; nothing is traced\n", what, std::strerror(errno));
        failed_ = true;
        // What is left of it would pass for all; a file without a beginning says that it failed.
        if (fd_ >= 0 && ftruncate(fd_, 0) != 0) std::perror("vrocm: trace log");
        forget();
        return false;
    }

    // Maps the part of the file that begins at the page of `from` and makes the file that long.
    bool map(std::uint64_t from, std::uint64_t size) {
        const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
        const std::uint64_t begin = from / page * page;
        const std::uint64_t length = (size + (from - begin) + page - 1) / page * page;
        if (segment_) munmap(segment_, segment_size_);
        segment_ = nullptr;
        // Blocks are taken now: a full disk is an error here, and a signal when a page is written that has none.
        errno = posix_fallocate(fd_, static_cast<off_t>(begin), static_cast<off_t>(length));
        if (errno != 0) return fail("cannot grow");
        void* mapped = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, static_cast<off_t>(begin));
        if (mapped == MAP_FAILED) return fail("cannot be mapped");
        segment_ = static_cast<char*>(mapped);
        segment_begin_ = begin;
        segment_size_ = length;
        return true;
    }

    void write(Kind kind, std::string_view payload, std::uint32_t thread) {
        const std::uint64_t size = sizeof(RecordHeader) + aligned(payload.size());
        // Room for the next header too: a reader finds zeros behind the last record.
        if (position_ + size + sizeof(RecordHeader) > segment_begin_ + segment_size_ &&
            !map(position_, std::max(kSegment, size + sizeof(RecordHeader))))
            return;
        char* at = segment_ + (position_ - segment_begin_);
        auto* header = reinterpret_cast<RecordHeader*>(at);
        *header = {static_cast<std::uint32_t>(payload.size()), static_cast<std::uint16_t>(kind), 0, thread, 0};
        std::memcpy(at + sizeof *header, payload.data(), payload.size());
        __atomic_store_n(&header->whole, std::uint16_t{1}, __ATOMIC_RELEASE);
        position_ += size;
    }

    void forget() {
        if (segment_) munmap(segment_, segment_size_);
        if (fd_ >= 0) ::close(fd_);
        segment_ = nullptr;
        fd_ = -1;
    }

    std::mutex mutex_;
    std::string beginning_;  // of the path
    int fd_ = -1;
    bool failed_ = false;
    char* segment_ = nullptr;
    std::uint64_t segment_begin_ = 0, segment_size_ = 0;
    std::uint64_t position_ = 0;
};

// Not destroyed: threads may still write while the process ends.
LogFile& log_file() {
    alignas(LogFile) static unsigned char storage[sizeof(LogFile)];
    static auto* file = new (storage) LogFile;
    return *file;
}

thread_local std::uint32_t known_thread = 0;

void after_fork() {
    known_thread = 0;
    forget_calls_after_fork();
    log_file().after_fork();
}

std::uint32_t asked = 0;  // the categories, also while paused

// Reads what is asked for while the library is loaded.
struct AtLoad {
    AtLoad() {
        const char* folder = std::getenv("VROCM_TRACE_DIR");
        if (!folder || !*folder) return;
        asked = categories_from(std::getenv("VROCM_TRACE"));
        const char* paused = std::getenv("VROCM_TRACE_PAUSED");
        pause(paused && *paused == '1');
        log_file();
        pthread_atfork(nullptr, nullptr, after_fork);
    }
} at_load;

}  // namespace

bool active() {
    return asked != 0;
}

bool asked_for(std::uint32_t categories) {
    return (asked & categories) != 0;
}

void pause(bool paused) {
    vrocm_trace_categories = paused ? 0 : asked;
}

void append(Kind kind, const Payload& payload, std::uint32_t thread) {
    log_file().append(kind, payload.bytes(), thread ? thread : thread_id());
}

std::string file_beside_log(const std::string& suffix) {
    return log_file().path_beside(suffix);
}

std::uint32_t thread_id() {
    if (known_thread == 0) known_thread = static_cast<std::uint32_t>(syscall(SYS_gettid));
    return known_thread;
}

void close_log() {
    if (!active()) return;
    asked = vrocm_trace_categories = 0;
    log_file().close();
}

}  // namespace vrocm::trace
