/* property.h — random types against their type maps (D02, D03, D04, D05, D09, D10, P05, P07, P26).
 *
 * Arguments of the program: trees seed first, where first is the first tree that is checked. A
 * failure names the three with the tree. */
#ifndef PROPERTY_H
#define PROPERTY_H

#include "random_type.h"

static struct {
    long seed;
    int tree, count, me, other;
    const struct typed *t;
} now;

#define HOLDS(c)                                                                                   \
    do {                                                                                           \
        if (!(c))                                                                                  \
            property_fail(__LINE__, #c, 0, 0);                                                     \
    } while (0)
#define SAME(a, b)                                                                                 \
    do {                                                                                           \
        if ((long long) (a) != (long long) (b))                                                    \
            property_fail(__LINE__, #a " == " #b, (long long) (a), (long long) (b));               \
    } while (0)

static inline void property_fail(int line, const char *what, long long a, long long b)
{
    fprintf(stderr, "line %d: %s (%lld, %lld); again with: %d %ld %d\ncount %d of %s\n", line, what,
            a, b, now.tree + 1, now.seed, now.tree, now.count, now.t->name);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static inline void check_bounds(const struct typed *t)
{
    MPI_Aint lb = -1, extent = -1;
    MPI_Count bytes = -1;
    int len = -1;

    MPI_Type_size(t->type, &len);
    SAME(len, t->map.size);
    MPI_Type_size_x(t->type, &bytes);
    SAME(bytes, t->map.size);
    MPI_Type_get_extent(t->type, &lb, &extent);
    if (t->map.entries > 0 || dice.oddities) { /* the standard gives empty types no bounds */
        SAME(lb, t->map.lb);
        SAME(extent, tm_extent(&t->map));
    }
    MPI_Type_get_true_extent(t->type, &lb, &extent);
    if (t->map.elements > 0 && (!t->unsure || dice.oddities)) {
        SAME(lb, t->map.true_lb);
        SAME(extent, t->map.true_ub - t->map.true_lb);
    }
}

/* Memory of count elements and the same data in contiguous form. */
struct data {
    struct typed_buffer out, in, expected;
    char *packed;
    size_t len;
    bool distinct; /* no byte of the memory belongs to two entries */
};

static inline struct data data_new(const struct typed *t, int count)
{
    struct data d = { .len = t->map.size * (size_t) count,
                      .out = typed_buffer(t, count),
                      .in = typed_buffer(t, count),
                      .expected = typed_buffer(t, count),
                      .distinct = !tm_overlaps(&t->map, count) };

    for (size_t i = 0; i < d.out.len; i++)
        d.out.mem[i] = typed_byte((unsigned) now.tree, i);
    d.packed = mpitest_memory(d.len + 1);
    tm_pack(&t->map, d.out.base, count, d.packed);
    return d;
}

static inline void data_free(struct data *d)
{
    free(d->out.mem);
    free(d->in.mem);
    free(d->expected.mem);
    free(d->packed);
}

/* Whether in has the first len bytes, and fresh memory elsewhere; makes it all fresh afterwards. */
static inline bool data_came(struct data *d, size_t len)
{
    memset(d->expected.mem, 0xa5, d->expected.len);
    tm_unpack(&now.t->map, d->expected.base, now.count, d->packed, len);
    bool same = memcmp(d->expected.mem, d->in.mem, d->in.len) == 0;
    memset(d->in.mem, 0xa5, d->in.len);
    return same;
}

/* In segments at moving positions: packed data are the bytes of the type map, as in all libraries
 * for one kind of machine. */
static inline void check_pack(struct data *d, int pieces)
{
    const struct typed *t = now.t;
    int room = -1, at = 0, done = 0, n;
    ptrdiff_t ex = tm_extent(&t->map);

    MPI_Pack_size(now.count, t->type, MPI_COMM_WORLD, &room);
    HOLDS(room >= (int) d->len);
    char *packed = mpitest_memory(d->len + 1);
    for (int i = 0; i < pieces; i++, done += n) {
        n = i == pieces - 1 ? now.count - done : roll(now.count - done + 1);
        MPI_Pack(d->out.base + done * ex, n, t->type, packed, (int) d->len, &at, MPI_COMM_WORLD);
        SAME(at, t->map.size * (size_t) (done + n));
    }
    HOLDS(memcmp(packed, d->packed, d->len) == 0);
    if (d->distinct) {
        at = done = 0;
        for (int i = 0; i < pieces; i++, done += n) {
            n = i == pieces - 1 ? now.count - done : roll(now.count - done + 1);
            MPI_Unpack(packed, (int) d->len, &at, d->in.base + done * ex, n, t->type,
                       MPI_COMM_WORLD);
            SAME(at, t->map.size * (size_t) (done + n));
        }
        HOLDS(data_came(d, d->len));
    }
    free(packed);
}

/* The same basic elements without gaps: a struct of the runs of one element of t, or only of its
 * first elements. */
static inline MPI_Datatype dense_type(const struct typemap *m, size_t elements)
{
    enum { RUNS = RANDOM_ENTRIES };
    static int length[RUNS];
    static MPI_Aint disp[RUNS];
    static MPI_Datatype type[RUNS];
    MPI_Aint at = 0;
    MPI_Datatype whole, dense;
    int runs = 0, last = -1;

    for (size_t i = 0; i < m->entries && elements > 0; i++) {
        int b = (int) m->entry[i].basic;

        if (b >= TM_BASICS)
            continue;
        if (b != last) {
            struct typed basic = typed_basic((enum tm_basic) b);
            type[runs] = basic.type;
            typed_free(&basic);
            length[runs] = 0;
            disp[runs++] = at;
        }
        length[runs - 1]++;
        at += tm_basics[b].size;
        last = b;
        elements--;
    }
    MPI_Type_create_struct(runs, length, disp, type, &whole);
    MPI_Type_create_resized(whole, 0, at, &dense);
    MPI_Type_free(&whole);
    MPI_Type_commit(&dense);
    return dense;
}

static inline void exchange(const void *out, int sent, MPI_Datatype sendtype, void *in, int count,
                            MPI_Datatype recvtype, MPI_Status *status)
{
    MPI_Sendrecv(out, sent, sendtype, now.other, 5, in, count, recvtype, now.other, 5,
                 MPI_COMM_WORLD, status);
}

/* From any layout to any other. */
static inline void check_messages(struct data *d, MPI_Datatype dense)
{
    MPI_Status status;
    char *flat = mpitest_memory(d->len + 1);
    int n = now.count, got = -1;

    exchange(d->out.base, n, now.t->type, flat, n, dense, &status);
    HOLDS(memcmp(flat, d->packed, d->len) == 0);
    memset(flat, 0, d->len);
    exchange(d->out.base, n, now.t->type, flat, (int) d->len, MPI_PACKED, &status);
    HOLDS(memcmp(flat, d->packed, d->len) == 0);
    MPI_Get_count(&status, MPI_PACKED, &got);
    SAME(got, d->len);
    free(flat);
    if (!d->distinct)
        return;
    exchange(d->out.base, n, now.t->type, d->in.base, n, now.t->type, &status);
    HOLDS(data_came(d, d->len));
    MPI_Get_count(&status, now.t->type, &got);
    SAME(got, d->len ? n : 0);
    exchange(d->packed, n, dense, d->in.base, n, now.t->type, &status);
    HOLDS(data_came(d, d->len));
    exchange(d->packed, (int) d->len, MPI_PACKED, d->in.base, n, now.t->type, &status);
    HOLDS(data_came(d, d->len));
}

/* A message that ends within an element of the receiver's type. */
static inline void check_partial(struct data *d, MPI_Datatype dense)
{
    const struct typemap *m = &now.t->map;
    int whole = roll(now.count), got = -1, counted = -1;
    size_t part = (size_t) roll((int) m->elements), len = 0;
    MPI_Status status;
    MPI_Datatype prefix = dense_type(m, part), both;

    for (size_t i = 0, k = 0; k < part; i++) {
        k += m->entry[i].basic < TM_BASICS;
        len += (size_t) tm_basics[m->entry[i].basic].size;
    }
    MPI_Type_create_struct(2, (int[]) { whole, 1 }, (MPI_Aint[]) { 0, whole * (MPI_Aint) m->size },
                           (MPI_Datatype[]) { dense, prefix }, &both);
    MPI_Type_commit(&both);
    exchange(d->packed, 1, both, d->in.base, now.count, now.t->type, &status);
    HOLDS(data_came(d, len + (size_t) whole * m->size));
    MPI_Get_count(&status, now.t->type, &got);
    SAME(got, part ? MPI_UNDEFINED : whole);
    if (!now.t->unsure || dice.oddities) {
        MPI_Count counted_x = -1;

        MPI_Get_elements(&status, now.t->type, &counted);
        SAME(counted, part + (size_t) whole * m->elements);
        MPI_Get_elements_x(&status, now.t->type, &counted_x);
        SAME(counted_x, counted);
    }
    MPI_Type_free(&prefix);
    MPI_Type_free(&both);
}

static inline void check_type(struct typed *t)
{
    size_t most = t->map.elements ? 12000 / t->map.elements : 3;
    ptrdiff_t ex = labs(tm_extent(&t->map));

    if (ex > 0 && most > (size_t) (RANDOM_SPAN / ex))
        most = (size_t) (RANDOM_SPAN / ex);
    now.t = t;
    now.count = roll(10) ? roll(5) : roll(most > 2000 ? 2000 : (int) most + 1);
    if (now.count > (int) most)
        now.count = 1;
    if (t->unsure && !dice.oddities && t->map.size * (size_t) now.count > 8000)
        now.count = 0; /* MPICH 4 cannot cut a message within a basic element */
    check_bounds(t);
    MPI_Type_commit(&t->type);
    struct data d = data_new(t, now.count);
    MPI_Datatype dense = dense_type(&t->map, t->map.elements);
    check_pack(&d, roll(3) + 1);
    check_messages(&d, dense);
    if (d.distinct && t->map.elements > 0 && now.count > 0)
        check_partial(&d, dense);
    MPI_Type_free(&dense);
    data_free(&d);
}

/* All processes make the same trees, pairs of them exchange data. */
static inline void property(int argc, char **argv, int trees)
{
    int size, first = argc > 3 ? (int) strtol(argv[3], NULL, 10) : 0;

    if (argc > 1)
        trees = (int) strtol(argv[1], NULL, 10);
    now.seed = argc > 2 ? strtol(argv[2], NULL, 10) : 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &now.me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    now.other = (now.me ^ 1) < size ? now.me ^ 1 : now.me;
    for (now.tree = first; now.tree < trees; now.tree++) {
        dice.state = (uint64_t) now.seed * 1000003 + (uint64_t) now.tree * 7919 + 1;
        for (int i = 0; i < 20; i++)
            (void) roll(2);
        dice.apart = roll(10) < 7;
        struct typed t = random_type(roll(4) + 1);
        check_type(&t);
        typed_free(&t);
    }
}

#endif /* PROPERTY_H */
