/* serial.c — types as bytes for another process: random ones of all constructors come back alike;
 * what is cut off or changed on the way is refused, or is a type that stays within its bounds. */
#include <stdlib.h>
#include <string.h>
#include "adi3/datatype/datatype_impl.h"
#include "tree.h"
#include "unit.h"

enum { ROUNDS = 1000, CHANGES = 100, MEMORY = TREE_MEMORY, BASE = TREE_BASE };
enum { GUARD = 64, MOST = 1 << 16, PARTS = 100000 };

static const MPI_Aint FAR = (MPI_Aint) 1 << 40; /* addresses do not wrap around */

static char memory[MEMORY], packed[MEMORY], wanted[MEMORY];

static struct adi3_type *make(int combiner, int nints, const int *ints, const MPI_Aint *addrs,
                              struct adi3_type *old)
{
    struct adi3_type *t, *const types[] = { old, old };
    int naddrs = !addrs ? 0 : combiner == MPI_COMBINER_HVECTOR ? 1 : ints[0];
    int ntypes = combiner == MPI_COMBINER_STRUCT ? ints[0] : 1;
    const struct adi3_contents r = { .combiner = combiner,
                                     .nints = nints,
                                     .naddrs = naddrs,
                                     .ntypes = ntypes,
                                     .ints = ints,
                                     .addrs = addrs,
                                     .types = types };

    assert_int_equal(adi3_type_make(&r, &t), MPI_SUCCESS);
    return t;
}

/* Exactly its bytes, so that the sanitizer sees the end; never more than there is room for. */
static uint8_t *bytes_of(const struct adi3_type *t, size_t *len)
{
    *len = adi3_type_serialize(t, NULL, 0);
    assert_true(*len > 0);
    uint8_t *bytes = malloc(*len), *less = calloc(1, *len);
    assert_non_null(bytes);
    assert_non_null(less);
    assert_int_equal(adi3_type_serialize(t, bytes, *len), *len);
    assert_int_equal(adi3_type_serialize(t, less, *len / 2), *len);
    assert_memory_equal(less, bytes, *len / 2);
    for (size_t i = *len / 2; i < *len; i++)
        assert_int_equal(less[i], 0);
    free(less);
    return bytes;
}

static int refused(const uint8_t *bytes, size_t len)
{
    struct adi3_type *t = NULL;
    int err = adi3_type_deserialize(bytes, len, &t);

    assert_null(t);
    return err & ADI3_CLASS_MASK;
}

static struct adi3_type *copy_of(const struct adi3_type *t)
{
    struct adi3_type *copy;
    size_t len;
    uint8_t *bytes = bytes_of(t, &len);

    assert_int_equal(adi3_type_deserialize(bytes, len, &copy), MPI_SUCCESS);
    free(bytes);
    return copy;
}

/* ---- they come back -------------------------------------------------------------------------- */

static void check_same(const struct adi3_type *t, const struct adi3_type *copy)
{
    assert_true(copy->committed && !copy->predefined && copy->handles == 0 && copy->refs == 1);
    assert_int_equal(copy->size, t->size);
    assert_int_equal(copy->lb, t->lb);
    assert_int_equal(copy->extent, t->extent);
    assert_int_equal(copy->true_lb, t->true_lb);
    assert_int_equal(copy->true_extent, t->true_extent);
    assert_int_equal(copy->contig, t->contig);
    assert_ptr_equal(copy->basic, t->basic);
    if (t->basic)
        assert_int_equal(copy->elements, t->elements);
}

static void random_types(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (char) (i * 167 + i / 256 * 59 + i / 65536);
    for (int i = 0; i < 2 * ROUNDS; i++) {
        const struct tree *m = tree_next();
        assert_int_equal(adi3_type_commit(m->t), MPI_SUCCESS);
        struct adi3_type *copy = copy_of(m->t);
        size_t all = TREE_COUNT * copy->size, cut = all ? unit_random((uint32_t) all) : 0;
        const struct adi3_data d = { memory + BASE, TREE_COUNT, copy };
        check_same(m->t, copy);
        (void) tree_bytes(m, memory, wanted);
        adi3_pack(&d, cut, packed + cut, all - cut);
        adi3_pack(&d, 0, packed, cut);
        assert_memory_equal(packed, wanted, all);
        adi3_type_release(copy);
        adi3_type_release(m->t);
    }
}

static void check_predefined(struct adi3_type *t, const struct adi3_type *basic)
{
    const int ints[] = { 3, 2, 4 };
    struct adi3_type *vector = make(MPI_COMBINER_VECTOR, 3, ints, NULL, t);

    assert_int_equal(adi3_type_commit(vector), MPI_SUCCESS);
    struct adi3_type *copy = copy_of(t), *copies = copy_of(vector);
    assert_int_equal(copy->size, t->size);
    assert_int_equal(copy->true_extent, t->true_extent);
    assert_ptr_equal(copy->basic, basic);
    assert_int_equal(copy->elements, t->elements);
    assert_ptr_equal(copies->basic, basic);
    assert_int_equal(copies->elements, vector->elements);
    adi3_type_release(copy);
    adi3_type_release(copies);
    adi3_type_release(vector);
}

/* Types of Fortran kinds have handles of one process: another one gets the named type. */
static void predefined(void **state)
{
    struct adi3_type *t;

    (void) state;
    for (int i = 1; i < 256; i++)
        if ((adi3_builtin[i].handle & 0xff) == i && adi3_builtin[i].predefined)
            check_predefined(&adi3_builtin[i], adi3_builtin[i].basic);
    for (unsigned i = 0; i < 5; i++) {
        t = adi3_get(&adi3_types, (int) ((unsigned) MPI_FLOAT_INT + i));
        check_predefined(t, t);
    }
    assert_int_equal(adi3_type_f90(MPI_COMBINER_F90_COMPLEX, 12, MPI_UNDEFINED, &t), MPI_SUCCESS);
    struct adi3_type *copy = copy_of(t);
    assert_true(adi3_type_builtin(copy->basic->handle) && copy->basic->class == t->class);
    assert_true(copy->basic->repr == t->repr && copy->elements == 1);
    adi3_type_release(copy);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static size_t release_measured(struct adi3_type *t)
{
    assert_int_equal(adi3_type_commit(t), MPI_SUCCESS);
    size_t len = adi3_type_serialize(t, NULL, 0);
    struct adi3_type *copy = copy_of(t);
    check_same(t, copy);
    adi3_type_release(copy);
    adi3_type_release(t);
    return len;
}

static void few_bytes(void **state)
{
    struct adi3_type *real = adi3_type_builtin(MPI_DOUBLE);
    const int vector[] = { INT32_MAX, 1 << 20, 0 };
    const MPI_Aint far = (MPI_Aint) 1 << 30;

    (void) state;
    assert_true(release_measured(make(MPI_COMBINER_CONTIGUOUS, 1, vector, NULL, real)) <= 32);
    assert_true(release_measured(make(MPI_COMBINER_HVECTOR, 2, vector, &far, real)) <= 64);
}

/* n of a type at unequal places. */
static struct adi3_type *scattered(int n, MPI_Aint step, struct adi3_type *old)
{
    MPI_Aint *at = malloc((size_t) n * sizeof *at);
    const int ints[] = { n, 1 };

    assert_non_null(at);
    for (int i = 0; i < n; i++)
        at[i] = i * step + (i % 7 % 3) * 8;
    struct adi3_type *t = make(MPI_COMBINER_HINDEXED_BLOCK, 2, ints, at, old);
    free(at);
    return t;
}

/* Parts that are alike have one list, however many they are. */
static void lists_are_shared(void **state)
{
    struct adi3_type *child = scattered(1000, 80, adi3_type_builtin(MPI_DOUBLE));
    const int vector[] = { 3, 1, 2 };
    struct adi3_type *levels = make(MPI_COMBINER_VECTOR, 3, vector, NULL, child);
    struct adi3_type *parent = scattered(PARTS, 400000, levels);

    (void) state;
    assert_true(release_measured(parent) < 2000 + 6 * PARTS);
    adi3_type_release(levels);
    adi3_type_release(child);
    assert_true(release_measured(scattered(PARTS, 80, adi3_type_builtin(MPI_INT))) < 3 * PARTS);
}

/* Each level is twice the one before, which is written once: 2^50 numbers. */
static void doubled(void **state)
{
    struct adi3_type *t = scattered(100, 80, adi3_type_builtin(MPI_INT));
    const int ints[] = { 2, 1, 1 };

    (void) state;
    for (int i = 0; i < 43; i++) {
        struct adi3_type *old = t;
        t = make(MPI_COMBINER_STRUCT, 3, ints, (MPI_Aint[]) { old->extent + 8, 0 }, old);
        adi3_type_release(old);
    }
    assert_int_equal(t->size, (size_t) 400 << 43);
    assert_true(release_measured(t) < 2000);
}

/* ---- what is not to be believed -------------------------------------------------------------- */

static void each_cut_is_refused(void **state)
{
    (void) state;
    for (int i = 0; i < ROUNDS; i++) {
        const struct tree *m = tree_next();
        size_t len;
        assert_int_equal(adi3_type_commit(m->t), MPI_SUCCESS);
        uint8_t *bytes = bytes_of(m->t, &len);
        for (size_t cut = 0; cut < len; cut++) {
            uint8_t *part = malloc(cut ? cut : 1);
            assert_non_null(part);
            memcpy(part, bytes, cut);
            assert_int_equal(refused(part, cut), MPI_ERR_TYPE);
            free(part);
        }
        uint8_t *more = calloc(1, len + 1);
        assert_non_null(more);
        memcpy(more, bytes, len);
        assert_int_equal(refused(more, len + 1), MPI_ERR_TYPE);
        free(more);
        free(bytes);
        adi3_type_release(m->t);
    }
}

static void check_ranges(const struct adi3_data *d, const char *low, const char *high)
{
    struct iovec iov[100];
    size_t at = 0;

    int n = adi3_ranges(d, &at, iov, 100);
    for (int i = 0; i < n; i++) {
        const char *base = iov[i].iov_base;
        assert_true(base >= low && base + iov[i].iov_len <= high);
    }
}

/* Writes its first and last bytes into memory of its own bounds, and looks at what is around. */
static void use(struct adi3_type *t)
{
    const size_t extent = (size_t) t->true_extent, some = t->size < MOST ? t->size : MOST;

    assert_true(t->committed && (t->size == 0) == (t->true_extent == 0));
    if (extent > MOST || labs(t->true_lb) > FAR || labs(t->extent) > FAR)
        return;
    char *room = malloc(extent + 2 * GUARD), *first = room + GUARD;
    assert_non_null(room);
    memset(room, '#', extent + 2 * GUARD);
    const struct adi3_data d = { (char *) ((uintptr_t) first - (size_t) t->true_lb), 1, t };
    check_ranges(&d, first, first + extent);
    memset(packed, '+', some);
    adi3_unpack(&d, 0, packed, some);
    adi3_unpack(&d, t->size - some, packed, some);
    adi3_pack(&d, t->size - some, packed, some);
    for (size_t i = 0; i < some; i++)
        assert_int_equal(packed[i], '+');
    for (size_t i = 0; i < GUARD; i++)
        assert_true(room[i] == '#' && first[extent + i] == '#');
    free(room);
}

static void changed_bytes(void **state)
{
    int accepted = 0;

    (void) state;
    for (int i = 0; i < ROUNDS; i++) {
        const struct tree *m = tree_next();
        size_t len;
        assert_int_equal(adi3_type_commit(m->t), MPI_SUCCESS);
        uint8_t *bytes = bytes_of(m->t, &len), *changed = malloc(len);
        assert_non_null(changed);
        for (int k = 0; k < CHANGES; k++) {
            struct adi3_type *t;
            memcpy(changed, bytes, len);
            for (uint32_t n = 1 + unit_random(3); n > 0; n--)
                changed[unit_random((uint32_t) len)] =
                    (uint8_t) unit_random(unit_random(2) ? 256 : 8);
            int err = adi3_type_deserialize(changed, len, &t);
            if (err) {
                assert_int_equal(err & ADI3_CLASS_MASK, MPI_ERR_TYPE);
                continue;
            }
            use(t);
            adi3_type_release(t);
            accepted++;
        }
        free(changed);
        free(bytes);
        adi3_type_release(m->t);
    }
    assert_true(accepted > ROUNDS && accepted < ROUNDS * CHANGES);
}

#define BYTES(...) { __VA_ARGS__ }, sizeof((uint8_t[]) { __VA_ARGS__ })

/* lb 0, extent 16, no basic elements, ... */
#define START 1, 0, 32, 0
#define TOP   0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80

static void lies(void **state)
{
    static const struct {
        uint8_t bytes[40];
        size_t len;
        const char *why; /* NULL: it is none */
    } lie[] = {
        { BYTES(START, 4), NULL },                          /* no data */
        { BYTES(START, 0, 0, 1, 0, 16), NULL },             /* a block */
        { BYTES(START, 0, 0, 2, 2, 16, 0, 8), NULL },       /* two of them */
        { BYTES(START, 1, 2, 4, 0, 16, 0, 0, 1, 1), NULL }, /* a list of two places */
        { BYTES(2, 0, 32, 0, 4), "a form of the number 2" },
        { BYTES(1, 0, 32, 0x8f, 2, 4), "basic elements of the number 271" },
        { BYTES(1, 0, 32, 0x05, 0, 0, 1, 0, 3), "do not make up its size 3" },
        { BYTES(1, 0, TOP, 0x80, 2, 0, 4), "more than 64 bits" },
        { BYTES(1, 0, TOP, 0x80, 0x81, 0, 0, 4), "more than 64 bits" },
        { BYTES(1, 0, 0xfe, TOP, 1, 0, 4), "bounds that" },
        { BYTES(START, 1, 2, 4, 0, 16, 4), "lists but no data" },
        { BYTES(START, 5), "a list of the kind 5" },
        { BYTES(START, 0, 0, 1, 0, 0), "a block of the length 0" },
        { BYTES(START, 0, 0, 1, 1), "a list of the number 1" },
        { BYTES(START, 0, 0, 0), "a layout like none" },
        { BYTES(START, 0, 0, 2, 1, 16, 0, 8), "a level of the count 1" },
        { BYTES(START, 0, 0, 64, 2, 16, 0, 8), "levels 64" },
        { BYTES(START, 0, 0, 2, TOP, 0x40, 2, 0, 8), "a size of more" },
        { BYTES(START, 0, 0, 2, 2, TOP, 0x80, 1, 0, 8), "places that" },
        { BYTES(START, 0, TOP, 0x80, 1, 1, 0, 8), "places that" },
        { BYTES(START, 1, TOP, 1, 4, 0, 0, 0, 1, 1), "list of the length 72057594037927936" },
        { BYTES(START, 1, 0, 4, 0, 0, 1, 1), "a list of the length 0" },
        { BYTES(START, 2, 0x7f, 0, 1, 0, 0, 1, 1), "too few bytes for a list of the length 127" },
        { BYTES(START, 3, 1, 0, 1, 0, 8, 0, 0, 1, 1), "a list of the length 1" },
        { BYTES(START, 3, 2, 0, 1, 1, 0, 0, 0, 0, 1, 1), "a list of the number 1" },
    };

    (void) state;
    for (size_t i = 0; i < sizeof lie / sizeof *lie; i++) {
        struct adi3_type *t = NULL;
        int err = adi3_type_deserialize(lie[i].bytes, lie[i].len, &t);
        assert_int_equal(err & ADI3_CLASS_MASK, lie[i].why ? MPI_ERR_TYPE : MPI_SUCCESS);
        if (err)
            assert_non_null(strstr(adi3_error_text(err), lie[i].why));
        else
            use(t);
        if (t)
            adi3_type_release(t);
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
        cmocka_unit_test(random_types),  cmocka_unit_test(predefined),
        cmocka_unit_test(few_bytes),     cmocka_unit_test(lists_are_shared),
        cmocka_unit_test(doubled),       cmocka_unit_test(each_cut_is_refused),
        cmocka_unit_test(changed_bytes), cmocka_unit_test(lies),
    };

    return UNIT_RUN_BETWEEN(tests, start, NULL);
}
