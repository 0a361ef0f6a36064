// memcpy and its family for kernels. The backend expands the builtins into loops of wide accesses.
#include "common/hardware.h"

EXPORT void* memcpy(void* to, const void* from, u64 bytes) { return __builtin_memcpy(to, from, bytes); }

EXPORT void* memmove(void* to, const void* from, u64 bytes) { return __builtin_memmove(to, from, bytes); }

EXPORT void* memset(void* to, i32 value, u64 bytes) { return __builtin_memset(to, value, bytes); }

EXPORT i32 memcmp(const void* a, const void* b, u64 bytes) {
    auto x = (const u8*)a, y = (const u8*)b;
    for (u64 i = 0; i < bytes; ++i) {
        if (x[i] != y[i]) return (i32)x[i] - (i32)y[i];
    }
    return 0;
}

EXPORT void* memchr(const void* where, i32 value, u64 bytes) {
    auto p = (const u8*)where;
    for (u64 i = 0; i < bytes; ++i) {
        if (p[i] == (u8)value) return (void*)(p + i);
    }
    return nullptr;
}

EXPORT u64 strlen(const char* s) {
    u64 n = 0;
    while (s[n] != 0) ++n;
    return n;
}

EXPORT i32 strcmp(const char* a, const char* b) {
    while (*a != 0 && *a == *b) ++a, ++b;
    return (i32)(u8)*a - (i32)(u8)*b;
}

EXPORT i32 strncmp(const char* a, const char* b, u64 n) {
    for (; n != 0; --n, ++a, ++b) {
        if (*a != *b || *a == 0) return (i32)(u8)*a - (i32)(u8)*b;
    }
    return 0;
}

EXPORT char* strcpy(char* to, const char* from) {
    for (u64 i = 0; (to[i] = from[i]) != 0; ++i) {
    }
    return to;
}

EXPORT char* strncpy(char* to, const char* from, u64 n) {
    u64 i = 0;
    for (; i < n && from[i] != 0; ++i) to[i] = from[i];
    for (; i < n; ++i) to[i] = 0;
    return to;
}

EXPORT char* strcat(char* to, const char* from) {
    strcpy(to + strlen(to), from);
    return to;
}

EXPORT char* strchr(const char* s, i32 c) {
    for (;; ++s) {
        if (*s == (char)c) return (char*)s;
        if (*s == 0) return nullptr;
    }
}
