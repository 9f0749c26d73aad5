/* io_plain.c — a plain pass over a file and an exchange, as the measure for collective accesses. */
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#include "io_plain.h"
#include "perf.h"

enum { PAGE = 4096 };

static struct {
    int fd;
    char *memory, *share;         /* the user's memory; the bytes of this process's share */
    MPI_Aint begin, len;          /* of the share in the file */
    MPI_Datatype *mine, *theirs;  /* by rank: in memory, and in the share */
    int *ones_mine, *ones_theirs; /* their counts: 1, or 0 when there are no bytes */
    int *zeros;
} plain;

/* ---- datatypes ------------------------------------------------------------------------------- */

/* How many places from the first on have the same distance. */
static int run_of(const MPI_Aint *at, int n)
{
    int k = n < 2 ? n : 2;

    while (k < n && at[k] - at[k - 1] == at[1] - at[0])
        k++;
    return k;
}

/* Whether places are groups of k that look alike. */
static bool repeats(const MPI_Aint *at, int n, int k)
{
    for (int i = k; i < n; i++)
        if (i % k && at[i] - at[i - 1] != at[1] - at[0])
            return false;
    return k > 1 && n % k == 0;
}

/* A type with `old` at all these places, as vectors of vectors where they can be that. Frees old
 * and changes the list. */
static MPI_Datatype nested(MPI_Aint *at, int n, MPI_Datatype old)
{
    int k = run_of(at, n);
    bool alike = repeats(at, n, k);
    MPI_Datatype made;

    if (alike) {
        MPI_Type_create_hvector(k, 1, at[1] - at[0], old, &made);
        for (int i = 0; i < n / k; i++)
            at[i] = at[i * k];
    } else
        MPI_Type_create_hindexed_block(n, 1, at, old, &made);
    MPI_Type_free(&old);
    return alike ? nested(at, n / k, made) : made;
}

static MPI_Datatype type_of(MPI_Aint *at, int n, size_t block)
{
    MPI_Datatype type;

    MPI_Type_contiguous((int) block, MPI_BYTE, &type);
    type = nested(at, n, type);
    MPI_Type_commit(&type);
    return type;
}

/* The share of the file that a process passes over. Blocks are not divided: a share has those that
 * begin in it; all but the last are whole pages. */
static MPI_Aint begin_of(const struct io_shape *s, int rank)
{
    return (s->file / perf.size + PAGE) / PAGE * PAGE * rank;
}

/* The blocks that one rank has in the share of another, as places in `from`, an array of all. */
static int select_blocks(const struct io_shape *s, const MPI_Aint *in_file, int owner,
                         const MPI_Aint *from, MPI_Aint minus, MPI_Aint *to)
{
    int n = 0;

    for (int k = 0; k < s->blocks; k++)
        if (in_file[k] >= begin_of(s, owner) && in_file[k] < begin_of(s, owner + 1))
            to[n++] = from[k] - minus;
    return n;
}

static void make_types(enum io_kind kind, const struct io_shape *s)
{
    MPI_Aint *in_memory = io_shape_in_memory(s), *own = io_shape_in_file(kind, s, perf.rank);
    MPI_Aint *some = perf_buffer((size_t) s->blocks * sizeof *some);

    for (int i = 0; i < perf.size; i++) {
        int n = select_blocks(s, own, i, in_memory, 0, some);
        plain.mine[i] = n ? type_of(some, n, s->block) : MPI_BYTE;
        plain.ones_mine[i] = n > 0;
        MPI_Aint *theirs = io_shape_in_file(kind, s, i);
        n = select_blocks(s, theirs, perf.rank, theirs, plain.begin, some);
        plain.theirs[i] = n ? type_of(some, n, s->block) : MPI_BYTE;
        plain.ones_theirs[i] = n > 0;
        free(theirs);
    }
    free(in_memory);
    free(own);
    free(some);
}

/* ---- life ------------------------------------------------------------------------------------ */

void io_plain_begin(enum io_kind kind, const struct io_shape *s, char *memory, int fd)
{
    size_t n = (size_t) perf.size;
    MPI_Aint end = begin_of(s, perf.rank + 1);

    plain.fd = fd;
    plain.memory = memory;
    plain.begin = begin_of(s, perf.rank);
    plain.len = (end < s->file ? end : s->file) - plain.begin;
    plain.share = perf_buffer((size_t) plain.len + s->block);
    plain.mine = perf_buffer(n * sizeof(MPI_Datatype));
    plain.theirs = perf_buffer(n * sizeof(MPI_Datatype));
    plain.ones_mine = perf_buffer(n * sizeof(int));
    plain.ones_theirs = perf_buffer(n * sizeof(int));
    plain.zeros = perf_buffer(n * sizeof(int));
    for (int i = 0; i < perf.size; i++)
        plain.zeros[i] = 0;
    make_types(kind, s);
}

void io_plain_end(void)
{
    for (int i = 0; i < perf.size; i++) {
        if (plain.ones_mine[i])
            MPI_Type_free(&plain.mine[i]);
        if (plain.ones_theirs[i])
            MPI_Type_free(&plain.theirs[i]);
    }
    free(plain.share);
    free(plain.mine);
    free(plain.theirs);
    free(plain.ones_mine);
    free(plain.ones_theirs);
    free(plain.zeros);
}

/* ---- the work -------------------------------------------------------------------------------- */

void io_plain_write(int n)
{
    for (int i = 0; i < n; i++) {
        MPI_Alltoallw(plain.memory, plain.ones_mine, plain.zeros, plain.mine, plain.share,
                      plain.ones_theirs, plain.zeros, plain.theirs, MPI_COMM_WORLD);
        if (pwrite(plain.fd, plain.share, (size_t) plain.len, plain.begin) != plain.len)
            perf_fail("pwrite");
    }
}

void io_plain_read(int n)
{
    for (int i = 0; i < n; i++) {
        if (pread(plain.fd, plain.share, (size_t) plain.len, plain.begin) != plain.len)
            perf_fail("pread");
        MPI_Alltoallw(plain.share, plain.ones_theirs, plain.zeros, plain.theirs, plain.memory,
                      plain.ones_mine, plain.zeros, plain.mine, MPI_COMM_WORLD);
    }
}
