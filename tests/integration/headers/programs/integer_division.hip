// Division and remainder of every integer width, with dividends and divisors of all magnitudes.
#include "check.h"

template <class T>
static void test(const char* name) {
    const int n = 1 << 13, bits = sizeof(T) * 8;
    std::mt19937_64 random(3);
    std::vector<T> a(n), b(n);
    for (int i = 0; i < n; ++i) {
        a[i] = (T)((T)random() >> (random() % bits));
        b[i] = (T)((T)random() >> (random() % bits));
        // Just below a multiple: where an approximate quotient is off by one.
        if (i % 3 == 0 && b[i] != 0) a[i] = (T)(a[i] / b[i] * b[i] - 1);
        if (b[i] == 0 || b[i] == (T)-1) b[i] = 3;
    }
    DeviceArray<T> da(a), db(b), quotient(n), remainder(n);
    T *pa = da, *pb = db, *pq = quotient, *pr = remainder;
    for_each(n, [=] __device__(int i) {
        pq[i] = (T)(pa[i] / pb[i]);
        pr[i] = (T)(pa[i] % pb[i]);
    });
    const std::vector<T> q = quotient.read(), r = remainder.read();
    for (int i = 0; i < n; ++i) {
        EXPECT_SAME(name, i, q[i], (T)(a[i] / b[i]));
        EXPECT_SAME(name, i, r[i], (T)(a[i] % b[i]));
    }
}

int main() {
    test<unsigned char>("u8");
    test<signed char>("i8");
    test<unsigned short>("u16");
    test<short>("i16");
    test<unsigned>("u32");
    test<int>("i32");
    test<unsigned long>("u64");
    test<long>("i64");

    // Known to fit in 24 bits, so that the compiler may take a short cut: 14213930 % 3 is such a case.
    const int n = 1 << 14;
    std::vector<unsigned> a(n);
    for (int i = 0; i < n; ++i) a[i] = 0xd8e32abdu + (unsigned)i * 0x10300u;
    DeviceArray<unsigned> da(a), out(n);
    unsigned *pa = da, *po = out;
    for_each(n, [=] __device__(int i) { po[i] = (pa[i] >> 8) % (32 - (unsigned)i % 32) + ((pa[i] >> 8) / (3 + (i & 1))); });
    const std::vector<unsigned> got = out.read();
    for (int i = 0; i < n; ++i)
        EXPECT_SAME("24 bits", i, got[i], (a[i] >> 8) % (32 - (unsigned)i % 32) + ((a[i] >> 8) / (3 + (i & 1))));
    return finish();
}
