/* external_more.c — D11: external32 of types that have another size there, of complex types, of
 * pairs and structs; other data representations are errors.
 *
 * MPICH 4.0 fails: it does not convert sizes, crashes with structs and takes any name. */
#include <complex.h>
#include <wchar.h>
#include "../env/starling.h"
#include "external.h"

/* A long is 4 bytes, a wchar_t 2; signs are extended on the way back. */
static void other_sizes(void)
{
    EXTERNAL(MPI_LONG, long, -2, 0xff, 0xff, 0xff, 0xfe);
    EXTERNAL(MPI_LONG, long, 0x12345678, 0x12, 0x34, 0x56, 0x78);
    EXTERNAL(MPI_LONG, long, -0x80000000L, 0x80, 0, 0, 0);
    EXTERNAL(MPI_UNSIGNED_LONG, unsigned long, 0xfedcba98, 0xfe, 0xdc, 0xba, 0x98);
    EXTERNAL(MPI_WCHAR, wchar_t, 0x20ac, 0x20, 0xac);
    EXTERNAL(MPI_CXX_BOOL, _Bool, 1, 1);
}

/* The 10 bytes of a value on x86 are 16 with 112 bits of fraction: the first bit is not stored. */
static void long_doubles(void)
{
    const struct {
        long double value;
        unsigned char bytes[16];
    } known[] = {
        { 1.0L, { 0x3f, 0xff } },
        { 1.5L, { 0x3f, 0xff, 0x80 } },
        { -2.0L, { 0xc0 } },
        { 0.0L, { 0 } },
        { -0.0L, { 0x80 } },
        { 1.0L + 0x1p-63L, { 0x3f, 0xff, 0, 0, 0, 0, 0, 0, 0, 2 } },
        { 0x1.8p16383L, { 0x7f, 0xfe, 0x80 } },
        { 0x1p-16382L, { 0, 1 } },
        { 0x1p-16383L, { 0, 0, 0x80 } }, /* denormalized */
        { __builtin_infl(), { 0x7f, 0xff } },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        external_check("MPI_LONG_DOUBLE", MPI_LONG_DOUBLE, 1, &known[i].value, 10, known[i].bytes,
                       16);
    MPI_Aint at = 0;
    char packed[16];
    long double nan = __builtin_nanl("");
    MPI_Pack_external("external32", &nan, 1, MPI_LONG_DOUBLE, packed, 16, &at);
    nan = at = 0;
    MPI_Unpack_external("external32", packed, 16, &at, &nan, 1, MPI_LONG_DOUBLE);
    CHECK(nan != nan);
}

/* A pair of floating point values, each with its sign at its most significant bit. */
static void complex_types(void)
{
    EXTERNAL(MPI_C_FLOAT_COMPLEX, float _Complex, 1.5f - 2.0f * I, 0x3f, 0xc0, 0, 0, 0xc0, 0, 0, 0);
    EXTERNAL(MPI_C_DOUBLE_COMPLEX, double _Complex, 1.0 - 2.25 * I, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0,
             0xc0, 2, 0, 0, 0, 0, 0, 0);
    EXTERNAL(MPI_COMPLEX, float _Complex, 1.5f - 2.0f * I, 0x3f, 0xc0, 0, 0, 0xc0, 0, 0, 0);
    EXTERNAL(MPI_DOUBLE_COMPLEX, double _Complex, 1.0 - 2.25 * I, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0,
             0xc0, 2, 0, 0, 0, 0, 0, 0);
    EXTERNAL(MPI_CXX_FLOAT_COMPLEX, float _Complex, 0.0f + 1.0f * I, 0, 0, 0, 0, 0x3f, 0x80, 0, 0);
    EXTERNAL(MPI_CXX_DOUBLE_COMPLEX, double _Complex, 0.0 + 1.0 * I, 0, 0, 0, 0, 0, 0, 0, 0, 0x3f,
             0xf0, 0, 0, 0, 0, 0, 0);
    MPI_Aint room = -1, at = 0;
    long double _Complex z = 1.5L - 2.0L * I, back = 0;
    unsigned char packed[32], expected[32] = { 0x3f, 0xff, 0x80, [16] = 0xc0 };
    MPI_Pack_external_size("external32", 1, MPI_C_LONG_DOUBLE_COMPLEX, &room);
    CHECK_INT(room, 32);
    MPI_Pack_external("external32", &z, 1, MPI_C_LONG_DOUBLE_COMPLEX, packed, 32, &at);
    CHECK(memcmp(packed, expected, 32) == 0);
    at = 0;
    MPI_Unpack_external("external32", packed, 32, &at, &back, 1, MPI_C_LONG_DOUBLE_COMPLEX);
    CHECK(back == z);
}

static void optional_types(void)
{
    EXTERNAL(MPI_INTEGER1, signed char, -3, 0xfd);
    EXTERNAL(MPI_INTEGER2, short, 0x0102, 1, 2);
    EXTERNAL(MPI_INTEGER4, int, 0x01020304, 1, 2, 3, 4);
    EXTERNAL(MPI_INTEGER8, long, -2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe);
    if (MPI_INTEGER16 != MPI_DATATYPE_NULL)
        EXTERNAL(MPI_INTEGER16, __int128, -((__int128) 2 << 64), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                 0xff, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0);
    EXTERNAL(MPI_REAL4, float, 1.5f, 0x3f, 0xc0, 0, 0);
    EXTERNAL(MPI_REAL8, double, -2.25, 0xc0, 2, 0, 0, 0, 0, 0, 0);
    EXTERNAL(MPI_COMPLEX8, float _Complex, 1.5f - 2.0f * I, 0x3f, 0xc0, 0, 0, 0xc0, 0, 0, 0);
    EXTERNAL(MPI_COMPLEX16, double _Complex, 1.0 - 2.25 * I, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0xc0, 2,
             0, 0, 0, 0, 0, 0);
}

#define PAIR(type, value, ...)                                                                     \
    do {                                                                                           \
        const struct {                                                                             \
            __typeof__(value) v;                                                                   \
            int i;                                                                                 \
        } out = { value, 5 };                                                                      \
        __typeof__(out) *back = mpitest_memory(sizeof out);                                        \
        const unsigned char expected[] = { __VA_ARGS__, 0, 0, 0, 5 };                              \
        unsigned char packed[64];                                                                  \
        MPI_Aint room = -1, at = 0;                                                                \
        MPI_Pack_external_size("external32", 1, type, &room);                                      \
        CHECK_INT(room, sizeof expected);                                                          \
        MPI_Pack_external("external32", &out, 1, type, packed, sizeof packed, &at);                \
        CHECK_INT(at, sizeof expected);                                                            \
        CHECK(memcmp(packed, expected, sizeof expected) == 0);                                     \
        at = 0;                                                                                    \
        MPI_Unpack_external("external32", packed, sizeof packed, &at, (void *) back, 1, type);     \
        CHECK(back->v == out.v && back->i == 5);                                                   \
        free((void *) back);                                                                       \
    } while (0)

static void pairs(void)
{
    PAIR(MPI_SHORT_INT, (short) -2, 0xff, 0xfe);
    PAIR(MPI_2INT, 7, 0, 0, 0, 7);
    PAIR(MPI_FLOAT_INT, 1.5f, 0x3f, 0xc0, 0, 0);
    PAIR(MPI_DOUBLE_INT, -2.25, 0xc0, 2, 0, 0, 0, 0, 0, 0);
    PAIR(MPI_LONG_INT, -2L, 0xff, 0xff, 0xff, 0xfe);
    PAIR(MPI_LONG_DOUBLE_INT, 1.5L, 0x3f, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* A struct whose long members become half as long. */
static void shrinking(void)
{
    const long out[] = { -1, 99, 2, 99, -3, 99 };
    const unsigned char expected[] = { 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xfd };
    long in[] = { 0, 1, 0, 1, 0, 1 };
    unsigned char packed[12];
    MPI_Aint room = -1, at = 0;
    MPI_Datatype type;

    MPI_Type_vector(3, 1, 2, MPI_LONG, &type);
    MPI_Type_commit(&type);
    MPI_Pack_external_size("external32", 1, type, &room);
    CHECK_INT(room, 12);
    MPI_Pack_external("external32", out, 1, type, packed, 12, &at);
    CHECK_INT(at, 12);
    CHECK(memcmp(packed, expected, 12) == 0);
    at = 0;
    MPI_Unpack_external("external32", packed, 12, &at, in, 1, type);
    for (int i = 0; i < 6; i++)
        CHECK_INT(in[i], i % 2 ? 1 : out[i]);
    MPI_Type_free(&type);
}

/* Elements follow each other without gaps, whatever the layout in memory. */
static void derived(void)
{
    struct {
        char c;
        int i[2];
        double d;
        short s;
    } v[2] = { { 'a', { 1, 2 }, 1.0, 3 }, { 'b', { -1, 0x100 }, -1.0, 0x7fff } }, back[2];
    const unsigned char expected[] = { 'a',  0,    0,    0,    1, 0, 0,    0,   2,    0x3f,
                                       0xf0, 0,    0,    0,    0, 0, 0,    0,   3,    'b',
                                       0xff, 0xff, 0xff, 0xff, 0, 0, 1,    0,   0xbf, 0xf0,
                                       0,    0,    0,    0,    0, 0, 0x7f, 0xff };
    MPI_Aint at = 0, room = -1, base = (MPI_Aint) &v[0];
    MPI_Datatype plain, type;
    unsigned char packed[64];

    MPI_Type_create_struct(4, (int[]) { 1, 2, 1, 1 },
                           (MPI_Aint[]) { 0, (MPI_Aint) v[0].i - base, (MPI_Aint) &v[0].d - base,
                                          (MPI_Aint) &v[0].s - base },
                           (MPI_Datatype[]) { MPI_CHAR, MPI_INT, MPI_DOUBLE, MPI_SHORT }, &plain);
    MPI_Type_create_resized(plain, 0, sizeof v[0], &type);
    MPI_Type_commit(&type);
    MPI_Pack_external_size("external32", 2, type, &room);
    CHECK_INT(room, sizeof expected);
    for (int i = 0; i < 2; i++) /* at moving positions */
        MPI_Pack_external("external32", &v[i], 1, type, packed, sizeof packed, &at);
    CHECK_INT(at, sizeof expected);
    CHECK(memcmp(packed, expected, sizeof expected) == 0);
    memcpy(back, v, sizeof back);
    memset(back, 0, sizeof back);
    at = 0;
    MPI_Unpack_external("external32", packed, sizeof packed, &at, back, 2, type);
    CHECK_INT(at, sizeof expected);
    for (int i = 0; i < 2; i++)
        CHECK(back[i].c == v[i].c && back[i].i[0] == v[i].i[0] && back[i].i[1] == v[i].i[1]
              && back[i].d == v[i].d && back[i].s == v[i].s);
    MPI_Type_free(&plain);
    MPI_Type_free(&type);
}

/* The buffer may not be too small either. */
static void errors(void)
{
    MPI_Aint at = 0, room = -1;
    int value = 3;
    char packed[32];

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Pack_external("native", &value, 1, MPI_INT, packed, 32, &at) != MPI_SUCCESS);
    CHECK(MPI_Pack_external("external", &value, 1, MPI_INT, packed, 32, &at) != MPI_SUCCESS);
    CHECK(MPI_Unpack_external("", packed, 32, &at, &value, 1, MPI_INT) != MPI_SUCCESS);
    CHECK(MPI_Pack_external_size("internal", 1, MPI_INT, &room) != MPI_SUCCESS);
    CHECK_INT(error_class(MPI_Pack_external("external32", &value, 1, MPI_INT, packed, 3, &at)),
              MPI_ERR_TRUNCATE);
    CHECK_INT(error_class(MPI_Unpack_external("external32", packed, 3, &at, &value, 1, MPI_INT)),
              MPI_ERR_TRUNCATE);
    CHECK_INT(at, 0);
    CHECK_INT(room, -1);
    CHECK_INT(value, 3);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    other_sizes();
    long_doubles();
    complex_types();
    optional_types();
    pairs();
    shrinking();
    derived();
    errors();
    MPI_Finalize();
    return 0;
}
