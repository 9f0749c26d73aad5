/* random.c — R04 to R10: random programs of puts, gets and accumulates in epochs of all kinds,
 * against a sequential model: every rank draws the whole program, and so knows the memory of all
 * ranks.
 *
 * Usage: random [seed [programs]]
 *
 * In a round each block of each rank's memory has one use, so that its outcome is defined: one rank
 * puts; all get; all accumulate by one operation, in any order; or one rank does some accumulates,
 * whose order counts. */
#include "../env/starling.h"
#include "rma.h"

enum { BLOCK = 16, BLOCKS = 12, INTS = BLOCK * BLOCKS, ROUNDS = 6 };
enum { ROOM = 1 << 18, RESULTS = 1 << 13 };
enum use { NOTHING, PUT, GET, TOGETHER, IN_ORDER, USES };
enum { SINGLE = EPOCHS }; /* a kind of epochs: each target in turn is locked exclusively */

typedef uint32_t word;

static uint64_t state; /* of the random numbers, the same on all ranks */
static unsigned long seed;
static int program, round_of;
static struct window w;
static int kind;
static word model[64][INTS], room[ROOM]; /* room: the buffers of a round */
static size_t used;

/* What a get of this rank must give. */
static struct result {
    const word *got;
    int n;
    word want[BLOCK];
} result[RESULTS];
static int results;

static MPI_Request request[RESULTS];
static int requests;

/* Elements of a block: start, start + stride, ... */
struct layout {
    int target, block, start, n, stride;
};

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned) (state >> 33) % n;
}

static word value(int origin, int i)
{
    uint64_t x = state ^ (uint64_t) (origin * 7919 + i * 104729 + 1);

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    return (word) (x >> 32);
}

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "seed %lu, program %d, round %d, flavor %d, epoch %d: %s\n", seed, program,
            round_of, (int) w.flavor, kind, what);
    CHECK(!"the model and the memory differ");
}

static word *buffer(int n)
{
    word *p = room + used;

    used += (size_t) n;
    CHECK(used <= ROOM);
    return p;
}

static struct layout layout_draw(int target, int block)
{
    struct layout l = { .target = target, .block = block };

    l.stride = (int) draw(3) + 1;
    l.n = (int) draw((unsigned) ((BLOCK - 1) / l.stride + 1)) + 1;
    l.start = (int) draw((unsigned) (BLOCK - (l.n - 1) * l.stride));
    if (draw(4) == 0) {
        l.start += (l.n - 1) * l.stride;
        l.stride = -l.stride;
    }
    return l;
}

static int place(const struct layout *l, int i)
{
    return l->block * BLOCK + l->start + i * l->stride;
}

static MPI_Aint at(const struct layout *l) { return window_disp(&w, l->target, 4L * place(l, 0)); }

static MPI_Datatype type_of(const struct layout *l)
{
    MPI_Datatype type;

    MPI_Type_vector(l->n, 1, l->stride, MPI_UINT32_T, &type);
    MPI_Type_commit(&type);
    return type;
}

static word *operand(const struct layout *l, int origin)
{
    word *in = buffer(l->n);

    for (int i = 0; i < l->n; i++)
        in[i] = value(origin, i);
    return in;
}

/* Room for what the model has there now. */
static word *expected(const struct layout *l)
{
    struct result *r = &result[results++];
    word *out = buffer(l->n);

    CHECK(results <= RESULTS);
    memset(out, 0x5a, (size_t) l->n * sizeof *out);
    *r = (struct result) { .got = out, .n = l->n };
    for (int i = 0; i < l->n; i++)
        r->want[i] = model[l->target][place(l, i)];
    return out;
}

static bool passive(void) { return kind != FENCE && kind != PSCW; }

static void put(const struct layout *l, int origin, bool asks)
{
    if (origin == rank) {
        word *in = operand(l, origin);
        MPI_Datatype type = type_of(l);

        if (asks && passive())
            MPI_Rput(in, l->n, MPI_UINT32_T, l->target, at(l), 1, type, w.win,
                     &request[requests++]);
        else
            MPI_Put(in, l->n, MPI_UINT32_T, l->target, at(l), 1, type, w.win);
        MPI_Type_free(&type);
    }
    for (int i = 0; i < l->n; i++)
        model[l->target][place(l, i)] = value(origin, i);
}

static void get(const struct layout *l)
{
    word *out = expected(l);
    MPI_Datatype type = type_of(l);

    MPI_Get(out, l->n, MPI_UINT32_T, l->target, at(l), 1, type, w.win);
    MPI_Type_free(&type);
}

static const MPI_Op *ops(void)
{
    static MPI_Op op[9];

    op[0] = MPI_SUM, op[1] = MPI_BXOR, op[2] = MPI_MAX, op[3] = MPI_MIN, op[4] = MPI_PROD;
    op[5] = MPI_BAND, op[6] = MPI_BOR, op[7] = MPI_REPLACE, op[8] = MPI_NO_OP;
    return op;
}

static word combined(int op, word x, word y)
{
    const word by[] = { x + y, x ^ y, x > y ? x : y, x < y ? x : y, x * y, x & y, x | y, y, x };

    return by[op];
}

/* One of the first n operations. MPICH 4.0 compares unsigned numbers as signed ones. */
static int draw_op(unsigned n)
{
    int op = (int) draw(n);

    return starling() || (op != 2 && op != 3) ? op : 0;
}

/* One accumulate of a rank; with fetches what was there before comes back. */
static void accumulate(const struct layout *l, int origin, int op, bool fetches)
{
    if (origin == rank) {
        word *in = operand(l, origin), *out = fetches ? expected(l) : NULL;
        MPI_Datatype type = type_of(l);

        if (fetches && l->n == 1)
            MPI_Fetch_and_op(in, out, MPI_UINT32_T, l->target, at(l), ops()[op], w.win);
        else if (fetches)
            MPI_Get_accumulate(in, l->n, MPI_UINT32_T, out, l->n, MPI_UINT32_T, l->target, at(l), 1,
                               type, ops()[op], w.win);
        else
            MPI_Accumulate(in, l->n, MPI_UINT32_T, l->target, at(l), 1, type, ops()[op], w.win);
        MPI_Type_free(&type);
    }
    for (int i = 0; i < l->n; i++) {
        word *x = &model[l->target][place(l, i)];
        *x = combined(op, *x, value(origin, i));
    }
}

static void one_block(int target, int block)
{
    enum use use = draw(USES);
    int owner = (int) draw((unsigned) size), op = draw_op(7);
    bool flushes = draw(4) == 0;

    if (use == PUT) {
        struct layout l = layout_draw(target, block);
        put(&l, owner, draw(2));
    }
    for (int r = 0; r < size && (use == GET || use == TOGETHER); r++) {
        struct layout l = layout_draw(target, block);
        if (use == TOGETHER)
            accumulate(&l, r, op, false);
        else if (r == rank)
            get(&l);
    }
    for (int i = 0; use == IN_ORDER && i < 4; i++) {
        struct layout l = layout_draw(target, block);
        bool fetches = draw(2);
        accumulate(&l, owner, draw_op(fetches ? 9 : 8), fetches);
    }
    if (flushes && passive())
        MPI_Win_flush(target, w.win);
}

/* Stores of the ranks themselves, in some of their words. */
static void stores(void)
{
    window_own(&w);
    for (int r = 0; r < size; r++)
        for (int i = (int) draw(40); i < INTS; i += 1 + (int) draw(40)) {
            model[r][i] = value(r, i);
            if (r == rank)
                ((word *) w.base)[i] = model[r][i];
        }
    window_done(&w);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void verify(void)
{
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < results; i++)
        must(memcmp(result[i].got, result[i].want, (size_t) result[i].n * sizeof(word)) == 0,
             "a result");
    must(memcmp(w.base, model[rank], sizeof model[rank]) == 0, "the memory");
    results = requests = 0;
    used = 0;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void one_round(void)
{
    kind = (int) draw(EPOCHS + 1);
    if (draw(2))
        stores();
    if (kind != SINGLE)
        epoch_begin(&w, (enum epoch) kind);
    for (int t = 0; t < size; t++) {
        if (kind == SINGLE)
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, t, 0, w.win);
        for (int b = 0; b < BLOCKS; b++)
            one_block(t, b);
        if (kind == SINGLE)
            MPI_Win_unlock(t, w.win);
    }
    if (kind != SINGLE)
        epoch_end(&w, (enum epoch) kind);
    else
        window_settle(&w);
    verify();
}

int main(int argc, char **argv)
{
    rma_init(&argc, &argv);
    seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    for (program = 0; program < (argc > 2 ? (int) strtol(argv[2], NULL, 10) : 8); program++) {
        state = seed * 1000003u + (uint64_t) program;
        enum flavor f = draw(FLAVORS);
        w = window_make(f == SHARED && !rma_one_node() ? CREATED : f, INTS * 4, 1 << draw(3));
        memset(model, 0, sizeof model);
        window_fill(&w, 0);
        for (round_of = 0; round_of < ROUNDS; round_of++)
            one_round();
        window_free(&w);
    }
    MPI_Finalize();
    return 0;
}
