/* external32.c — F10, D11: every predefined type of table 13.2 in a file of external32: extent and
 * bytes, big-endian and one behind the other.
 *
 * MPICH 4.0 stores types as they are that have other sizes there, and does not convert some. */
#include <complex.h>
#include <wchar.h>
#include "forms.h"

enum { MOST = 64 };

static MPI_File file;
static MPI_Offset used; /* bytes of the file */

/* One value on each rank: what the file has behind the others, and what is read from there, also by
 * another rank. each: bytes of the value that count. */
static void external(const char *name, MPI_Datatype type, const void *value, size_t each,
                     const unsigned char *want, size_t bytes)
{
    unsigned char got[MOST], back[MOST];
    MPI_Aint extent = -1;
    MPI_Status s;

    CHECK(type != MPI_DATATYPE_NULL);
    OK(MPI_File_set_view(file, used, type, type, "external32", MPI_INFO_NULL));
    OK(MPI_File_get_type_extent(file, type, &extent));
    if (extent != (MPI_Aint) bytes)
        mpitest_fail(name, (int) extent, "extent in external32");
    OK(MPI_File_write_at_all(file, rank, value, 1, type, &s));
    CHECK_INT(count_of(&s, type), 1);
    settle(file);
    used += (MPI_Offset) bytes * size;
    CHECK_INT(plain_size(), used);
    CHECK(plain_read(got, bytes, used - (MPI_Offset) bytes * (size - rank)) == bytes);
    if (memcmp(got, want, bytes) != 0)
        mpitest_fail(name, got[0], "bytes in external32");
    memset(back, 0xa5, sizeof back);
    OK(MPI_File_read_at(file, (rank + 1) % size, back, 1, type, &s));
    CHECK_INT(count_of(&s, type), 1);
    if (memcmp(back, value, each) != 0)
        mpitest_fail(name, back[0], "value from external32");
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A type, its type in C, a value, the bytes in the file. */
#define EXTERNAL(type, c, value, ...)                                                              \
    external(#type, type, (c[]) { value }, sizeof(c), (unsigned char[]) { __VA_ARGS__ },           \
             sizeof((unsigned char[]) { __VA_ARGS__ }))

static void integers_of_c(void)
{
    EXTERNAL(MPI_BYTE, unsigned char, 0x12, 0x12);
    EXTERNAL(MPI_PACKED, unsigned char, 0x9a, 0x9a);
    EXTERNAL(MPI_CHAR, char, 'x', 'x');
    EXTERNAL(MPI_SIGNED_CHAR, signed char, -2, 0xfe);
    EXTERNAL(MPI_UNSIGNED_CHAR, unsigned char, 0x81, 0x81);
    EXTERNAL(MPI_WCHAR, wchar_t, 0x20ac, 0x20, 0xac);
    EXTERNAL(MPI_SHORT, short, -2, 0xff, 0xfe);
    EXTERNAL(MPI_UNSIGNED_SHORT, unsigned short, 0x1234, 0x12, 0x34);
    EXTERNAL(MPI_INT, int, 0x12345678, 0x12, 0x34, 0x56, 0x78);
    EXTERNAL(MPI_UNSIGNED, unsigned, 0xfedcba98, 0xfe, 0xdc, 0xba, 0x98);
    EXTERNAL(MPI_LONG, long, -3, 0xff, 0xff, 0xff, 0xfd);
    EXTERNAL(MPI_UNSIGNED_LONG, unsigned long, 0xfedcba98, 0xfe, 0xdc, 0xba, 0x98);
    EXTERNAL(MPI_LONG_LONG_INT, long long, 0x0123456789abcdef, 1, 0x23, 0x45, 0x67, 0x89, 0xab,
             0xcd, 0xef);
    EXTERNAL(MPI_LONG_LONG, long long, -2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe);
    EXTERNAL(MPI_UNSIGNED_LONG_LONG, unsigned long long, 0xf123456789abcdef, 0xf1, 0x23, 0x45, 0x67,
             0x89, 0xab, 0xcd, 0xef);
    EXTERNAL(MPI_C_BOOL, _Bool, 1, 1);
}

static void integers_of_one_size(void)
{
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
}

/* binary128 in memory is that of the file, the other way round. */
static void reals(void)
{
    EXTERNAL(MPI_FLOAT, float, 1.5f, 0x3f, 0xc0, 0, 0);
    EXTERNAL(MPI_DOUBLE, double, -2.25, 0xc0, 2, 0, 0, 0, 0, 0, 0);
    if (sizeof(long double) == 16 && __LDBL_MANT_DIG__ == 64) /* 10 bytes, and 6 of padding */
        external("MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, (long double[]) { -1.5L - 0x1p-63L }, 10,
                 (unsigned char[16]) { 0xbf, 0xff, 0x80, [9] = 2 }, 16);
    else
        external("MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, (long double[]) { -1.5L }, sizeof(long double),
                 (unsigned char[16]) { 0xbf, 0xff, 0x80 }, 16);
    EXTERNAL(MPI_REAL, float, -0.0f, 0x80, 0, 0, 0);
    EXTERNAL(MPI_DOUBLE_PRECISION, double, 1.0, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0);
    EXTERNAL(MPI_REAL4, float, 1.5f, 0x3f, 0xc0, 0, 0);
    EXTERNAL(MPI_REAL8, double, -2.25, 0xc0, 2, 0, 0, 0, 0, 0, 0);
    if (MPI_REAL16 != MPI_DATATYPE_NULL)
        external("MPI_REAL16", MPI_REAL16, (unsigned char[16]) { 7, [13] = 0x80, 0xff, 0x3f }, 16,
                 (unsigned char[16]) { 0x3f, 0xff, 0x80, [15] = 7 }, 16);
}

static void complex_ones(void)
{
    EXTERNAL(MPI_C_COMPLEX, float _Complex, 1.5f - 2.0f * I, 0x3f, 0xc0, 0, 0, 0xc0, 0, 0, 0);
    EXTERNAL(MPI_C_FLOAT_COMPLEX, float _Complex, 0.0f + 1.0f * I, 0, 0, 0, 0, 0x3f, 0x80, 0, 0);
    EXTERNAL(MPI_C_DOUBLE_COMPLEX, double _Complex, 1.0 - 2.25 * I, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0,
             0xc0, 2, 0, 0, 0, 0, 0, 0);
    EXTERNAL(MPI_COMPLEX, float _Complex, 1.5f - 2.0f * I, 0x3f, 0xc0, 0, 0, 0xc0, 0, 0, 0);
    EXTERNAL(MPI_DOUBLE_COMPLEX, double _Complex, 1.0 - 2.25 * I, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0,
             0xc0, 2, 0, 0, 0, 0, 0, 0);
    EXTERNAL(MPI_COMPLEX8, float _Complex, 1.5f - 2.0f * I, 0x3f, 0xc0, 0, 0, 0xc0, 0, 0, 0);
    EXTERNAL(MPI_COMPLEX16, double _Complex, 1.0 - 2.25 * I, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0xc0, 2,
             0, 0, 0, 0, 0, 0);
    EXTERNAL(MPI_CXX_FLOAT_COMPLEX, float _Complex, 0.0f + 1.0f * I, 0, 0, 0, 0, 0x3f, 0x80, 0, 0);
    EXTERNAL(MPI_CXX_DOUBLE_COMPLEX, double _Complex, 0.0 + 1.0 * I, 0, 0, 0, 0, 0, 0, 0, 0, 0x3f,
             0xf0, 0, 0, 0, 0, 0, 0);
}

/* Two of 16 bytes each. In memory only 10 of each 16 count. */
static void long_complex_ones(void)
{
    const unsigned char want[32] = { 0x3f, 0xff, 0x80, [16] = 0xc0 };
    const MPI_Datatype types[] = { MPI_C_LONG_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX };
    long double _Complex z = 1.5L - 2.0L * I, back;

    for (int i = 0; i < 2; i++) {
        external("long double _Complex", types[i], &z, 10, want, 32);
        back = 0;
        OK(MPI_File_read_at(file, rank, &back, 1, types[i], MPI_STATUS_IGNORE));
        CHECK(back == z);
    }
    if (MPI_COMPLEX32 != MPI_DATATYPE_NULL)
        external("MPI_COMPLEX32", MPI_COMPLEX32,
                 (unsigned char[32]) { 7, [13] = 0x80, 0xff, 0x3f, [31] = 0xc0 }, 32,
                 (unsigned char[32]) { 0x3f, 0xff, 0x80, [15] = 7, 0xc0 }, 32);
}

static void other_types(void)
{
    EXTERNAL(MPI_CHARACTER, char, 'f', 'f');
    EXTERNAL(MPI_LOGICAL, int, 1, 0, 0, 0, 1);
    EXTERNAL(MPI_INTEGER, int, 0x01020304, 1, 2, 3, 4);
    EXTERNAL(MPI_INTEGER1, signed char, -3, 0xfd);
    EXTERNAL(MPI_INTEGER2, short, 0x0102, 1, 2);
    EXTERNAL(MPI_INTEGER4, int, -4, 0xff, 0xff, 0xff, 0xfc);
    EXTERNAL(MPI_INTEGER8, long, -2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe);
    if (MPI_INTEGER16 != MPI_DATATYPE_NULL)
        EXTERNAL(MPI_INTEGER16, __int128, -((__int128) 2 << 64), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                 0xff, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0);
    EXTERNAL(MPI_CXX_BOOL, _Bool, 1, 1);
}

/* The types of precision and range are those of the same size (§17.1.9). */
static void parametrized(void)
{
    MPI_Datatype type;

    MPI_Type_create_f90_integer(5, &type);
    external("f90_integer(5)", type, (int[]) { -4 }, 4, (unsigned char[]) { 255, 255, 255, 252 },
             4);
    MPI_Type_create_f90_real(15, MPI_UNDEFINED, &type);
    external("f90_real(15)", type, (double[]) { -2.25 }, 8, (unsigned char[8]) { 0xc0, 2 }, 8);
    MPI_Type_create_f90_complex(6, 30, &type);
    external("f90_complex(6, 30)", type, (float[]) { 1.5f, -2.0f }, 8,
             (unsigned char[8]) { 0x3f, 0xc0, [4] = 0xc0 }, 8);
}

/* A value and an index, without a gap between or behind them. */
static void pairs(void)
{
    const struct {
        double v;
        int i;
    } d = { -2.25, 5 };
    const struct {
        short v;
        int i;
    } s = { -2, 5 };

    external("MPI_DOUBLE_INT", MPI_DOUBLE_INT, &d, 12, (unsigned char[12]) { 0xc0, 2, [11] = 5 },
             12);
    external("MPI_SHORT_INT", MPI_SHORT_INT, &s, 2, (unsigned char[]) { 0xff, 0xfe, 0, 0, 0, 5 },
             6);
    external("MPI_2INT", MPI_2INT, (int[]) { 7, 5 }, 8,
             (unsigned char[]) { 0, 0, 0, 7, 0, 0, 0, 5 }, 8);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    file = io_open(0);
    integers_of_c();
    integers_of_one_size();
    reals();
    complex_ones();
    long_complex_ones();
    other_types();
    parametrized();
    pairs();
    io_close(&file);
    io_end();
    return 0;
}
