#include "sim/observe/json_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace vrocm::sim::observe {

void JsonLine::separate() {
    if (!first_) out_ += ", ";
    first_ = false;
}

JsonLine& JsonLine::open(char bracket) {
    separate();
    out_ += bracket;
    first_ = true;
    return *this;
}

JsonLine& JsonLine::close(char bracket) {
    out_ += bracket;
    first_ = false;
    return *this;
}

JsonLine& JsonLine::key(std::string_view name) {
    separate();
    quote(name);
    out_ += ": ";
    first_ = true;
    return *this;
}

JsonLine& JsonLine::text(std::string_view value) {
    separate();
    quote(value);
    return *this;
}

JsonLine& JsonLine::number(std::uint64_t value) {
    separate();
    out_ += std::to_string(value);
    return *this;
}

JsonLine& JsonLine::address(std::uint64_t value) {
    separate();
    char text[32];
    std::snprintf(text, sizeof text, "\"0x%" PRIx64 "\"", value);
    out_ += text;
    return *this;
}

JsonLine& JsonLine::boolean(bool value) {
    separate();
    out_ += value ? "true" : "false";
    return *this;
}

JsonLine& JsonLine::null() {
    separate();
    out_ += "null";
    return *this;
}

void JsonLine::quote(std::string_view value) {
    out_ += '"';
    for (const char c : value) {
        if (c == '"' || c == '\\') {
            out_ += '\\';
            out_ += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char text[8];
            std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(c));
            out_ += text;
        } else {
            out_ += c;
        }
    }
    out_ += '"';
}

void JsonLine::append_to(const std::string& path) const {
    const std::string line = out_ + '\n';
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    bool written = fd >= 0;
    for (std::size_t done = 0; written && done < line.size();) {
        const ssize_t n = ::write(fd, line.data() + done, line.size() - done);
        if (n < 0 && errno == EINTR) continue;
        written = n > 0;
        done += written ? static_cast<std::size_t>(n) : 0;
    }
    const int problem = errno;
    if (fd >= 0) ::close(fd);
    static std::atomic<bool> said{false};
    if (!written && !said.exchange(true))
        std::fprintf(stderr, "vrocm: cannot write %s: %s\n", path.c_str(), std::strerror(problem));
}

}  // namespace vrocm::sim::observe
