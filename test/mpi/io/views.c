/* views.c — F04, F05, F12: filetypes of all kinds, with holes, tiled, other ones on each rank: what
 * is written is where the view says, and no other byte of the file changes. */
#include "view.h"

enum { LEN = 16384 };

static unsigned char value(int r, long long k) { return (unsigned char) (r * 37 + k * 5 + 1); }

/* Each rank has written some filetypes and some etypes more. */
static void compare(int kind, int first, int tiles, int etypes)
{
    unsigned char *want = mpitest_memory(LEN);

    for (int i = 0; i < LEN; i++)
        want[i] = pattern(i);
    for (int r = 0; r < size; r++) {
        struct view v = view_make(kind, r);
        const long long from = first * v.esize, n = tiles * v.bytes + etypes * v.esize;
        for (long long k = from; k < from + n; k++) {
            CHECK(view_at(&v, k) < LEN);
            want[view_at(&v, k)] = value(r, k);
        }
        view_free(&v);
    }
    io_same(want, LEN);
    free(want);
}

static void read_back(MPI_File f, enum form form, const struct view *v, long long from, long long n)
{
    unsigned char *got = mpitest_memory((size_t) n);
    MPI_Status s;

    OK(MPI_File_seek(f, from / v->esize, MPI_SEEK_SET));
    access_file(f, &(struct request_of) { false, form, from / v->esize, got, (int) n, MPI_BYTE },
                &s);
    CHECK_INT(count_of(&s, MPI_BYTE), n);
    for (long long k = from; k < from + n; k++)
        CHECK_INT(got[k - from], value(rank, k));
    if (uses_pointer(form))
        CHECK_INT(position(f), (from + n) / v->esize);
    free(got);
}

/* Each rank writes from an etype of its view on, in one form, and reads some of it in others. */
static void one(int kind, enum form form, int first)
{
    struct view v = view_make(kind, rank);
    const long long from = first * v.esize, n = 2 * v.bytes + 3 * v.esize;
    unsigned char *out = mpitest_memory((size_t) n);
    MPI_File f = io_open(LEN);
    MPI_Offset at;
    MPI_Status s;

    for (long long k = from; k < from + n; k++)
        out[k - from] = value(rank, k);
    view_set(f, &v);
    for (int e = 0; e * v.esize < 3 * v.bytes; e++) {
        OK(MPI_File_get_byte_offset(f, e, &at));
        CHECK_INT(at, view_at(&v, (long long) e * v.esize));
    }
    CHECK_INT(position(f), 0);
    OK(MPI_File_seek(f, first, MPI_SEEK_SET));
    access_file(f, &(struct request_of) { true, form, first, out, (int) (n / v.esize), v.etype },
                &s);
    CHECK_INT(count_of(&s, v.etype), n / v.esize);
    CHECK_INT(position(f), uses_pointer(form) ? first + n / v.esize : first);
    view_free(&v); /* the file goes on with its view */
    v = view_make(kind, rank);
    read_back(f, (form * 3 + 1) % FORMS, &v, from, n);
    read_back(f, (form * 7 + 2) % FORMS, &v, from + v.bytes, v.bytes / v.esize / 2 * v.esize);
    compare(kind, first, 2, 3);
    free(out);
    view_free(&v);
    io_close(&f);
}

/* Reading through a view what plain writes have put there, with short reads at the end. */
static void read_pattern(int kind, enum form form)
{
    struct view v = view_make(kind, rank);
    const long long n = 3 * v.bytes, end = view_at(&v, v.bytes + v.esize - 1) + 1;
    unsigned char *got = mpitest_memory((size_t) n);
    MPI_File f = io_open((size_t) end);
    long long there = 0;
    MPI_Status s;

    view_set(f, &v);
    access_file(f, &(struct request_of) { false, form, 0, got, (int) n, MPI_BYTE }, &s);
    while (there < n && view_at(&v, there) < plain_size())
        there++;
    /* Otherwise MPICH 4.0 gives the count that was asked for. */
    if (starling() || (kind == CONTIGUOUS && !collective(form)))
        CHECK_INT(count_of(&s, MPI_BYTE), there);
    for (long long k = 0; k < there; k++)
        CHECK_INT(got[k], pattern(view_at(&v, k)));
    free(got);
    view_free(&v);
    io_close(&f);
}

/* Ranks of the same file with views of different kinds; kinds in parts of their own do not meet. */
static void different(enum form form)
{
    struct view v = view_make(rank % 2 ? BYTES : VECTOR, rank);
    unsigned char *want = mpitest_memory(LEN), out[40];
    MPI_File f = io_open(LEN);
    MPI_Status s;

    for (int k = 0; k < 40; k++)
        out[k] = value(rank, k);
    view_set(f, &v);
    access_file(f, &(struct request_of) { true, form, 0, out, 40, MPI_BYTE }, &s);
    for (int i = 0; i < LEN; i++)
        want[i] = pattern(i);
    for (int r = 0; r < size; r++) {
        struct view u = view_make(r % 2 ? BYTES : VECTOR, r);
        for (int k = 0; k < 40; k++)
            want[view_at(&u, k)] = value(r, k);
        view_free(&u);
    }
    io_same(want, LEN);
    free(want);
    view_free(&v);
    io_close(&f);
}

/* A file open for writing only keeps the bytes in the holes of views as well. */
static void write_only(int kind, enum form form)
{
    struct view v = view_make(kind, rank);
    const long long n = 3 * v.bytes;
    unsigned char *out = mpitest_memory((size_t) n);
    MPI_Status s;
    MPI_File f;

    for (long long k = 0; k < n; k++)
        out[k] = value(rank, k);
    io_fresh();
    if (rank == 0)
        plain_pattern(LEN);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_WRONLY, MPI_INFO_NULL, &f));
    view_set(f, &v);
    access_file(f, &(struct request_of) { true, form, 0, out, (int) n, MPI_BYTE }, &s);
    OK(MPI_File_close(&f));
    compare(kind, 0, 3, 0);
    free(out);
    view_free(&v);
    io_remove();
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    CHECK(size <= 8);
    for (int kind = 0; kind < KINDS; kind++) {
        for (enum form form = kind % 2; form < FORMS; form += 2)
            one(kind, form, (kind + (int) form / 2) % 4);
        read_pattern(kind, kind % FORMS);
        read_pattern(kind, (kind + 5) % FORMS);
        write_only(kind, kind % FORMS);
        write_only(kind, (kind + 3) % FORMS);
    }
    for (enum form form = 0; form < FORMS; form++)
        different(form);
    io_end();
    return 0;
}
