#include "hip/launch/printf_buffer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "hip/device/device.h"
#include "hip/error.h"
#include "hip/launch/page_use.h"

namespace vrocm::hip {

namespace {

// ROCm's default printf goes through the host and loses nothing, so buffers are large: untouched pages cost
// nothing. Other streams than the default one may be many, so theirs are smaller, and when there are very many, small.
constexpr std::uint32_t kDefaultStreamCapacity = 64u << 20, kCapacity = 16u << 20, kOfMany = 32u << 10;
constexpr unsigned kMany = 64;

struct Formats {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, std::string> by_hash;
};
Formats& formats() {
    static Formats* instance = new Formats;
    return *instance;
}

// Consumes a record's arguments from front to back.
class Arguments {
  public:
    explicit Arguments(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    std::uint64_t word() {
        std::uint64_t value = 0;
        const std::size_t size = std::min<std::size_t>(8, bytes_.size());
        std::memcpy(&value, bytes_.data(), size);
        bytes_ = bytes_.subspan(size);
        return value;
    }
    double real() {
        const std::uint64_t bits = word();
        double value;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    std::string text() {  // NUL-terminated, padded to 8; nothing at all when the pointer was null
        if (bytes_.empty()) return "(null)";
        const auto end = std::find(bytes_.begin(), bytes_.end(), 0);
        std::string value(bytes_.begin(), end);
        bytes_ = bytes_.subspan(std::min((value.size() + 8) & ~std::size_t{7}, bytes_.size()));
        return value;
    }

  private:
    std::span<const std::uint8_t> bytes_;
};

template <class T>
void append(std::string& out, const std::string& specification, T value) {
    char small[512];
    const int size = std::snprintf(small, sizeof small, specification.c_str(), value);
    if (size < 0) return;
    if (static_cast<std::size_t>(size) < sizeof small) {
        out.append(small, static_cast<std::size_t>(size));
        return;
    }
    std::string large(static_cast<std::size_t>(size) + 1, '\0');
    std::snprintf(large.data(), large.size(), specification.c_str(), value);
    out.append(large.data(), static_cast<std::size_t>(size));
}

// A conversion: %[flags][width][.precision][length]type, with '*' already replaced.
struct Conversion {
    std::string flags;   // flags, width and precision as text
    std::string length;  // "hh", "h", "l", "ll", "j", "z", "t", "L" or a vector prefix of OpenCL
    char type = 0;
};

Conversion read_conversion(const std::string& format, std::size_t& at, Arguments& arguments) {
    Conversion made;
    while (at < format.size() && std::strchr("-+ #0123456789.*'", format[at]) && format[at]) {
        if (format[at] == '*')
            made.flags += std::to_string(static_cast<int>(arguments.word()));
        else
            made.flags += format[at];
        ++at;
    }
    while (at < format.size() && format[at] && std::strchr("hljztLq", format[at])) made.length += format[at++];
    if (at < format.size()) made.type = format[at++];
    return made;
}

// Integers arrive as 64 bits; the length says how many of them the program meant.
void append_integer(std::string& out, const Conversion& conversion, std::uint64_t value) {
    const bool is_signed = conversion.type == 'd' || conversion.type == 'i';
    const bool wide = !conversion.length.empty() && std::strchr("ljztq", conversion.length[0]);
    const std::string specification = "%" + conversion.flags + "ll" + conversion.type;
    if (!wide) {
        unsigned bits = conversion.length == "hh" ? 8 : conversion.length == "h" ? 16 : 32;
        const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
        value &= mask;
        if (is_signed && value >> (bits - 1)) value |= ~mask;
    }
    if (is_signed)
        append(out, specification, static_cast<long long>(value));
    else
        append(out, specification, static_cast<unsigned long long>(value));
}

void append_conversion(std::string& out, const Conversion& conversion, Arguments& arguments) {
    switch (conversion.type) {
        case 'd':
        case 'i':
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            append_integer(out, conversion, arguments.word());
            break;
        case 'c':
            append(out, "%" + conversion.flags + "c", static_cast<int>(arguments.word()));
            break;
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            append(out, "%" + conversion.flags + conversion.type, arguments.real());
            break;
        case 's':
            append(out, "%" + conversion.flags + "s", arguments.text().c_str());
            break;
        case 'p':
            append(out, "%" + conversion.flags + "p", reinterpret_cast<void*>(arguments.word()));
            break;
        case 'n':  // writes through a pointer on the host; the device stores nothing for it
            break;
        default:  // not a conversion C knows: shown as it was written
            out += "%" + conversion.flags + conversion.length;
            if (conversion.type) out += conversion.type;
    }
}

struct Record {
    std::uint32_t control, size;
    std::span<const std::uint8_t> payload;
};

void write_record(const Record& record) {
    std::string format;
    std::span<const std::uint8_t> arguments = record.payload;
    if (record.control & VROCM_PRINTF_FORMAT_HASHED) {
        if (arguments.size() < 8) return;
        std::uint64_t hash;
        std::memcpy(&hash, arguments.data(), 8);
        arguments = arguments.subspan(8);
        std::lock_guard lock(formats().mutex);
        auto found = formats().by_hash.find(hash);
        format = found == formats().by_hash.end() ? "<device printf with an unknown format>\n" : found->second;
    } else {
        const auto end = std::find(arguments.begin(), arguments.end(), 0);
        format.assign(arguments.begin(), end);
        arguments = arguments.subspan(std::min((format.size() + 8) & ~std::size_t{7}, arguments.size()));
    }
    const std::string text = format_record(format, arguments);
    const bool to_stderr = record.control & VROCM_PRINTF_TO_STDERR;
    std::fwrite(text.data(), 1, text.size(), to_stderr ? stderr : stdout);
}

}  // namespace

void register_printf_formats(const std::vector<std::string>& entries) {
    std::lock_guard lock(formats().mutex);
    for (const std::string& entry : entries) {
        const auto comma = entry.find(',');
        if (comma == entry.npos) continue;
        const auto colon = entry.rfind(':', comma);
        const std::string hash = entry.substr(colon + 1, comma - colon - 1);
        formats().by_hash[std::strtoull(hash.c_str(), nullptr, 16)] = entry.substr(comma + 1);
    }
}

std::string format_record(const std::string& format, std::span<const std::uint8_t> bytes) {
    Arguments arguments(bytes);
    std::string out;
    for (std::size_t at = 0; at < format.size();) {
        if (format[at] != '%') {
            out += format[at++];
        } else if (at + 1 < format.size() && format[at + 1] == '%') {
            out += '%';
            at += 2;
        } else {
            const Conversion conversion = read_conversion(format, ++at, arguments);
            append_conversion(out, conversion, arguments);
        }
    }
    return out;
}

PrintfBuffer::PrintfBuffer(Device& device, bool of_default_stream) : device_(device) {
    void* memory = nullptr;
    std::uint32_t capacity = of_default_stream ? kDefaultStreamCapacity : kCapacity;
    if (device.printing_streams >= kMany ||
        hsa_amd_memory_pool_allocate(device.host_pool(), capacity + 8, 0, &memory) != HSA_STATUS_SUCCESS) {
        capacity = kOfMany;
        require_hsa(hsa_amd_memory_pool_allocate(device.host_pool(), capacity + 8, 0, &memory));
    }
    ++device.printing_streams;
    if (capacity != kOfMany) touch_pages_singly(memory, capacity);
    const hsa_agent_t agent = device.agent();
    require_hsa(hsa_amd_agents_allow_access(1, &agent, nullptr, memory));
    buffer_ = static_cast<vrocm_printf_buffer*>(memory);
    buffer_->used = 0;
    buffer_->capacity = capacity;
}

PrintfBuffer::~PrintfBuffer() {
    hsa_amd_memory_pool_free(buffer_);
    --device_.printing_streams;
}

void PrintfBuffer::flush() {
    const std::uint32_t filled = std::min(__atomic_load_n(&buffer_->used, __ATOMIC_ACQUIRE), buffer_->capacity);
    if (filled == 0) return;
    std::uint8_t* data = buffer_->data;
    for (std::uint32_t at = 0; at + 4 <= filled;) {
        Record record;
        std::memcpy(&record.control, data + at, 4);
        record.size = record.control >> VROCM_PRINTF_SIZE_SHIFT;
        if (record.size < 4 || record.size > filled - at) break;  // a kernel was stopped before it wrote this one
        record.payload = {data + at + 4, record.size - 4};
        write_record(record);
        at += (record.size + 3) & ~3u;
    }
    std::memset(data, 0, filled);
    __atomic_store_n(&buffer_->used, 0, __ATOMIC_RELEASE);
    // A record that did not fit took no room, so a nearly full buffer is all there is to see of it.
    if (buffer_->capacity - filled < 256)
        std::fprintf(stderr,
                     "vrocm: kernels printed more than %u bytes before anybody waited for them; the rest is "
                     "lost\n",
                     buffer_->capacity);
}

}  // namespace vrocm::hip
