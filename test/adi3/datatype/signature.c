/* signature.c — the number that stands for a type in the signature of a collective call: the same
 * for the same sequence of basic elements, however that is written. */
#include "adi3/adi3.h"
#include "adi3/datatype/datatype.h"
#include "unit.h"

enum { ROUNDS = 2000, MOST = 12, LIMIT = 32 };

static struct adi3_type *type(MPI_Datatype h)
{
    struct adi3_type *t = adi3_type_builtin(h);

    return t ? t : adi3_get(&adi3_types, h);
}

static unsigned number(MPI_Datatype h, size_t count) { return adi3_collchk_type(type(h), count); }

/* So many of each, one behind the other; takes over what is not predefined. */
static struct adi3_type *join(int n, struct adi3_type *const *types, const int *counts)
{
    int ints[1 + MOST] = { n };
    MPI_Aint addrs[MOST], at = 0;
    struct adi3_type *made;

    for (int i = 0; i < n; i++) {
        ints[1 + i] = counts[i];
        addrs[i] = at;
        at += counts[i] * types[i]->extent;
    }
    const struct adi3_contents r = { .combiner = MPI_COMBINER_STRUCT,
                                     .nints = 1 + n,
                                     .naddrs = n,
                                     .ntypes = n,
                                     .ints = ints,
                                     .addrs = addrs,
                                     .types = types };
    assert_int_equal(adi3_type_make(&r, &made), MPI_SUCCESS);
    for (int i = 0; i < n; i++)
        if (!types[i]->predefined)
            adi3_type_release(types[i]);
    return made;
}

static unsigned number_of(struct adi3_type *t, size_t count)
{
    unsigned n = adi3_collchk_type(t, count);

    adi3_type_release(t);
    return n;
}

static const MPI_Datatype kinds[] = { MPI_SIGNED_CHAR, MPI_SHORT,  MPI_INT,  MPI_LONG,
                                      MPI_FLOAT,       MPI_DOUBLE, MPI_CHAR, MPI_WCHAR };
enum { KINDS = sizeof kinds / sizeof *kinds };

static void what_is_the_same(void **state)
{
    (void) state;
    assert_int_equal(number(MPI_INT, 1), number(MPI_INT32_T, 1));
    assert_int_equal(number(MPI_INT, 1), number(MPI_INTEGER, 1));
    assert_int_equal(number(MPI_LONG, 3), number(MPI_INT64_T, 1));
    assert_int_equal(number(MPI_DOUBLE, 3), number(MPI_DOUBLE_PRECISION, 1));
    assert_int_equal(number(MPI_2INT, 1), number(MPI_INT, 2));
    assert_int_equal(number(MPI_2REAL, 5), number(MPI_FLOAT, 10));
    for (int i = 0; i < KINDS; i++)
        assert_int_equal(number(kinds[i], 1), number(kinds[i], 1000001));
}

static void what_differs(void **state)
{
    (void) state;
    for (int i = 0; i < KINDS; i++)
        for (int k = 0; k < i; k++)
            assert_int_not_equal(number(kinds[i], 1), number(kinds[k], 1));
    struct adi3_type *one[] = { type(MPI_DOUBLE), type(MPI_INT) },
                     *two[] = { type(MPI_INT), type(MPI_DOUBLE) };
    const int counts[] = { 1, 1 };
    assert_int_not_equal(number_of(join(2, one, counts), 1), number_of(join(2, two, counts), 1));
}

/* Bytes may be anything, and nothing has no type. */
static void what_is_not_known(void **state)
{
    struct adi3_type *types[] = { type(MPI_INT), type(MPI_BYTE) };

    (void) state;
    assert_int_equal(number(MPI_BYTE, 7), 0);
    assert_int_equal(number(MPI_PACKED, 7), 0);
    assert_int_equal(number(MPI_INT, 0), 0);
    assert_int_equal(number(MPI_DOUBLE_INT, 0), 0);
    assert_int_equal(number_of(join(2, types, (const int[]) { 0, 0 }), 9), 0);
    assert_int_equal(number_of(join(2, types, (const int[]) { 0, 5 }), 9), 0);
    assert_int_equal(number_of(join(2, types, (const int[]) { 5, 0 }), 9), number(MPI_INT, 1));
}

static void pairs(void **state)
{
    struct adi3_type *apart[] = { type(MPI_DOUBLE), type(MPI_INT), type(MPI_INT) },
                     *pair[] = { type(MPI_DOUBLE_INT), type(MPI_INT) };
    const int ones[] = { 1, 1, 1 };

    (void) state;
    assert_int_equal(number_of(join(2, apart, ones), 3), number(MPI_DOUBLE_INT, 3));
    assert_int_equal(number_of(join(3, apart, ones), 3), number_of(join(2, pair, ones), 3));
}

/* The elements first .. end - 1 of what: some of them one by one, others in types of their own. */
static struct adi3_type *some(const int *what, int first, int end)
{
    struct adi3_type *parts[MOST];
    int counts[MOST], n = 0;

    for (int at = first; at < end; n++) {
        int last = at + 1 + (int) unit_random((uint32_t) (end - at));
        bool alone = last - at == end - first || last == at + 1;
        parts[n] = alone ? type(kinds[what[at]]) : some(what, at, last);
        counts[n] = 1;
        at = alone ? at + 1 : last;
    }
    return join(n, parts, counts);
}

static void however_it_is_made(void **state)
{
    int what[MOST];

    (void) state;
    for (int round = 0; round < ROUNDS; round++) {
        int n = 1 + (int) unit_random(MOST / 2), times = 1 + (int) unit_random(2);
        for (int i = 0; i < MOST; i++)
            what[i] = i < n ? (int) unit_random(KINDS) : what[i - n];
        unsigned once = number_of(some(what, 0, n), (size_t) times);
        assert_true(once > 0 && once < LIMIT);
        assert_int_equal(once, number_of(some(what, 0, n * times), 1));
        assert_int_equal(once, number_of(some(what, 0, n), (size_t) times));
    }
}

static int start(void **state)
{
    (void) state;
    return adi3_type_init();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_the_same),   cmocka_unit_test(what_differs),
        cmocka_unit_test(what_is_not_known),  cmocka_unit_test(pairs),
        cmocka_unit_test(however_it_is_made),
    };

    return UNIT_RUN_BETWEEN(tests, start, NULL);
}
