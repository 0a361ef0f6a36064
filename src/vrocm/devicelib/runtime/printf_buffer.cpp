// Space for printf records, and the one record that this library writes itself: a failed assertion.
#include "runtime_abi_device.h"

// Called by the code that clang generates for printf with -mprintf-kind=buffered.
EXPORT GLOBAL char* __printf_alloc(u32 bytes) {
    auto buffer = hidden_pointer<vrocm_printf_buffer>(VROCM_IMPLICITARG_PRINTF_BUFFER);
    if (buffer == nullptr) return nullptr;
    bytes = (bytes + 3) & ~3u;
    u32 capacity = buffer->capacity;
    u32 used = __scoped_atomic_load_n(&buffer->used, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
    do {
        if (bytes > capacity || used > capacity - bytes) return nullptr;
    } while (!__scoped_atomic_compare_exchange_n(&buffer->used, &used, used + bytes, false, __ATOMIC_RELAXED,
                                                 __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM));
    return (GLOBAL char*)&buffer->data[used];
}

namespace {

// Appends text to a record, or only counts it while there is no record yet.
struct Writer {
    GLOBAL char* out;
    u32 length = 0;

    void put(char c) {
        if (out != nullptr) out[length] = c;
        length += 1;
    }
    // The text becomes a format string, so a percent sign is doubled.
    void text(const char* s) {
        if (s == nullptr) s = "?";
        for (; *s != 0; ++s) {
            if (*s == '%') put('%');
            put(*s);
        }
    }
    void number(u32 value) {
        u32 scale = 1;
        while (value / scale >= 10) scale *= 10;
        for (; scale != 0; scale /= 10) put((char)('0' + value / scale % 10));
    }
};

void write_assertion(Writer& w, const char* assertion, const char* file, u32 line, const char* function) {
    w.text(file);
    w.put(':');
    w.number(line);
    w.text(": ");
    w.text(function);
    w.text(": Device-side assertion `");
    w.text(assertion);
    w.text("' failed.\n");
    w.put(0);
}

}  // namespace

EXPORT __attribute__((noinline, cold)) void __assert_fail(const char* assertion, const char* file, u32 line,
                                                          const char* function) {
    Writer counter{nullptr};
    write_assertion(counter, assertion, file, line, function);
    u32 padded = (counter.length + 7) & ~7u;
    u32 bytes = 4 + padded;
    if (GLOBAL char* record = __printf_alloc(bytes)) {
        *(GLOBAL u32*)record = bytes << VROCM_PRINTF_SIZE_SHIFT | VROCM_PRINTF_TO_STDERR;
        Writer writer{record + 4};
        write_assertion(writer, assertion, file, line, function);
    }
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");  // the host must see the record before the trap
    __builtin_trap();
}

EXPORT __attribute__((cold)) void __assertfail() { __builtin_trap(); }

EXPORT __attribute__((cold)) void __cxa_pure_virtual() { __builtin_trap(); }

EXPORT __attribute__((cold)) void __cxa_deleted_virtual() { __builtin_trap(); }
