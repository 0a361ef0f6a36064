// Arguments of API calls as text, for tracers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "hip/hip_abi.h"

namespace vrocm::hip {

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
    const void* pointer = nullptr;
    bool is_pointer = false;
};

class ArgumentTexts {
  public:
    void clear() { all_.clear(); }
    const std::vector<ArgumentText>& all() const { return all_; }

    template <class T>
    void add(const T& value) {
        ArgumentText made;
        made.type = type_name<T>();
        render(value, made);
        all_.push_back(std::move(made));
    }

  private:
    template <class T>
    static void render(const T& value, ArgumentText& into) {
        if constexpr (std::is_same_v<T, const char*>) {
            if (value)
                into.text = value;
            else
                pointer(nullptr, into);
        } else if constexpr (std::is_function_v<std::remove_pointer_t<T>>) {
            pointer(reinterpret_cast<const void*>(value), into);
        } else if constexpr (std::is_pointer_v<T>) {
            pointer(const_cast<const void*>(static_cast<const volatile void*>(value)), into);
        } else if constexpr (std::is_same_v<T, bool>) {
            into.text = value ? "true" : "false";
        } else if constexpr (std::is_enum_v<T>) {
            into.text = enumerator(type_name<T>(), static_cast<std::int64_t>(value));
        } else if constexpr (std::is_arithmetic_v<T>) {
            into.text = std::to_string(value);
        } else {
            structure(value, into);
        }
    }
    static void pointer(const void* value, ArgumentText& into) {
        into.pointer = value;
        into.is_pointer = true;
    }
    // The name of a value where the program's author would use it, else the number.
    static std::string enumerator(std::string_view type, std::int64_t value);

    static void structure(const dim3& value, ArgumentText& into);
    static void structure(const hipExtent& value, ArgumentText& into);
    static void structure(const hipPitchedPtr& value, ArgumentText& into);
    template <class T>
    static void structure(const T&, ArgumentText& into) {
        into.text.append("{").append(std::to_string(sizeof(T))).append(" bytes}");
    }

    std::vector<ArgumentText> all_;
};

}  // namespace vrocm::hip
