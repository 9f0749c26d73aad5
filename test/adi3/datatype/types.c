/* types.c — random types of all constructors against their type maps, written out by the loops of
 * the standard: bounds, packing, elements in bytes (D02, D03, D04, D05). */
#include <stdlib.h>
#include <string.h>
#include "tree.h"
#include "unit.h"

enum { ROUNDS = 4000, COUNT = TREE_COUNT, MEMORY = TREE_MEMORY, BASE = TREE_BASE };

static char from[MEMORY], to[MEMORY], packed[MEMORY], wanted[MEMORY];

static void check_bounds(const struct tree *m)
{
    MPI_Aint low = PTRDIFF_MAX, high = PTRDIFF_MIN, size = 0;

    for (int i = 0; i < m->n; i++) {
        MPI_Aint at = m->entry[i].at, end = at + m->entry[i].len;
        low = at < low ? at : low;
        high = end > high ? end : high;
        size += m->entry[i].len;
    }
    assert_int_equal(m->t->size, size);
    assert_int_equal(m->t->elements, m->n);
    assert_int_equal(m->t->lb, m->any_lb ? m->lb : 0);
    assert_int_equal(m->t->extent, (m->any_ub ? m->ub : 0) - (m->any_lb ? m->lb : 0));
    assert_int_equal(m->t->true_lb, m->n ? low : 0);
    assert_int_equal(m->t->true_extent, m->n ? high - low : 0);
}

/* Also of every number of bytes in two of them, and of all numbers of elements. */
static void check_elements(const struct tree *m)
{
    size_t at = 0, got;

    for (int i = 0; i < 2 * m->n; i++) {
        assert_true(adi3_type_bytes(m->t, (size_t) i, &got));
        assert_int_equal(got, at);
        for (int part = 0; part < m->entry[i % m->n].len; part++) {
            assert_int_equal(adi3_type_elements(m->t, at++, &got), part == 0);
            assert_int_equal(got, i);
        }
    }
    if (m->n == 0) {
        assert_true(adi3_type_bytes(m->t, 0, &got) && got == 0);
        assert_false(adi3_type_bytes(m->t, 1, &got));
        assert_false(adi3_type_elements(m->t, 1, &got));
    }
}

static void check_bytes(const struct tree *m)
{
    const struct adi3_data out = { from + BASE, COUNT, m->t }, in = { to + BASE, COUNT, m->t };
    size_t all = COUNT * m->t->size, cut = all ? unit_random((int) all) : 0;
    struct iovec iov[7];

    bool once = tree_bytes(m, from, wanted);
    memset(packed, '#', all + 1);
    adi3_pack(&out, cut, packed + cut, all - cut);
    adi3_pack(&out, 0, packed, cut);
    assert_memory_equal(packed, wanted, all);
    assert_int_equal(packed[all], '#');
    for (size_t at = 0, before = 0; at < all; before = at) {
        int n = adi3_ranges(&out, &at, iov, 7);
        assert_true(n > 0);
        for (int i = 0; i < n; before += iov[i++].iov_len)
            assert_memory_equal(iov[i].iov_base, wanted + before, iov[i].iov_len);
    }
    if (!once)
        return;
    memset(to, '#', sizeof to);
    adi3_unpack(&in, cut, packed + cut, all - cut);
    adi3_unpack(&in, 0, packed, cut);
    tree_bytes(m, to, wanted);
    assert_memory_equal(packed, wanted, all);
    size_t written = 0;
    for (size_t i = 0; i < sizeof to; i++)
        written += to[i] != '#';
    assert_true(written <= all);
}

/* Elements that touch each other may be one block, in which a next one begins. */
static void check_order(const struct tree *m)
{
    bool rises = true, apart = true;
    MPI_Aint last;

    for (int i = 1; i < m->n; i++) {
        MPI_Aint before = m->entry[i - 1].at;
        rises = rises && m->entry[i].at >= before;
        apart = apart && m->entry[i].at >= before + m->entry[i - 1].len;
    }
    assert_int_equal(adi3_type_rises(m->t, true, &last), apart);
    if (m->n && apart)
        assert_in_range(last - m->t->true_lb, 0, m->entry[m->n - 1].at - m->t->true_lb);
    if (rises)
        assert_true(adi3_type_rises(m->t, false, &last));
}

static void against_the_type_map(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (char) (i * 167 + i / 256 * 59 + i / 65536);
    for (int i = 0; i < ROUNDS; i++) {
        const struct tree *m = tree_next();
        check_bounds(m);
        check_elements(m);
        assert_int_equal(adi3_type_commit(m->t), MPI_SUCCESS);
        check_bytes(m);
        check_order(m);
        adi3_type_release(m->t);
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
        cmocka_unit_test(against_the_type_map),
    };

    return UNIT_RUN_BETWEEN(tests, start, NULL);
}
