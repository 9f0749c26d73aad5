/* external.c — D11: external32 of types whose size is the same there: big-endian, without gaps. */
#include <stdint.h>
#include "external.h"

static void integers(void)
{
    EXTERNAL(MPI_CHAR, char, 'x', 'x');
    EXTERNAL(MPI_SIGNED_CHAR, signed char, -2, 0xfe);
    EXTERNAL(MPI_UNSIGNED_CHAR, unsigned char, 0x81, 0x81);
    EXTERNAL(MPI_BYTE, unsigned char, 0x12, 0x12);
    EXTERNAL(MPI_SHORT, short, -2, 0xff, 0xfe);
    EXTERNAL(MPI_UNSIGNED_SHORT, unsigned short, 0x1234, 0x12, 0x34);
    EXTERNAL(MPI_INT, int, 0x12345678, 0x12, 0x34, 0x56, 0x78);
    EXTERNAL(MPI_UNSIGNED, unsigned, 0xfedcba98, 0xfe, 0xdc, 0xba, 0x98);
    EXTERNAL(MPI_LONG_LONG, long long, 0x0123456789abcdef, 1, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd,
             0xef);
    EXTERNAL(MPI_UNSIGNED_LONG_LONG, unsigned long long, 0xf123456789abcdef, 0xf1, 0x23, 0x45, 0x67,
             0x89, 0xab, 0xcd, 0xef);
    EXTERNAL(MPI_INT8_T, int8_t, -1, 0xff);
    EXTERNAL(MPI_INT16_T, int16_t, -256, 0xff, 0);
    EXTERNAL(MPI_INT32_T, int32_t, 1, 0, 0, 0, 1);
    EXTERNAL(MPI_INT64_T, int64_t, -2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe);
    EXTERNAL(MPI_UINT8_T, uint8_t, 200, 200);
    EXTERNAL(MPI_UINT16_T, uint16_t, 0x8001, 0x80, 1);
    EXTERNAL(MPI_UINT32_T, uint32_t, 0x80000002, 0x80, 0, 0, 2);
    EXTERNAL(MPI_UINT64_T, uint64_t, 0x8000000000000003, 0x80, 0, 0, 0, 0, 0, 0, 3);
    EXTERNAL(MPI_AINT, MPI_Aint, 0x0102030405060708, 1, 2, 3, 4, 5, 6, 7, 8);
    EXTERNAL(MPI_OFFSET, MPI_Offset, -2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe);
    EXTERNAL(MPI_COUNT, MPI_Count, 0x0807060504030201, 8, 7, 6, 5, 4, 3, 2, 1);
    EXTERNAL(MPI_C_BOOL, _Bool, 1, 1);
    EXTERNAL(MPI_INTEGER, int, 0x01020304, 1, 2, 3, 4);
    EXTERNAL(MPI_CHARACTER, char, 'f', 'f');
    EXTERNAL(MPI_LOGICAL, int, 1, 0, 0, 0, 1);
}

static void reals(void)
{
    EXTERNAL(MPI_FLOAT, float, 1.5f, 0x3f, 0xc0, 0, 0);
    EXTERNAL(MPI_FLOAT, float, -0.0f, 0x80, 0, 0, 0);
    EXTERNAL(MPI_DOUBLE, double, -2.25, 0xc0, 2, 0, 0, 0, 0, 0, 0);
    EXTERNAL(MPI_REAL, float, 1.5f, 0x3f, 0xc0, 0, 0);
    EXTERNAL(MPI_DOUBLE_PRECISION, double, -2.25, 0xc0, 2, 0, 0, 0, 0, 0, 0);
}

/* With elements of more bytes than are moved at a time. */
static void many(void)
{
    enum { N = 100000 };
    static int in[2 * N], out[2 * N];
    unsigned char *packed = mpitest_memory(4 * N);
    MPI_Aint at = 0;
    MPI_Datatype every_other;

    for (int i = 0; i < 2 * N; i++)
        out[i] = i * 977;
    MPI_Type_vector(N, 1, 2, MPI_INT, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Pack_external("external32", out, 1, every_other, packed, 4 * N, &at);
    CHECK_INT(at, 4 * N);
    for (int i = 0; i < N; i++) {
        unsigned char *p = packed + 4 * (size_t) i;

        CHECK_INT((int) ((unsigned) p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]), out[2 * i]);
    }
    at = 0;
    MPI_Unpack_external("external32", packed, 4 * N, &at, in, 1, every_other);
    for (int i = 0; i < 2 * N; i++)
        CHECK_INT(in[i], i % 2 ? 0 : out[i]);
    MPI_Type_free(&every_other);
    free(packed);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    integers();
    reals();
    many();
    MPI_Finalize();
    return 0;
}
