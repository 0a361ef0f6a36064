// The folder of a capture: called <name>.partial until everything is in it, and gone when that fails.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "snapshot/json.h"

namespace rpl::capture {

class CaptureFolder {
  public:
    // Throws CaptureError, as all below.
    explicit CaptureFolder(const std::string& path);
    ~CaptureFolder();
    CaptureFolder(const CaptureFolder&) = delete;
    CaptureFolder& operator=(const CaptureFolder&) = delete;

    std::string path_of(const std::string& name) const { return partial_ + "/" + name; }
    void write(const std::string& name, std::span<const std::uint8_t> bytes);
    void write(const std::string& name, const snapshot::Json& document);
    // A region file that is there already, with the checksum for the manifest.
    void note(const std::string& name, std::uint64_t checksum);
    // Writes the manifest and gives the folder its name.
    void finish();

  private:
    struct Entry {
        std::string name;
        std::uint64_t bytes, checksum;
    };
    std::string path_, partial_;
    std::vector<Entry> entries_;
    bool finished_ = false;
};

}  // namespace rpl::capture
