/* f80.c — long doubles in external32: exact, but for what 80 bits have no room for (D11). */
#include <float.h>
#include <math.h>
#include <string.h>
#include "adi3/datatype/datatype_impl.h"
#include "unit.h"

/* The number that 16 bytes say; what has no more than 64 digits is exact. */
static long double value_of(const unsigned char *b)
{
    int exponent = (b[0] & 0x7f) << 8 | b[1];
    long double fraction = 0;

    for (int i = 15; i > 1; i--)
        fraction = (fraction + b[i]) / 256;
    if (exponent)
        fraction += 1;
    fraction = ldexpl(fraction, (exponent ? exponent : 1) - 16383);
    return b[0] & 0x80 ? -fraction : fraction;
}

static void back_again(long double x)
{
    struct adi3_type *t = adi3_type_builtin(MPI_LONG_DOUBLE);
    unsigned char bytes[16];
    long double y;

    (void) adi3_pack_external(&(struct adi3_data) { &x, 1, t }, 0, bytes, SIZE_MAX);
    if (isfinite(x))
        assert_true(value_of(bytes) == x);
    (void) adi3_unpack_external(&(struct adi3_data) { &y, 1, t }, 0, bytes, SIZE_MAX);
    assert_true(memcmp(&x, &y, LDBL_MANT_DIG == 64 ? 10 : sizeof x) == 0);
}

static void long_doubles_are_exact(void **state)
{
    const long double some[] = { 0.0L,
                                 -0.0L,
                                 1,
                                 -1.0L / 3,
                                 LDBL_MAX,
                                 -LDBL_MAX,
                                 LDBL_MIN,
                                 LDBL_MIN - LDBL_TRUE_MIN,
                                 LDBL_TRUE_MIN,
                                 -LDBL_TRUE_MIN,
                                 LDBL_MIN / 3,
                                 1 + LDBL_EPSILON,
                                 INFINITY,
                                 -INFINITY,
                                 NAN };

    (void) state;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        back_again(some[i]);
    for (int i = 0; i < 20000; i++) {
        long double x = 0;
        for (int k = 0; k < 4; k++)
            x = (x + unit_random(1 << 16)) / 65536;
        back_again(ldexpl(unit_random(2) ? x : -x, (int) unit_random(32800) - 16420));
    }
}

/* 80 bits as memory has them, and 128. */
struct same {
    uint64_t mantissa;
    uint16_t top;
    const char *bytes;
};

#define Z6 "\0\0\0\0\0\0"

static void check_f80(const struct same *s, bool there, bool back)
{
    char native[16] = { 0 }, bytes[16];

    memcpy(native, &s->mantissa, 8);
    memcpy(native + 8, &s->top, 2);
    if (there) {
        f80_to_f128(bytes, native);
        assert_memory_equal(bytes, s->bytes, 16);
    }
    if (back) {
        char read[16];
        f80_from_f128(read, s->bytes);
        assert_memory_equal(read, native, 16);
    }
}

static void special_numbers(void **state)
{
    const struct same both[] = {
        { 0, 0, "\0\0" Z6 "\0\0" Z6 },
        { 0, 0x8000, "\x80\0" Z6 "\0\0" Z6 },
        { 1ull << 63, 0x7fff, "\x7f\xff" Z6 "\0\0" Z6 },                    /* infinity */
        { 1ull << 63, 0xffff, "\xff\xff" Z6 "\0\0" Z6 },                    /* - infinity */
        { 3ull << 62, 0x7fff, "\x7f\xff\x80\0\0\0\0\0\0\0" Z6 },            /* not a number */
        { 3ull << 62 | 1, 0xffff, "\xff\xff\x80\0\0\0\0\0\0\2\0\0\0\0\0" }, /* another */
        { 1, 0, "\0\0\0\0\0\0\0\0\0\2\0\0\0\0\0" },                         /* the least */
        { 1ull << 62, 0, "\0\0\x80\0\0\0\0\0\0\0" Z6 },
        { 1ull << 63, 1, "\0\1" Z6 "\0\0" Z6 }, /* the least that is no denormal */
        { ~0ull, 0x7ffe, "\x7f\xfe\xff\xff\xff\xff\xff\xff\xff\xfe\0\0\0\0\0" },
    };
    const struct same there[] = {
        { 1ull << 63 | 5, 0, "\0\1\0\0\0\0\0\0\0\xa\0\0\0\0\0" }, /* as with exponent 1 */
        { 5, 0x3fff, "\x7f\xff\x80\0\0\0\0\0\0\0" Z6 },           /* these are no numbers */
        { 0, 0x7fff, "\x7f\xff\x80\0\0\0\0\0\0\0" Z6 },
        { 1, 0xffff, "\xff\xff\x80\0\0\0\0\0\0\0" Z6 },
    };

    (void) state;
    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        check_f80(&both[i], true, true);
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        check_f80(&there[i], true, false);
}

/* Digits that 80 bits have no room for are rounded, a half to the even number. */
static void rounding(void **state)
{
    const struct same back[] = {
        { 1ull << 63, 0x3fff, "\x3f\xff\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff" },
        { 1ull << 63, 0x3fff, "\x3f\xff\0\0\0\0\0\0\0\1\0\0\0\0\0\0" },
        { 1ull << 63 | 1, 0x3fff, "\x3f\xff\0\0\0\0\0\0\0\1\0\0\0\0\0\1" },
        { 1ull << 63 | 1, 0x3fff, "\x3f\xff\0\0\0\0\0\0\0\2\xff\xff\xff\xff\xff\xff" },
        { 1ull << 63 | 2, 0x3fff, "\x3f\xff\0\0\0\0\0\0\0\3\0\0\0\0\0\0" },
        { 1ull << 63, 0x4000, "\x3f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" },
        { 1ull << 63, 0x7fff, "\x7f\xfe\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" },
        { 1ull << 63, 1, "\0\0\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0" },
        { 0, 0, "\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0" },
        { 1, 0x8000, "\x80\0\0\0\0\0\0\0\0\1\0\0\0\0\0\1" },
        { 3ull << 62, 0x7fff, "\x7f\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\1" }, /* remains no number */
    };

    (void) state;
    for (size_t i = 0; i < sizeof back / sizeof *back; i++)
        check_f80(&back[i], false, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_doubles_are_exact),
        cmocka_unit_test(special_numbers),
        cmocka_unit_test(rounding),
    };

    return UNIT_RUN(tests);
}
