#include "snapshot/json.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

namespace rpl::snapshot {

namespace {

constexpr unsigned kDeepest = 64;

const char* name_of(Json::Kind kind) {
    constexpr const char* kNames[] = {"null", "a boolean", "an integer", "a number", "text", "a list", "an object"};
    return kNames[static_cast<unsigned>(kind)];
}

// Length of the UTF-8 sequence at the front of `text`, 0 when it is not one (Unicode table 3-7: no overlong forms,
// no surrogates, nothing above U+10FFFF).
std::size_t sequence_length(std::string_view text) {
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto follows = [&](std::size_t i) { return (at(i) & 0xC0) == 0x80; };
    const unsigned a = at(0), b = at(1);
    if (a < 0x80) return 1;
    if (a >= 0xC2 && a <= 0xDF) return follows(1) ? 2 : 0;
    if (a >= 0xE0 && a <= 0xEF) {
        if ((a == 0xE0 && b < 0xA0) || (a == 0xED && b > 0x9F)) return 0;
        return follows(1) && follows(2) ? 3 : 0;
    }
    if (a >= 0xF0 && a <= 0xF4) {
        if ((a == 0xF0 && b < 0x90) || (a == 0xF4 && b > 0x8F)) return 0;
        return follows(1) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

void append_utf8(std::string& out, std::uint32_t point) {
    const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (point < 0x80) {
        put(point);
    } else if (point < 0x800) {
        put(0xC0 | point >> 6);
        put(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        put(0xE0 | point >> 12);
        put(0x80 | (point >> 6 & 0x3F));
        put(0x80 | (point & 0x3F));
    } else {
        put(0xF0 | point >> 18);
        put(0x80 | (point >> 12 & 0x3F));
        put(0x80 | (point >> 6 & 0x3F));
        put(0x80 | (point & 0x3F));
    }
}

void append_quoted(std::string& out, std::string_view text) {
    out.push_back('"');
    while (!text.empty()) {
        const unsigned char c = static_cast<unsigned char>(text.front());
        const std::size_t length = sequence_length(text);
        if (c == '"' || c == '\\') {
            out.push_back('\\');
            out.push_back(static_cast<char>(c));
        } else if (c < 0x20 || c == 0x7F) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
            out += escaped;
        } else if (length == 0) {
            out += "\xEF\xBF\xBD";  // the replacement character
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length ? length : 1);
    }
    out.push_back('"');
}

}  // namespace

Json::Json(bool value) : kind_(Kind::Boolean), integer_(value) {}
Json::Json(int value) : kind_(Kind::Integer), integer_(value) {}
Json::Json(unsigned value) : kind_(Kind::Integer), integer_(value) {}
Json::Json(std::int64_t value) : kind_(Kind::Integer), integer_(value) {}
Json::Json(std::uint64_t value) {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        *this = Json(static_cast<double>(value));
    else
        *this = Json(static_cast<std::int64_t>(value));
}
Json::Json(double value) : kind_(std::isfinite(value) ? Kind::Real : Kind::Null), real_(value) {}
Json::Json(const char* text) : kind_(Kind::Text), text_(text) {}
Json::Json(std::string text) : kind_(Kind::Text), text_(std::move(text)) {}

Json Json::array() {
    Json made;
    made.kind_ = Kind::Array;
    return made;
}

Json Json::object() {
    Json made;
    made.kind_ = Kind::Object;
    return made;
}

Json Json::address(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return Json(text);
}

void Json::expect(Kind kind) const {
    if (kind_ == kind) return;
    throw JsonError((where_.empty() ? std::string("the document") : where_) + " is " + name_of(kind_) + ", not " +
                    name_of(kind));
}

bool Json::boolean() const {
    expect(Kind::Boolean);
    return integer_ != 0;
}

std::int64_t Json::integer() const {
    expect(Kind::Integer);
    return integer_;
}

double Json::real() const {
    if (kind_ == Kind::Integer) return static_cast<double>(integer_);
    expect(Kind::Real);
    return real_;
}

const std::string& Json::text() const {
    expect(Kind::Text);
    return text_;
}

std::uint64_t Json::address() const {
    const std::string& digits = text();
    std::uint64_t value = 0;
    const char *begin = digits.data() + 2, *end = digits.data() + digits.size();
    if (digits.size() > 2 && digits[0] == '0' && digits[1] == 'x') {
        const auto [stop, error] = std::from_chars(begin, end, value, 16);
        if (error == std::errc() && stop == end) return value;
    }
    throw JsonError(where_ + " is not an address: \"" + digits + "\"");
}

const std::vector<Json>& Json::items() const {
    expect(Kind::Array);
    return items_;
}

const std::vector<std::pair<std::string, Json>>& Json::fields() const {
    expect(Kind::Object);
    return fields_;
}

const Json* Json::find(std::string_view key) const {
    expect(Kind::Object);
    for (const auto& [name, value] : fields_)
        if (name == key) return &value;
    return nullptr;
}

const Json& Json::operator[](std::string_view key) const {
    if (const Json* found = find(key)) return *found;
    throw JsonError((where_.empty() ? std::string("the document") : where_) + " has no \"" + std::string(key) + "\"");
}

Json& Json::set(std::string key, Json value) {
    expect(Kind::Object);
    for (auto& [name, old] : fields_)
        if (name == key) {
            old = std::move(value);
            return *this;
        }
    fields_.emplace_back(std::move(key), std::move(value));
    return *this;
}

Json& Json::add(Json value) {
    expect(Kind::Array);
    items_.push_back(std::move(value));
    return *this;
}

// ---- reading ----

class JsonParser {
  public:
    explicit JsonParser(std::string_view text) : text_(text) {}

    Json document() {
        Json made = value("", 0);
        skip_space();
        if (at_ != text_.size()) fail("more after the end of the document");
        return made;
    }

  private:
    [[noreturn]] void fail(const char* what) const {
        std::size_t line = 1, column = 1;
        for (std::size_t i = 0; i < at_ && i < text_.size(); ++i) {
            ++column;
            if (text_[i] == '\n') ++line, column = 1;
        }
        throw JsonError("line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + what);
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_space() {
        while (at_ < text_.size() && (peek() == ' ' || peek() == '\n' || peek() == '\t' || peek() == '\r')) ++at_;
    }
    bool take(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    Json value(std::string where, unsigned depth) {
        if (depth > kDeepest) fail("nested too deeply");
        skip_space();
        Json made;
        switch (peek()) {
            case '{':
                made = object(where, depth);
                break;
            case '[':
                made = array(where, depth);
                break;
            case '"':
                made = Json(string());
                break;
            default:
                if (take("true"))
                    made = Json(true);
                else if (take("false"))
                    made = Json(false);
                else if (!take("null"))
                    made = number();
        }
        made.where_ = std::move(where);
        return made;
    }

    Json object(const std::string& where, unsigned depth) {
        Json made = Json::object();
        ++at_;
        skip_space();
        if (take("}")) return made;
        do {
            skip_space();
            if (peek() != '"') fail("a key was expected");
            std::string key = string();
            if (made.find(key)) fail("a key that was there before");
            skip_space();
            if (!take(":")) fail("':' was expected");
            Json field = value(where.empty() ? key : where + "." + key, depth + 1);
            made.fields_.emplace_back(std::move(key), std::move(field));
            skip_space();
        } while (take(","));
        if (!take("}")) fail("',' or '}' was expected");
        return made;
    }

    Json array(const std::string& where, unsigned depth) {
        Json made = Json::array();
        ++at_;
        skip_space();
        if (take("]")) return made;
        do {
            made.items_.push_back(value(where + "[" + std::to_string(made.items_.size()) + "]", depth + 1));
            skip_space();
        } while (take(","));
        if (!take("]")) fail("',' or ']' was expected");
        return made;
    }

    std::uint32_t hexadecimal() {
        std::uint32_t unit = 0;
        if (text_.size() - at_ < 4) fail("four hexadecimal digits were expected");
        const char* begin = text_.data() + at_;
        const auto [stop, error] = std::from_chars(begin, begin + 4, unit, 16);
        if (error != std::errc() || stop != begin + 4) fail("four hexadecimal digits were expected");
        at_ += 4;
        return unit;
    }

    void escape(std::string& out) {
        constexpr std::string_view kNames = "\"\\/bfnrt", kValues = "\"\\/\b\f\n\r\t";
        const char c = peek();
        ++at_;
        if (const auto i = kNames.find(c); c && i != kNames.npos) {
            out.push_back(kValues[i]);
        } else if (c == 'u') {
            std::uint32_t point = hexadecimal();
            if (point >= 0xD800 && point < 0xDC00 && take("\\u")) {
                const std::uint32_t low = hexadecimal();
                if (low < 0xDC00 || low > 0xDFFF) fail("half a surrogate pair");
                point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
            } else if (point >= 0xD800 && point <= 0xDFFF) {
                fail("half a surrogate pair");
            }
            append_utf8(out, point);
        } else {
            fail("an unknown escape");
        }
    }

    std::string string() {
        std::string out;
        ++at_;
        for (;;) {
            if (at_ >= text_.size()) fail("text without an end");
            const char c = text_[at_];
            if (c == '"') {
                ++at_;
                return out;
            }
            if (c == '\\') {
                ++at_;
                escape(out);
                continue;
            }
            if (static_cast<unsigned char>(c) < 0x20) fail("a control character in text");
            const std::size_t length = sequence_length(text_.substr(at_));
            if (length == 0) fail("text that is not UTF-8");
            out += text_.substr(at_, length);
            at_ += length;
        }
    }

    Json number() {
        const std::size_t begin = at_;
        const auto digits = [&] {
            const std::size_t first = at_;
            while (peek() >= '0' && peek() <= '9') ++at_;
            return at_ - first;
        };
        take("-");
        const bool leading_zero = peek() == '0';
        const std::size_t whole = digits();
        if (whole == 0 || (leading_zero && whole > 1)) fail("a value was expected");
        bool integral = true;
        if (take(".")) {
            integral = false;
            if (digits() == 0) fail("digits were expected");
        }
        if (take("e") || take("E")) {
            integral = false;
            if (!take("+")) take("-");
            if (digits() == 0) fail("digits were expected");
        }
        const char *first = text_.data() + begin, *last = text_.data() + at_;
        std::int64_t integer = 0;
        if (integral && std::from_chars(first, last, integer).ec == std::errc()) return Json(integer);
        double real = 0;
        if (std::from_chars(first, last, real).ec != std::errc()) fail("a number that is too large");
        return Json(real);
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

Json Json::parse(std::string_view text) {
    return JsonParser(text).document();
}

// ---- writing ----

void Json::write(std::string& out, int indent, int depth) const {
    const auto line = [&](int level) {
        if (indent <= 0) return;
        out.push_back('\n');
        out.append(static_cast<std::size_t>(indent * level), ' ');
    };
    const char* separator = indent > 0 ? "," : ", ";
    char digits[40];
    switch (kind_) {
        case Kind::Null:
            out += "null";
            break;
        case Kind::Boolean:
            out += integer_ ? "true" : "false";
            break;
        case Kind::Integer:
            out += std::to_string(integer_);
            break;
        case Kind::Real: {
            const auto end = std::to_chars(digits, digits + sizeof digits, real_).ptr;
            out.append(digits, end);
            break;
        }
        case Kind::Text:
            append_quoted(out, text_);
            break;
        case Kind::Array:
            out.push_back('[');
            for (std::size_t i = 0; i < items_.size(); ++i) {
                if (i) out += separator;
                line(depth + 1);
                items_[i].write(out, indent, depth + 1);
            }
            if (!items_.empty()) line(depth);
            out.push_back(']');
            break;
        case Kind::Object:
            out.push_back('{');
            for (std::size_t i = 0; i < fields_.size(); ++i) {
                if (i) out += separator;
                line(depth + 1);
                append_quoted(out, fields_[i].first);
                out += ": ";
                fields_[i].second.write(out, indent, depth + 1);
            }
            if (!fields_.empty()) line(depth);
            out.push_back('}');
            break;
    }
}

std::string Json::dump(int indent) const {
    std::string out;
    write(out, indent, 0);
    return out;
}

}  // namespace rpl::snapshot
