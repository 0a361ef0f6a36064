#include "hip/rtc/compile.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

extern char** environ;

namespace vrocm::rtc {

namespace fs = std::filesystem;

std::string find_hipcc() {
    if (const char* named = std::getenv("VROCM_HIPCC"); named && *named) {
        std::error_code no_folder;
        return std::strchr(named, '/') ? fs::absolute(named, no_folder).string() : named;
    }
    std::vector<fs::path> prefixes;
    std::error_code ignored;
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(&find_hipcc), &info) && info.dli_fname) {
        // A prefix may be made of links: the one the library was loaded through counts first.
        const fs::path loaded = fs::absolute(info.dli_fname, ignored);
        prefixes.push_back(loaded.parent_path().parent_path());
        prefixes.push_back(fs::canonical(loaded, ignored).parent_path().parent_path());
    }
    for (const char* variable : {"HIP_PATH", "ROCM_PATH"})
        if (const char* prefix = std::getenv(variable); prefix && *prefix) prefixes.emplace_back(prefix);
    for (const fs::path& prefix : prefixes)
        if (fs::exists(prefix / "bin" / "hipcc", ignored)) return (prefix / "bin" / "hipcc").string();
    return {};
}

CompilerRun run_compiler(const std::vector<std::string>& arguments, const std::string& folder) {
    CompilerRun result;
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) return result;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_t child = 0;
    result.started = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_ends[1]);
    if (result.started) {
        char buffer[4096];
        for (ssize_t got; (got = read(pipe_ends[0], buffer, sizeof buffer)) != 0;) {
            if (got > 0)
                result.output.append(buffer, static_cast<std::size_t>(got));
            else if (errno != EINTR)
                break;
        }
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    close(pipe_ends[0]);
    return result;
}

ScratchFolder::ScratchFolder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "hiprtc-XXXXXX").string();
    if (!error && mkdtemp(pattern.data())) path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

bool ScratchFolder::write(const std::string& name, const std::string& content) const {
    const fs::path relative = fs::path(name).lexically_normal();
    // A header named ../x or /x would land outside.
    if (relative.empty() || relative.is_absolute() || *relative.begin() == "..") return false;
    const fs::path target = fs::path(path_) / relative;
    std::error_code error;
    fs::create_directories(target.parent_path(), error);
    std::ofstream out(target, std::ios::binary);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    return out.good();
}

std::string ScratchFolder::read(const std::string& name) const {
    std::ifstream in(fs::path(path_) / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace vrocm::rtc
