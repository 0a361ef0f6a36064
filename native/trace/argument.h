// Arguments of API calls as text.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "abi/vrocm/trace.h"

namespace vrocm::trace {

// The type as a programmer writes it.
template <class T>
constexpr std::string_view type_name() {
    // "... type_name() [with T = X; std::string_view = ...]" (GCC) or "... [T = X]" (clang)
    constexpr std::string_view signature = __PRETTY_FUNCTION__;
    constexpr std::size_t begin = signature.find("T = ") + 4;
    constexpr std::size_t end = signature.find_first_of(";]", begin);
    return signature.substr(begin, end - begin);
}

struct ArgumentText {
    std::string_view type;
    std::string text;
    std::uint64_t pointer = 0;
    bool is_pointer = false;
};

template <class T>
concept Handle = std::is_class_v<T> && sizeof(T) == 8 && requires(const T& value) {
    { value.handle } -> std::convertible_to<std::uint64_t>;
};

// Structures and enumerations that have a text of their own: a function std::string describe_argument(const T&) that
// argument-dependent lookup finds.
template <class T>
void render_argument(const T& value, ArgumentText& into) {
    if constexpr (std::is_same_v<T, const char*>) {
        into.is_pointer = value == nullptr;
        if (value) into.text = value;
    } else if constexpr (std::is_pointer_v<T>) {
        into.is_pointer = true;
        into.pointer = reinterpret_cast<std::uint64_t>(value);
    } else if constexpr (Handle<T>) {
        into.is_pointer = true;
        into.pointer = value.handle;
    } else if constexpr (std::is_same_v<T, bool>) {
        into.text = value ? "true" : "false";
    } else if constexpr (std::is_arithmetic_v<T>) {
        into.text = std::to_string(value);
    } else if constexpr (requires { describe_argument(value); }) {
        into.text = describe_argument(value);
    } else if constexpr (std::is_enum_v<T>) {
        into.text = std::to_string(static_cast<std::int64_t>(value));
    } else {
        into.text.append("{").append(std::to_string(sizeof(T))).append(" bytes}");
    }
}

// The arguments of one call.
class ArgumentTexts {
  public:
    void clear() { all_.clear(); }

    template <class T>
    void add(const T& value) {
        ArgumentText made;
        made.type = type_name<T>();
        render_argument(value, made);
        all_.push_back(std::move(made));
    }

    // With their names: "dst, src, sizeBytes".
    std::vector<vrocm_trace_argument> named(std::string_view names) const {
        std::vector<vrocm_trace_argument> made;
        for (const ArgumentText& argument : all_) {
            const std::size_t comma = names.find(',');
            const std::string_view name = names.substr(0, comma);
            names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 2);
            made.push_back({argument.type.data(), name.data(), argument.type.size(), name.size(), argument.text.data(),
                            argument.text.size(), argument.pointer, argument.is_pointer});
        }
        return made;
    }

  private:
    std::vector<ArgumentText> all_;
};

}  // namespace vrocm::trace
