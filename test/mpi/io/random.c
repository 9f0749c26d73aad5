/* random.c — F04, F05, F08, F12: random accesses to a file in all forms, through random views, from
 * random types of memory, against a model of the file in memory: every rank draws the whole
 * program, and so knows what all ranks do.
 *
 * Usage: random [seed [programs]]
 *
 * In a step each rank has a view of its own that has no byte in common with those of others: the
 * file is cut into cells, which go to the ranks in turn; the filetype takes some bytes of each cell
 * of the rank. At the end of a program plain reads compare the whole file with the model. */
#include "forms.h"

enum { LEN = 6000, CELL = 48, STEPS = 6, OPS = 5, MOST = 300, SPREAD = 4 };

static uint64_t state; /* of the random numbers, the same on all ranks */
static unsigned long seed;
static int program, step;
static unsigned char model[LEN];

/* The view of a rank, in units of the etype: runs of a cell, of which each tile has one. */
struct cells {
    int first, turn; /* bytes from the begin of the file; from one tile to the next */
    int esize, runs, at[3], len[3];
};

/* What a rank does in one call. */
struct step_of {
    enum form form;
    bool writes;
    int from, n; /* etypes */
    int memory;  /* which type */
};

struct pending {
    unsigned char *buf;
    int n, memory;
    bool checks;
    unsigned char want[MOST * SPREAD];
};

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned) (state >> 33) % n;
}

static unsigned char value(int origin, int i)
{
    uint64_t x = (state ^ (uint64_t) (origin * 7919 + i * 104729 + 1)) * 0xbf58476d1ce4e5b9u;

    return (unsigned char) (x >> 56);
}

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "seed %lu, program %d, step %d: %s\n", seed, program, step, what);
    CHECK(!"the model and the file differ");
}

/* Byte k of a view. */
static int byte_at(const struct cells *c, int k)
{
    int tile_bytes = 0, r;

    for (r = 0; r < c->runs; r++)
        tile_bytes += c->len[r] * c->esize;
    int at = c->first + k / tile_bytes * c->turn;
    k %= tile_bytes;
    for (r = 0; k >= c->len[r] * c->esize; r++)
        k -= c->len[r] * c->esize;
    return at + c->at[r] * c->esize + k;
}

static struct cells draw_cells(int r, int disp, int order)
{
    static const int sizes[] = { 1, 2, 4, 8 };
    struct cells c = { .esize = sizes[draw(4)], .turn = CELL * size };
    int room = CELL / c.esize, at = 0;

    c.first = disp + CELL * ((r + order) % size);
    c.runs = 1 + (int) draw(3);
    for (int i = 0; i < c.runs; i++) {
        int left = room - at - (c.runs - 1 - i);
        c.at[i] = at + (int) draw((unsigned) (left / 2 + 1));
        c.len[i] = 1 + (int) draw((unsigned) (room - (c.runs - 1 - i) - c.at[i]));
        at = c.at[i] + c.len[i];
    }
    return c;
}

static void set_view(MPI_File f, const struct cells *c)
{
    MPI_Datatype etype, runs, filetype;

    MPI_Type_contiguous(c->esize, MPI_BYTE, &etype);
    MPI_Type_indexed(c->runs, c->len, c->at, etype, &runs);
    MPI_Type_create_resized(runs, 0, c->turn, &filetype);
    etype = committed(etype), filetype = committed(filetype);
    OK(MPI_File_set_view(f, c->first, etype, filetype, "native", MPI_INFO_NULL));
    MPI_Type_free(&etype);
    MPI_Type_free(&runs);
    MPI_Type_free(&filetype);
}

/* Byte k of the data is at this byte of the buffer. */
static int memory_at(int memory, int k)
{
    return memory == 0 ? k : memory == 1 ? 2 * k : k + k / 3;
}

static MPI_Datatype memory_type(int memory)
{
    MPI_Datatype part, type;

    if (memory == 0)
        return MPI_BYTE;
    if (memory == 1) {
        MPI_Type_create_resized(MPI_BYTE, 0, 2, &type);
        return committed(type);
    }
    MPI_Type_indexed(1, (int[]) { 3 }, (int[]) { 0 }, MPI_BYTE, &part);
    MPI_Type_create_resized(part, 0, 4, &type);
    MPI_Type_free(&part);
    return committed(type);
}

/* Bytes of one of the memory type. */
static int unit(int memory) { return memory == 2 ? 3 : 1; }

/* An access of whole etypes and of whole types of memory, in the file. */
static struct step_of draw_step(enum form form, const struct cells *c)
{
    struct step_of s = { .form = form, .writes = draw(2), .memory = (int) draw(3) };
    int most = 0;

    while (most < MOST && byte_at(c, (most + 1) * c->esize - 1) < LEN)
        most++;
    s.from = (int) draw((unsigned) most / 2 + 1);
    s.n = (int) draw((unsigned) (most - s.from < MOST / c->esize ? most - s.from : MOST / c->esize)
                     + 1);
    s.n -= s.n * c->esize % unit(s.memory) ? s.n % 3 : 0;
    return s;
}

/* The model of one access: writes change it, reads give what must be there. */
static void apply(const struct step_of *s, const struct cells *c, int r, struct pending *p)
{
    for (int k = 0; k < s->n * c->esize; k++) {
        int at = byte_at(c, s->from * c->esize + k);
        if (s->writes)
            model[at] = value(r, k);
        if (p)
            p->want[memory_at(s->memory, k)] = model[at];
    }
}

static void launch(MPI_File f, const struct step_of *s, const struct cells *c, struct pending *p,
                   MPI_Request *r)
{
    int bytes = s->n * c->esize;
    MPI_Datatype type = memory_type(s->memory);
    struct request_of a = { s->writes, s->form, s->from, p->buf, bytes / unit(s->memory), type };
    MPI_Status status;

    p->n = bytes, p->memory = s->memory, p->checks = !s->writes;
    if (s->writes)
        memcpy(p->buf, p->want, sizeof p->want);
    if (uses_pointer(s->form))
        OK(MPI_File_seek(f, s->from, MPI_SEEK_SET));
    *r = MPI_REQUEST_NULL;
    if (nonblocking(s->form)) {
        start(f, &a, r);
    } else {
        access_file(f, &a, &status);
        must(count_of(&status, type) == a.count, "a count");
    }
    if (uses_pointer(s->form))
        must(position(f) == s->from + s->n, "the pointer");
    if (type != MPI_BYTE)
        MPI_Type_free(&type);
}

/* Bytes of the buffer outside of the type must be as they were. */
static void finish(struct pending *p, MPI_Request *r)
{
    OK(MPI_Wait(r, MPI_STATUS_IGNORE));
    must(memcmp(p->buf, p->want, sizeof p->want) == 0, p->checks ? "a result" : "a source");
    free(p->buf);
}

/* MPICH 4.0 hangs in some nonblocking collective accesses. */
static enum form draw_form(void)
{
    enum form form = draw(FORMS);

    return starling() || !nonblocking(form) || !collective(form) ? form : AT_ALL;
}

/* A view for each rank, and some calls with it. No bytes are shared. */
static void one_step(MPI_File f)
{
    struct cells c[8];
    int disp = (int) draw(200), order = (int) draw(8);

    for (int r = 0; r < size; r++)
        c[r] = draw_cells(r, disp, order);
    set_view(f, &c[rank]);
    for (int op = 0; op < OPS; op++) {
        struct pending p;
        MPI_Request request;
        enum form form = draw_form();
        bool all_write = draw(2);
        for (int r = 0; r < size; r++) {
            struct step_of s = draw_step(form, &c[r]);
            if (collective(form))
                s.writes = all_write;
            if (r == rank) {
                p.buf = mpitest_memory(sizeof p.want);
                memset(p.want, 0xa5, sizeof p.want);
            }
            apply(&s, &c[r], r, r == rank ? &p : NULL);
            if (r == rank)
                launch(f, &s, &c[r], &p, &request);
        }
        finish(&p, &request);
    }
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    CHECK(size <= 8);
    seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    for (program = 0; program < (argc > 2 ? (int) strtol(argv[2], NULL, 10) : 8); program++) {
        MPI_File f;

        state = seed * 1000003u + (uint64_t) program;
        for (int i = 0; i < LEN; i++)
            model[i] = pattern(i);
        f = io_open(LEN);
        for (step = 0; step < STEPS; step++) {
            one_step(f);
            if (draw(3) == 0)
                io_same(model, LEN);
            settle(f);
        }
        io_same(model, LEN);
        io_close(&f);
    }
    io_end();
    return 0;
}
