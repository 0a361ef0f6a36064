// JSON for the few documents of a capture: a value, a strict reader and a writer that keeps the order of keys.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rpl::snapshot {

// Text that is not JSON, or a value of another kind than was asked for; says where.
struct JsonError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Json {
  public:
    enum class Kind : std::uint8_t { Null, Boolean, Integer, Real, Text, Array, Object };
    Json() = default;
    Json(std::nullptr_t) {}
    Json(bool value);
    Json(int value);
    Json(unsigned value);
    Json(std::int64_t value);
    Json(std::uint64_t value);
    Json(double value);
    Json(const char* text);
    Json(std::string text);
    static Json array();
    static Json object();
    static Json address(std::uint64_t value);  // "0x…"

    Kind kind() const { return kind_; }
    bool is_null() const { return kind_ == Kind::Null; }
    // The value, or JsonError that names `this` by how it was reached.
    bool boolean() const;
    std::int64_t integer() const;
    double real() const;  // integers too
    const std::string& text() const;
    std::uint64_t address() const;  // of "0x…"
    const std::vector<Json>& items() const;
    const std::vector<std::pair<std::string, Json>>& fields() const;
    const Json& operator[](std::string_view key) const;  // JsonError when it is not there
    const Json* find(std::string_view key) const;        // null when it is not there

    Json& set(std::string key, Json value);  // of an object; returns this
    Json& add(Json value);                   // to an array; returns this

    static Json parse(std::string_view text);
    std::string dump(int indent = 2) const;  // valid UTF-8 whatever the texts hold

  private:
    friend class JsonParser;
    void expect(Kind kind) const;
    void write(std::string& out, int indent, int depth) const;

    Kind kind_ = Kind::Null;
    std::int64_t integer_ = 0;
    double real_ = 0;
    std::string text_;
    std::vector<Json> items_;
    std::vector<std::pair<std::string, Json>> fields_;
    std::string where_;  // how a parsed value was reached: "regions[3].base"
};

}  // namespace rpl::snapshot
