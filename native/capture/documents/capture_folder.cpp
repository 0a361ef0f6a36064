#include "capture/documents/capture_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "capture/calls/original.h"
#include "snapshot/capture_keys.h"
#include "snapshot/xxh64.h"

namespace rpl::capture {

using snapshot::Json;
namespace keys = snapshot::keys;

namespace {

[[noreturn]] void fail(const std::string& path, const char* what, int code) {
    throw CaptureError(path + ": " + what + ": " + std::strerror(code));
}

void make_folder(const std::string& path) {
    if (mkdir(path.c_str(), 0777) != 0) fail(path, "cannot make", errno);
}

}  // namespace

CaptureFolder::CaptureFolder(const std::string& path) : path_(path), partial_(path + ".partial") {
    struct stat about{};
    if (lstat(path_.c_str(), &about) == 0) throw CaptureError(path_ + " exists; a capture needs a folder of its own");
    if (lstat(partial_.c_str(), &about) == 0)
        throw CaptureError(partial_ + " is there, left by a capture that was interrupted; remove it");
    make_folder(partial_);
    try {
        make_folder(path_of("memory"));
    } catch (...) {
        rmdir(partial_.c_str());
        throw;
    }
}

CaptureFolder::~CaptureFolder() {
    if (finished_) return;
    std::error_code ignored;
    std::filesystem::remove_all(partial_, ignored);
}

void CaptureFolder::write(const std::string& name, std::span<const std::uint8_t> bytes) {
    const std::string path = path_of(name);
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) fail(path, "cannot make", errno);
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            const int code = n < 0 ? errno : ENOSPC;
            close(file);
            fail(path, "cannot write", code);
        }
        done += static_cast<std::size_t>(n);
    }
    if (close(file) != 0) fail(path, "cannot write", errno);
    entries_.push_back({name, bytes.size(), snapshot::xxh64(bytes)});
}

void CaptureFolder::write(const std::string& name, const Json& document) {
    const std::string text = document.dump() + "\n";
    write(name, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

void CaptureFolder::note(const std::string& name, std::uint64_t checksum) {
    struct stat about{};
    if (stat(path_of(name).c_str(), &about) != 0) fail(path_of(name), "cannot read", errno);
    entries_.push_back({name, static_cast<std::uint64_t>(about.st_size), checksum});
}

void CaptureFolder::finish() {
    Json files = Json::object();
    for (const Entry& entry : entries_)
        files.set(entry.name, Json::object()
                                  .set(keys::ManifestFile::bytes, entry.bytes)
                                  .set(keys::ManifestFile::xxh64, Json::address(entry.checksum)));
    using K = keys::ManifestDocument;
    write(keys::kManifestFile,
          Json::object().set(K::format, keys::kFormat).set(K::version, keys::kVersion).set(K::files, std::move(files)));
    if (std::rename(partial_.c_str(), path_.c_str()) != 0) fail(path_, "cannot make", errno);
    finished_ = true;
}

}  // namespace rpl::capture
