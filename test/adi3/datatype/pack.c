/* pack.c — packing and unpacking nested vectors, whole and cut at any byte, against a plain list of
 * where each byte is (D02, D03, D10, P05, P26). */
#include <stdlib.h>
#include <string.h>
#include "adi3/adi3.h"
#include "adi3/datatype/datatype.h"
#include "unit.h"

enum { MAX_BYTES = 6000, MEMORY = 1 << 17, BASE = MEMORY / 2, DEPTH = 5, COUNT = 3 };

/* A type and, byte by byte, what it is. */
struct model {
    struct adi3_type *t;
    int n;
    MPI_Aint at[MAX_BYTES]; /* of each byte, in order */
    MPI_Aint lb, ub;
    bool overlaps;
};

static char from[MEMORY], to[MEMORY], want[MEMORY];
static char packed[COUNT * MAX_BYTES + 1], wanted[COUNT * MAX_BYTES + 1];

static MPI_Aint least(MPI_Aint a, MPI_Aint b) { return a < b ? a : b; }
static MPI_Aint most(MPI_Aint a, MPI_Aint b) { return a > b ? a : b; }

static struct adi3_type *some_basic(void)
{
    static const MPI_Datatype some[] = { MPI_CHAR,       MPI_SHORT,       MPI_INT,
                                         MPI_DOUBLE,     MPI_LONG_DOUBLE, MPI_FLOAT_INT,
                                         MPI_DOUBLE_INT, MPI_SHORT_INT,   MPI_LONG_DOUBLE_INT };
    MPI_Datatype h = some[unit_random(9)];
    struct adi3_type *t = adi3_type_builtin(h);

    return t ? t : adi3_get(&adi3_types, h);
}

/* The bytes of a predefined type; those of a pair are a value and an int with a hole between. */
static void begin(struct model *m)
{
    struct adi3_type *t = m->t = some_basic();
    size_t value = t->contig ? t->size : t->size - sizeof(int);
    MPI_Aint index_at = t->true_extent - (MPI_Aint) sizeof(int);

    m->n = (int) t->size;
    for (int i = 0; i < m->n; i++)
        m->at[i] = i < (int) value ? i : index_at + i - (int) value;
    m->lb = 0;
    m->ub = t->extent;
    m->overlaps = false;
}

static bool any_overlap(const struct model *m)
{
    bool found = false;

    for (int i = 0; i < m->n && !found; i++) {
        found = from[BASE + m->at[i]] != 0;
        from[BASE + m->at[i]] = 1;
    }
    for (int i = 0; i < m->n; i++)
        from[BASE + m->at[i]] = 0;
    return found;
}

/* One more level around it; false when that would be too large. */
static bool wrap(struct model *m)
{
    int count = (int) unit_random(5), blocklen = (int) unit_random(4), n = 0;
    MPI_Aint extent = m->ub - m->lb, stride;

    if (count * blocklen * m->n > MAX_BYTES)
        return false;
    switch (unit_random(5)) {
    case 0:
        stride = blocklen * extent; /* dense */
        break;
    case 1:
        stride = -blocklen * extent;
        break;
    case 2:
        stride = (MPI_Aint) unit_random(200) - 100;
        break;
    default:
        stride = (blocklen + (MPI_Aint) unit_random(4)) * extent * (unit_random(3) ? 1 : -1);
    }
    static MPI_Aint at[MAX_BYTES];
    MPI_Aint lb = 0, ub = 0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < blocklen; j++) {
            MPI_Aint here = i * stride + j * extent;
            lb = n || i || j ? least(lb, here + m->lb) : here + m->lb;
            ub = n || i || j ? most(ub, here + m->ub) : here + m->ub;
            for (int k = 0; k < m->n; k++)
                at[n++] = here + m->at[k];
        }
    }
    if (n == 0) /* a type map without entries has no bounds */
        lb = ub = 0;
    if (most(-lb, ub) + COUNT * (ub - lb) >= BASE)
        return false;
    struct adi3_type *old = m->t;
    assert_int_equal(adi3_type_hvector(count, blocklen, stride, old, &m->t), 0);
    assert_int_equal(adi3_type_commit(m->t), 0);
    adi3_type_release(old);
    memcpy(m->at, at, (size_t) n * sizeof *at);
    m->n = n;
    m->lb = lb;
    m->ub = ub;
    return true;
}

static void random_type(struct model *m)
{
    begin(m);
    for (uint32_t depth = unit_random(DEPTH); depth > 0; depth--)
        if (!wrap(m))
            break;
}

static void check_bounds(const struct model *m)
{
    MPI_Aint low = 0, high = 0;

    for (int i = 0; i < m->n; i++) {
        low = i ? least(low, m->at[i]) : m->at[i];
        high = i ? most(high, m->at[i] + 1) : m->at[i] + 1;
    }
    assert_int_equal(m->t->size, m->n);
    assert_int_equal(m->t->lb, m->lb);
    assert_int_equal(m->t->extent, m->ub - m->lb);
    if (m->n) {
        assert_int_equal(m->t->true_lb, low);
        assert_int_equal(m->t->true_extent, high - low);
    }
}

/* ---- one type -------------------------------------------------------------------------------- */

static MPI_Aint place(const struct model *m, int byte)
{
    return BASE + byte / m->n * (m->ub - m->lb) + m->at[byte % m->n];
}

static void fill(char *buf, size_t len, unsigned seed)
{
    for (size_t i = 0; i < len; i++)
        buf[i] = (char) (seed + i * 167 + i / 256 * 59 + i / 65536);
}

static void check_pack(const struct model *m, size_t len)
{
    const struct adi3_data d = { from + BASE, COUNT, m->t };

    size_t cut = len ? (size_t) unit_random((int) len) : 0;

    memset(packed, '#', sizeof packed);
    adi3_pack(&d, 0, packed, len);
    assert_memory_equal(packed, wanted, len);
    assert_int_equal(packed[len], '#');
    memset(packed, '#', sizeof packed);
    adi3_pack(&d, cut, packed + cut, len - cut);
    assert_memory_equal(packed + cut, wanted + cut, len - cut);
    assert_int_equal(packed[len], '#');
}

/* What len bytes reach is written, and nothing else; to is left as it was. */
static void check_unpack(const struct model *m, size_t len)
{
    const struct adi3_data d = { to + BASE, COUNT, m->t };

    for (size_t i = 0; i < len; i++)
        want[place(m, (int) i)] = wanted[i];
    size_t cut = len ? (size_t) unit_random((int) len) : 0;
    adi3_unpack(&d, cut, wanted + cut, len - cut);
    adi3_unpack(&d, 0, wanted, cut);
    assert_memory_equal(to, want, sizeof to);
    for (size_t i = 0; i < len; i++)
        to[place(m, (int) i)] = want[place(m, (int) i)] = '#';
}

static void check_type(const struct model *m, bool every_length)
{
    size_t all = (size_t) (COUNT * m->n);

    check_bounds(m);
    for (size_t i = 0; i < all; i++)
        wanted[i] = from[place(m, (int) i)];
    size_t step = every_length ? 1 : 1 + all / 5;
    for (size_t len = 0; len <= all; len += step)
        check_pack(m, len);
    check_pack(m, all);
    if (m->overlaps) /* receiving there is the user's error */
        return;
    for (size_t len = 0; len <= all; len += every_length ? 1 + all / 50 : step)
        check_unpack(m, len);
    check_unpack(m, all);
}

static struct model model, other;

static bool whole_overlaps(struct model *m)
{
    struct adi3_type *old = m->t;
    static struct model three;

    three = *m; /* all COUNT elements, as one vector of them */
    if (3 * m->n > MAX_BYTES)
        return true;
    for (int i = 0; i < COUNT * m->n; i++)
        three.at[i] = place(m, i) - BASE;
    three.n = COUNT * m->n;
    three.t = old;
    return any_overlap(&three);
}

static void against_a_list_of_bytes(void **state)
{
    (void) state;
    for (int i = 0; i < 1500; i++) {
        random_type(&model);
        memset(from, 0, sizeof from);
        model.overlaps = whole_overlaps(&model);
        fill(from, sizeof from, (unsigned) i);
        if (i == 0) {
            memset(to, '#', sizeof to);
            memset(want, '#', sizeof want);
        }
        check_type(&model, model.n < 100 && i % 50 == 0);
        adi3_type_release(model.t);
    }
}

/* Plain memory, at every length. */
static void contiguous(void **state)
{
    (void) state;
    fill(from, sizeof from, 5);
    memset(to, '#', sizeof to);
    memset(want, '#', sizeof want);
    model.t = adi3_type_builtin(MPI_DOUBLE);
    model.n = 8;
    for (int i = 0; i < 8; i++)
        model.at[i] = i;
    model.lb = 0;
    model.ub = 8;
    model.overlaps = false;
    check_type(&model, true);
}

/* Each length of a block has its own loop: 1, 2, 4, 8, 16 and others, cut at every byte. */
static void every_block_length(void **state)
{
    (void) state;
    fill(from, sizeof from, 9);
    memset(to, '#', sizeof to);
    memset(want, '#', sizeof want);
    for (int len = 1; len <= 33; len++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            MPI_Aint stride = sign * (len + 3);
            struct adi3_type *byte = adi3_type_builtin(MPI_BYTE);
            assert_int_equal(adi3_type_hvector(7, len, stride, byte, &model.t), MPI_SUCCESS);
            assert_int_equal(adi3_type_commit(model.t), MPI_SUCCESS);
            model.n = 7 * len;
            for (int i = 0; i < model.n; i++)
                model.at[i] = i / len * stride + i % len;
            model.lb = least(0, 6 * stride);
            model.ub = most(0, 6 * stride) + len;
            model.overlaps = false;
            check_bounds(&model);
            const size_t all = (size_t) (COUNT * model.n);
            for (size_t i = 0; i < all; i++)
                wanted[i] = from[place(&model, (int) i)];
            for (size_t n = 0; n <= all; n++)
                check_pack(&model, n);
            for (size_t n = 0; n <= all; n += len < 5 ? 1 : 7)
                check_unpack(&model, n);
            adi3_type_release(model.t);
        }
    }
}

/* P26: any layout to any other; the shorter one decides. */
static void copies(void **state)
{
    (void) state;
    memset(to, '#', sizeof to);
    memset(want, '#', sizeof want);
    for (int i = 0; i < 300; i++) {
        random_type(&model);
        random_type(&other);
        memset(from, 0, sizeof from);
        bool overlaps = whole_overlaps(&other) || model.n == 0 || other.n == 0;
        fill(from, sizeof from, (unsigned) i);
        int all = COUNT * least(model.n, other.n);
        const struct adi3_data out = { from + BASE, COUNT, model.t };
        const struct adi3_data in = { to + BASE, COUNT, other.t };
        adi3_copy(&out, &in);
        for (int k = 0; k < all && !overlaps; k++)
            want[place(&other, k)] = from[place(&model, k)];
        if (!overlaps)
            assert_memory_equal(to, want, sizeof to);
        memset(to, '#', sizeof to);
        memset(want, '#', sizeof want);
        adi3_type_release(model.t);
        adi3_type_release(other.t);
    }
}

static void of_nothing(void **state)
{
    const struct adi3_data none = { NULL, 0, adi3_type_builtin(MPI_INT) };
    char byte = 'x';
    const struct adi3_data one = { &byte, 1, adi3_type_builtin(MPI_CHAR) };

    (void) state;
    adi3_pack(&none, 0, NULL, 0);
    adi3_unpack(&none, 0, NULL, 0);
    adi3_copy(&none, &none);
    adi3_copy(&none, &one);
    adi3_copy(&one, &none);
    assert_int_equal(byte, 'x');
}

static int start(void **state)
{
    (void) state;
    return adi3_type_init();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contiguous),
        cmocka_unit_test(every_block_length),
        cmocka_unit_test(against_a_list_of_bytes),
        cmocka_unit_test(copies),
        cmocka_unit_test(of_nothing),
    };

    return UNIT_RUN_BETWEEN(tests, start, NULL);
}
