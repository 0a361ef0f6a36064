// One line of JSON, written from left to right and appended to a file in one piece.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vrocm::sim::observe {

class JsonLine {
  public:
    JsonLine& open(char bracket);
    JsonLine& close(char bracket);
    JsonLine& key(std::string_view name);
    JsonLine& text(std::string_view value);
    JsonLine& number(std::uint64_t value);
    JsonLine& address(std::uint64_t value);  // "0x..."
    JsonLine& boolean(bool value);
    JsonLine& null();

    const std::string& str() const { return out_; }
    // Says so on stderr, once, when the file cannot be written.
    void append_to(const std::string& path) const;

  private:
    void separate();
    void quote(std::string_view value);
    std::string out_;
    bool first_ = true;  // nothing stands before the next value in its bracket
};

}  // namespace vrocm::sim::observe
