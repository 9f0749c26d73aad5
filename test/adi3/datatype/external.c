/* external.c — external32: every predefined type against literal bytes, derived types against a
 * plain list of their elements (D11). */
#include <complex.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include "adi3/datatype/datatype_impl.h"
#include "unit.h"

static struct adi3_type *type(MPI_Datatype h)
{
    struct adi3_type *t = adi3_type_builtin(h);

    return t ? t : adi3_get(&adi3_types, h);
}

static void pack(MPI_Datatype h, const void *native, void *bytes)
{
    (void) adi3_pack_external(&(struct adi3_data) { (void *) (uintptr_t) native, 1, type(h) }, 0,
                              bytes, SIZE_MAX);
}

static void unpack(MPI_Datatype h, const void *bytes, void *native)
{
    (void) adi3_unpack_external(&(struct adi3_data) { native, 1, type(h) }, 0, bytes, SIZE_MAX);
}

/* ---- predefined types ------------------------------------------------------------------------ */

#define ROW(h, ctype, len, text, ...)                                                              \
    {                                                                                              \
        h, &(ctype) { __VA_ARGS__ }, sizeof(ctype), len, text, #h                                  \
    }

static const struct {
    MPI_Datatype handle;
    const void *native;
    size_t native_len, len; /* len is that of table 13.2 */
    const char *bytes, *name;
} rows[] = {
    ROW(MPI_CHAR, char, 1, "\xe4", (char) 0xe4),
    ROW(MPI_SIGNED_CHAR, signed char, 1, "\xff", -1),
    ROW(MPI_UNSIGNED_CHAR, unsigned char, 1, "\xfe", 254),
    ROW(MPI_BYTE, char, 1, "\x07", 7),
    ROW(MPI_PACKED, char, 1, "\x80", (char) 0x80),
    ROW(MPI_CHARACTER, char, 1, "A", 'A'),
    ROW(MPI_WCHAR, wchar_t, 2, "\xff\x01", 0xff01),
    ROW(MPI_C_BOOL, _Bool, 1, "\1", true),
    ROW(MPI_CXX_BOOL, _Bool, 1, "\0", false),
    ROW(MPI_SHORT, short, 2, "\xff\xfe", -2),
    ROW(MPI_UNSIGNED_SHORT, unsigned short, 2, "\xab\xcd", 0xabcd),
    ROW(MPI_INT, int, 4, "\xff\xff\xff\x01", -255),
    ROW(MPI_UNSIGNED, unsigned, 4, "\x89\xab\xcd\xef", 0x89abcdef),
    ROW(MPI_LONG, long, 4, "\x80\0\0\0", INT_MIN),
    ROW(MPI_UNSIGNED_LONG, unsigned long, 4, "\xff\xff\xff\xff", UINT_MAX),
    ROW(MPI_LONG_LONG, long long, 8, "\x80\0\0\0\0\0\0\1", LLONG_MIN + 1),
    ROW(MPI_UNSIGNED_LONG_LONG, unsigned long long, 8, "\x89\0\0\0\0\0\0\7", 0x8900000000000007),
    ROW(MPI_INT8_T, int8_t, 1, "\x80", INT8_MIN),
    ROW(MPI_INT16_T, int16_t, 2, "\x12\x34", 0x1234),
    ROW(MPI_INT32_T, int32_t, 4, "\x12\x34\x56\x78", 0x12345678),
    ROW(MPI_INT64_T, int64_t, 8, "\x12\x34\x56\x78\x9a\xbc\xde\xf0", 0x123456789abcdef0),
    ROW(MPI_UINT8_T, uint8_t, 1, "\xff", 255),
    ROW(MPI_UINT16_T, uint16_t, 2, "\x12\x34", 0x1234),
    ROW(MPI_UINT32_T, uint32_t, 4, "\x12\x34\x56\x78", 0x12345678),
    ROW(MPI_UINT64_T, uint64_t, 8, "\x12\x34\x56\x78\x9a\xbc\xde\xf0", 0x123456789abcdef0),
    ROW(MPI_AINT, MPI_Aint, 8, "\xff\xff\xff\xff\xff\xff\xff\xfe", -2),
    ROW(MPI_OFFSET, MPI_Offset, 8, "\0\0\1\0\0\0\0\0", (MPI_Offset) 1 << 40),
    ROW(MPI_COUNT, MPI_Count, 8, "\0\0\0\0\0\0\0\x63", 99),
    ROW(MPI_FLOAT, float, 4, "\x3f\x80\0\0", 1),
    ROW(MPI_DOUBLE, double, 8, "\xc0\x08\0\0\0\0\0\0", -3),
    ROW(MPI_LONG_DOUBLE, long double, 16, "\x3f\xff\x80\0\0\0\0\0\0\0\0\0\0\0\0", 1.5),
    ROW(MPI_C_COMPLEX, float complex, 8, "\x3f\x80\0\0\xc0\0\0\0", 1 - 2 * I),
    ROW(MPI_C_DOUBLE_COMPLEX, double complex, 16, "\x3f\xf0\0\0\0\0\0\0\xc0\0\0\0\0\0\0",
        1 - 2 * I),
    ROW(MPI_C_LONG_DOUBLE_COMPLEX, long double complex, 32,
        "\x3f\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 1 - 2 * I),
    ROW(MPI_CXX_FLOAT_COMPLEX, float complex, 8, "\x3f\x80\0\0\xc0\0\0\0", 1 - 2 * I),
    ROW(MPI_CXX_DOUBLE_COMPLEX, double complex, 16, "\x3f\xf0\0\0\0\0\0\0\xc0\0\0\0\0\0\0",
        1 - 2 * I),
    ROW(MPI_CXX_LONG_DOUBLE_COMPLEX, long double complex, 32,
        "\x3f\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 1 - 2 * I),
    ROW(MPI_INTEGER, int32_t, 4, "\xff\xff\xff\xfe", -2),
    ROW(MPI_INTEGER1, int8_t, 1, "\xfe", -2),
    ROW(MPI_INTEGER2, int16_t, 2, "\xff\xfe", -2),
    ROW(MPI_INTEGER4, int32_t, 4, "\xff\xff\xff\xfe", -2),
    ROW(MPI_INTEGER8, int64_t, 8, "\xff\xff\xff\xff\xff\xff\xff\xfe", -2),
    ROW(MPI_INTEGER16, __int128, 16, "\xff\xff\xff\xff\xff\xff\xff\xfe\0\0\0\0\0\0\0\0",
        -((__int128) 2 << 64)),
    ROW(MPI_LOGICAL, int32_t, 4, "\0\0\0\1", 1),
    ROW(MPI_REAL, float, 4, "\x3f\x80\0\0", 1),
    ROW(MPI_REAL4, float, 4, "\x3f\x80\0\0", 1),
    ROW(MPI_REAL8, double, 8, "\x3f\xf0\0\0\0\0\0\0", 1),
    ROW(MPI_DOUBLE_PRECISION, double, 8, "\x3f\xf0\0\0\0\0\0\0", 1),
    ROW(MPI_REAL16, uint64_t[2], 16, "\1\2\3\4\5\6\7\x8\x9\xa\xb\xc\xd\xe\xf\x10",
        0x090a0b0c0d0e0f10, 0x0102030405060708),
    ROW(MPI_COMPLEX, float complex, 8, "\x3f\x80\0\0\xc0\0\0\0", 1 - 2 * I),
    ROW(MPI_COMPLEX8, float complex, 8, "\x3f\x80\0\0\xc0\0\0\0", 1 - 2 * I),
    ROW(MPI_DOUBLE_COMPLEX, double complex, 16, "\x3f\xf0\0\0\0\0\0\0\xc0\0\0\0\0\0\0", 1 - 2 * I),
    ROW(MPI_COMPLEX16, double complex, 16, "\x3f\xf0\0\0\0\0\0\0\xc0\0\0\0\0\0\0", 1 - 2 * I),
    ROW(MPI_COMPLEX32, uint64_t[4], 32,
        "\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0\3", 1, 2, 3, 4),
    ROW(MPI_2INT, struct pair_2int, 8, "\0\0\0\1\xff\xff\xff\xfe", 1, -2),
    ROW(MPI_2INTEGER, struct pair_2int, 8, "\0\0\0\1\xff\xff\xff\xfe", 1, -2),
    ROW(MPI_2REAL, struct pair_2real, 8, "\x3f\x80\0\0\xc0\0\0\0", 1, -2),
    ROW(MPI_2DOUBLE_PRECISION, struct pair_2double, 16, "\x3f\xf0\0\0\0\0\0\0\xc0\0\0\0\0\0\0", 1,
        -2),
    ROW(MPI_FLOAT_INT, struct pair_float_int, 8, "\x3f\x80\0\0\0\0\0\7", 1, 7),
    ROW(MPI_DOUBLE_INT, struct pair_double_int, 12, "\x3f\xf0\0\0\0\0\0\0\0\0\0\7", 1, 7),
    ROW(MPI_LONG_INT, struct pair_long_int, 8, "\xff\xff\xff\xfe\0\0\0\7", -2, 7),
    ROW(MPI_SHORT_INT, struct pair_short_int, 6, "\xff\xfe\0\0\0\7", -2, 7),
    ROW(MPI_LONG_DOUBLE_INT, struct pair_long_double_int, 20,
        "\x3f\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\7", 1, 7),
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Bytes without meaning, in long doubles and between a pair's two, are not compared. */
static void literal_bytes(void **state)
{
    (void) state;
    for (int i = 0; i < ROWS; i++) {
        char bytes[40], native[64], again[40];
        if (!type(rows[i].handle))
            fail_msg("%s is missing", rows[i].name);
        assert_int_equal(adi3_external_size(type(rows[i].handle)), rows[i].len);
        memset(bytes, '#', sizeof bytes);
        pack(rows[i].handle, rows[i].native, bytes);
        if (memcmp(bytes, rows[i].bytes, rows[i].len))
            fail_msg("%s", rows[i].name);
        assert_int_equal(bytes[rows[i].len], '#');
        memset(native, '#', sizeof native);
        unpack(rows[i].handle, bytes, native);
        if (rows[i].len % 16 && rows[i].len % 20 && type(rows[i].handle)->contig)
            assert_memory_equal(native, rows[i].native, rows[i].native_len);
        assert_int_equal(native[rows[i].native_len], '#');
        pack(rows[i].handle, native, again);
        assert_memory_equal(again, bytes, rows[i].len);
    }
}

static void none_is_left_out(void **state)
{
    (void) state;
    for (int i = 0; i < 256; i++) {
        bool found = adi3_builtin[i].size == 0;
        for (int k = 0; k < ROWS; k++)
            found |= rows[k].handle == adi3_builtin[i].handle;
        if (!found)
            fail_msg("%s is not tested", adi3_builtin[i].name);
    }
}

/* Of integers that do not fit the least significant bytes are left; characters are no numbers. */
static void what_does_not_fit(void **state)
{
    char bytes[8];
    long x;
    unsigned long u;
    wchar_t w;

    (void) state;
    pack(MPI_LONG, &(long) { 0x1234567880000001 }, bytes);
    assert_memory_equal(bytes, "\x80\0\0\1", 4);
    unpack(MPI_LONG, bytes, &x);
    assert_true(x == (int32_t) 0x80000001);
    unpack(MPI_UNSIGNED_LONG, bytes, &u);
    assert_true(u == 0x80000001);
    pack(MPI_WCHAR, &(wchar_t) { 0x1f600 }, bytes);
    unpack(MPI_WCHAR, bytes, &w);
    assert_int_equal(w, 0xf600);
}

/* All that is not 0 is true, and a _Bool that is true is 1. */
static void truth(void **state)
{
    unsigned char b;
    int32_t l;

    (void) state;
    for (int i = 0; i < 256; i++) {
        unpack(MPI_C_BOOL, &(char) { (char) i }, &b);
        assert_int_equal(b, i > 0);
        unpack(MPI_LOGICAL, (char[]) { (char) i, 0, 0, 0 }, &l);
        assert_true((l != 0) == (i > 0));
    }
}

/* ---- derived types --------------------------------------------------------------------------- */

enum { MOST = 4000, MEMORY = 1 << 18, BASE = MEMORY / 2, COUNT = 3 };

/* A type, and one by one the predefined elements it has. */
struct model {
    struct adi3_type *t;
    int n;
    struct {
        MPI_Aint at;
        int row;
    } e[MOST];
};

static char from[MEMORY], to[MEMORY], want[MEMORY];
static bool taken[MEMORY];
static char bytes[COUNT * MOST * 32 + 1], wanted[COUNT * MOST * 32];
static struct model model, parts[3];

static void basic(struct model *m)
{
    int row = (int) unit_random(ROWS);

    m->t = type(rows[row].handle);
    m->n = 1;
    m->e[0].at = 0;
    m->e[0].row = row;
}

static void append(struct model *m, const struct model *old, int count, MPI_Aint at)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < old->n; k++, m->n++) {
            m->e[m->n].at = at + i * old->t->extent + old->e[k].at;
            m->e[m->n].row = old->e[k].row;
        }
}

static void make(struct model *m, struct adi3_contents r)
{
    assert_int_equal(adi3_type_make(&r, &m->t), MPI_SUCCESS);
}

#define MAKE(m, c, ni, na, nt, ...)                                                                \
    make(m, (struct adi3_contents) { c, .nints = ni, .naddrs = na, .ntypes = nt, __VA_ARGS__ })

/* One of: contiguous, vector, blocks of several lengths, struct of three types, resized. */
static void wrap(struct model *m, struct model *old)
{
    int n = 1 + (int) unit_random(3), len = (int) unit_random(3), stride = (int) unit_random(9) - 4;
    struct adi3_type *types[] = { old[0].t, old[1].t, old[2].t };
    MPI_Aint at[] = { unit_random(300), -(MPI_Aint) unit_random(300), unit_random(500) };

    m->n = 0;
    switch (unit_random(5)) {
    case 0:
        MAKE(m, MPI_COMBINER_CONTIGUOUS, 1, 0, 1, .ints = &n, .types = types);
        append(m, old, n, 0);
        break;
    case 1:
        MAKE(m, MPI_COMBINER_VECTOR, 3, 0, 1, .ints = (int[]) { n, len, stride }, .types = types);
        for (int i = 0; i < n; i++)
            append(m, old, len, i * stride * types[0]->extent);
        break;
    case 2:
        MAKE(m, MPI_COMBINER_HINDEXED, 4, 3, 1, .ints = (int[]) { 3, n, len, 2 }, .addrs = at,
             .types = types);
        for (int i = 0; i < 3; i++)
            append(m, old, (int[]) { n, len, 2 }[i], at[i]);
        break;
    case 3:
        MAKE(m, MPI_COMBINER_STRUCT, 4, 3, 3, .ints = (int[]) { 3, n, len, 1 }, .addrs = at,
             .types = types);
        for (int i = 0; i < 3; i++)
            append(m, &old[i], (int[]) { n, len, 1 }[i], at[i]);
        break;
    default:
        MAKE(m, MPI_COMBINER_RESIZED, 0, 2, 1, .addrs = (MPI_Aint[]) { -8, 8 * stride },
             .types = types);
        append(m, old, 1, 0);
    }
}

static void random_type(struct model *m, int depth)
{
    basic(m);
    for (; depth > 0 && m->n < MOST / 20; depth--) {
        parts[0] = *m;
        basic(&parts[1]);
        basic(&parts[2]);
        wrap(m, parts);
        adi3_type_release(parts[0].t);
    }
}

/* Receiving where elements overlap is the user's error. */
static bool take(MPI_Aint at, size_t len)
{
    bool free = true;

    for (size_t i = 0; i < len; i++) {
        free &= !taken[at + (MPI_Aint) i];
        taken[at + (MPI_Aint) i] = true;
    }
    return free;
}

/* What each element is packed to alone; false when it is too far away for the test's memory. */
static bool one_by_one(const struct model *m, size_t *len, bool *apart)
{
    *len = 0;
    *apart = true;
    memset(taken, 0, sizeof taken);
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < m->n; k++) {
            MPI_Aint at = BASE + i * m->t->extent + m->e[k].at;
            if (at < 0 || at + 64 > MEMORY)
                return false;
            *apart &= take(at, rows[m->e[k].row].native_len);
            pack(rows[m->e[k].row].handle, from + at, wanted + *len);
            unpack(rows[m->e[k].row].handle, wanted + *len, want + at);
            *len += rows[m->e[k].row].len;
        }
    return true;
}

/* The same conversion by several calls, each with room for at least one element. */
static void check_ranges(const struct adi3_data *packed, const struct adi3_data *unpacked,
                         size_t len)
{
    for (size_t at = 0, done; at < len; at += done) {
        size_t room = 32 + unit_random(100);
        char piece[132];
        memset(piece, '#', sizeof piece);
        done = adi3_pack_external(packed, at, piece, room);
        assert_true(done > 0 && done <= room && at + done <= len);
        assert_true(done > room - 32 || at + done == len);
        assert_memory_equal(piece, wanted + at, done);
        assert_int_equal(piece[done], '#');
        assert_int_equal(adi3_unpack_external(unpacked, at, piece, room), done);
    }
    assert_int_equal(adi3_pack_external(packed, len, NULL, SIZE_MAX), 0);
}

static bool check_type(const struct model *m)
{
    size_t len;
    bool apart;

    memset(to, '#', sizeof to);
    memset(want, '#', sizeof want);
    if (!one_by_one(m, &len, &apart))
        return false;
    assert_int_equal(adi3_external_size(m->t) * COUNT, len);
    memset(bytes, '#', len + 1);
    (void) adi3_pack_external(&(struct adi3_data) { from + BASE, COUNT, m->t }, 0, bytes, SIZE_MAX);
    assert_memory_equal(bytes, wanted, len);
    assert_int_equal(bytes[len], '#');
    (void) adi3_unpack_external(&(struct adi3_data) { to + BASE, COUNT, m->t }, 0, bytes, SIZE_MAX);
    if (apart)
        assert_memory_equal(to, want, sizeof to);
    memset(to, '#', sizeof to);
    check_ranges(&(struct adi3_data) { from + BASE, COUNT, m->t },
                 &(struct adi3_data) { to + BASE, COUNT, m->t }, len);
    if (apart)
        assert_memory_equal(to, want, sizeof to);
    return apart;
}

static void against_a_list_of_elements(void **state)
{
    int whole = 0;

    (void) state;
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (char) unit_random(256);
    for (int i = 0; i < 1500; i++) {
        random_type(&model, (int) unit_random(5));
        whole += check_type(&model);
        adi3_type_release(model.t);
    }
    if (whole < 700)
        fail_msg("only %d types could be unpacked", whole);
}

/* Sizes are added up when a type is made: one of 2^60 elements is as quick as any. */
static void large(void **state)
{
    struct adi3_type *t = type(MPI_LONG_INT);

    (void) state;
    for (int i = 0; i < 28; i++) {
        struct adi3_type *types[] = { t, type(MPI_WCHAR), t };
        MAKE(&model, MPI_COMBINER_STRUCT, 4, 3, 3, .ints = (int[]) { 3, 1, 0, 1 },
             .addrs = (MPI_Aint[]) { 0, 0, t->extent }, .types = types);
        adi3_type_release(t);
        t = model.t;
    }
    assert_int_equal(adi3_external_size(t), 8l << 28);
    adi3_type_release(t);
}

static int start(void **state)
{
    (void) state;
    return adi3_type_init();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literal_bytes),
        cmocka_unit_test(none_is_left_out),
        cmocka_unit_test(what_does_not_fit),
        cmocka_unit_test(truth),
        cmocka_unit_test(against_a_list_of_elements),
        cmocka_unit_test(large),
    };

    return UNIT_RUN_BETWEEN(tests, start, NULL);
}
