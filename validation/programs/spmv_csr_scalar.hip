// Sparse matrix times vector, CSR, one thread a row. Every row has the same number of non-zeros, in the columns
// that follow its own number.
#include "harness.h"

__global__ void spmv(const float* __restrict__ values, const int* __restrict__ columns, const int* __restrict__ starts,
                     const float* __restrict__ x, float* __restrict__ y, int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0;
        const int end = starts[row + 1];
        for (int i = starts[row]; i < end; ++i) sum += values[i] * x[columns[i]];
        y[row] = sum;
    }
}

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    long rows = 0, again = 0, nonzeros = 0;
    if (std::sscanf(options.size.c_str(), "%ldx%ld_nnz%ld", &rows, &again, &nonzeros) != 3 || rows != again ||
        nonzeros % rows)
        refuse(options, "RxR_nnzM, M a multiple of R");
    const long per_row = nonzeros / rows;
    std::vector<int> starts(rows + 1), columns(nonzeros);
    for (long r = 0; r <= rows; ++r) starts[r] = int(r * per_row);
    for (long r = 0; r < rows; ++r)
        for (long j = 0; j < per_row; ++j) columns[r * per_row + j] = int((r + j) % rows);
    const std::vector<float> values = small_numbers(nonzeros, 14), vector = small_numbers(rows, 15);
    float *device_values = on_device<float>(nonzeros), *x = on_device<float>(rows), *y = on_device<float>(rows);
    int *device_columns = on_device<int>(nonzeros), *device_starts = on_device<int>(rows + 1);
    to_device(device_values, values);
    to_device(device_columns, columns);
    to_device(device_starts, starts);
    to_device(x, vector);
    time_body("spmv_csr_scalar", options, [&] {
        spmv<<<(rows + 255) / 256, 256>>>(device_values, device_columns, device_starts, x, y, int(rows));
    });
    if (options.check) {
        std::vector<float> want(rows, 0.0f);
        for (long r = 0; r < rows; ++r)
            for (long i = starts[r]; i < starts[r + 1]; ++i) want[r] += values[i] * vector[columns[i]];
        expect_equal(from_device(y, rows), want, "y");
    }
}
