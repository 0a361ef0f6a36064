// Runs the compiler driver for online compilation.
#pragma once

#include <string>
#include <vector>

namespace vrocm::rtc {

// The hipcc to run: VROCM_HIPCC, or bin/hipcc of the prefix this library lies in. Empty when neither exists.
std::string find_hipcc();

struct CompilerRun {
    bool started = false;
    int exit_code = -1;
    std::string output;  // both streams, as they came
};
// `folder`: the compiler's working folder.
CompilerRun run_compiler(const std::vector<std::string>& arguments, const std::string& folder);

// A folder of its own for one compilation, removed with everything in it.
class ScratchFolder {
  public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::string& path() const { return path_; }  // empty when it could not be made
    // Writes a file below the folder, making folders in its name; false when that is impossible.
    bool write(const std::string& name, const std::string& content) const;
    std::string read(const std::string& name) const;

  private:
    std::string path_;
};

}  // namespace vrocm::rtc
