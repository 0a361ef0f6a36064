// Bessel functions of the first and second kind, orders 0 and 1.
#include "bessel.h"

EXPORT f64 __ocml_j0_f64(f64 x) { return bessel::j0(x); }
EXPORT f64 __ocml_j1_f64(f64 x) { return bessel::j1(x); }
EXPORT f64 __ocml_y0_f64(f64 x) { return bessel::y0(x); }
EXPORT f64 __ocml_y1_f64(f64 x) { return bessel::y1(x); }
EXPORT f32 __ocml_j0_f32(f32 x) { return (f32)bessel::j0((f64)x); }
EXPORT f32 __ocml_j1_f32(f32 x) { return (f32)bessel::j1((f64)x); }
EXPORT f32 __ocml_y0_f32(f32 x) { return (f32)bessel::y0((f64)x); }
EXPORT f32 __ocml_y1_f32(f32 x) { return (f32)bessel::y1((f64)x); }
