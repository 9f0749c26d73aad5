/* inter_mismatch.c — two groups that make different collective calls: at least one process gets
 * an error that shows both calls, and no process hangs. Only for Starling. */
#include <unistd.h>
#include "coll_test.h"

static MPI_Comm between(int tag)
{
    struct me m = whoami(MPI_COMM_WORLD);
    MPI_Comm half, inter;
    int first = m.size / 2;

    MPI_Comm_split(MPI_COMM_WORLD, m.rank < first, m.rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, m.rank < first ? first : 0, tag, &inter);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    MPI_Comm_free(&half);
    return inter;
}

static int told(int err, const char *theirs)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    if (err == MPI_SUCCESS)
        return 0;
    CHECK(!MPI_Error_string(err, text, &len));
    CHECK(strstr(text, "MPI_Allreduce(count=1, datatype=MPI_INT, op=MPI_SUM)")
          && strstr(text, theirs));
    return 1;
}

static void try(int i, int odd_one, const char *theirs)
{
    MPI_Comm c = between(i);
    int one = 1, sum, all, said, err;

    CHECK(!MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c));
    if (odd_one && i % 2)
        err = MPI_Barrier(c);
    else
        err = MPI_Allreduce(&one, &sum, 1, MPI_INT, odd_one ? MPI_MAX : MPI_SUM, c);
    said = told(err, theirs);
    MPI_Barrier(MPI_COMM_WORLD);
    said += told(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c), theirs);
    MPI_Allreduce(&said, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all > 0);
    MPI_Comm_free(&c);
}

enum { LARGEST = 100000 };
enum { BCAST, SCATTER, IBCAST, GATHER, REDUCE, OPERATIONS };

static int rooted(int op, int n, int root, MPI_Comm c)
{
    static int one[LARGEST], all[3 * LARGEST];

    switch (op) {
    case BCAST:
        return MPI_Bcast(one, n, MPI_INT, root, c);
    case GATHER:
        return MPI_Gather(one, n, MPI_INT, all, n, MPI_INT, root, c);
    case SCATTER:
        return MPI_Scatter(all, n, MPI_INT, one, n, MPI_INT, root, c);
    case REDUCE:
        return MPI_Reduce(one, all, n, MPI_INT, MPI_SUM, root, c);
    }
    MPI_Request r;
    int err = MPI_Ibcast(one, n, MPI_INT, root, c, &r);
    return err ? err : MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static int is_root_error(int err)
{
    int class;

    MPI_Error_class(err, &class);
    CHECK(class == MPI_SUCCESS || class == MPI_ERR_ROOT);
    return class == MPI_ERR_ROOT;
}

/* In the second group, the root passes another value than MPI_ROOT, or the other processes name
 * another root. A process that waits finds that. A short block that is sent to a process without
 * a receive is not found. */
static void test_roots(struct me m, int op, int n, int other)
{
    MPI_Comm c = between(9);
    int first = m.size / 2, root, said, all;

    if (m.rank >= first)
        root = first - 1;
    else
        root = other && m.rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    CHECK(!MPI_Barrier(c));
    said = is_root_error(rooted(op, n, root, c));
    MPI_Barrier(MPI_COMM_WORLD);
    said += is_root_error(MPI_Barrier(c));
    MPI_Allreduce(&said, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all > 0);
    MPI_Comm_free(&c);
}

enum { ALLREDUCE, REDUCE_SCATTER, PARTS, BEGUN, GATHER_ALL, GATHER_ALL_V, KINDS };

/* Makes one of the calls; all blocks have n elements. */
static int give(int kind, int n, MPI_Comm c)
{
    static int one[3 * LARGEST], all[3 * LARGEST];
    const int counts[] = { n, n, n }, displs[] = { 0, n, 2 * n };
    MPI_Request r;

    switch (kind) {
    case ALLREDUCE:
        return MPI_Allreduce(one, all, n, MPI_INT, MPI_SUM, c);
    case REDUCE_SCATTER:
        return MPI_Reduce_scatter(one, all, counts, MPI_INT, MPI_SUM, c);
    case PARTS:
        return MPI_Reduce_scatter_block(one, all, n, MPI_INT, MPI_SUM, c);
    case GATHER_ALL:
        return MPI_Allgather(one, n, MPI_INT, all, n, MPI_INT, c);
    case GATHER_ALL_V:
        return MPI_Allgatherv(one, n, MPI_INT, all, counts, displs, MPI_INT, c);
    }
    int err = MPI_Iallreduce(one, all, n, MPI_INT, MPI_SUM, c, &r);
    return err ? err : MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static int is_length_error(int err)
{
    char text[MPI_MAX_ERROR_STRING];
    int class, len;

    MPI_Error_class(err, &class);
    CHECK(class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE);
    if (class != MPI_SUCCESS)
        CHECK(!MPI_Error_string(err, text, &len) && strstr(text, " called MPI_"));
    return class == MPI_ERR_TRUNCATE;
}

/* Other lengths: of the whole second group, or of its last process only (alone); no bytes, or so
 * many that another algorithm is chosen. Reductions and gathers need the data of all processes,
 * so they find them. */
static const struct {
    int alone, ours, theirs;
} lengths[] = { { 0, 0, 1 }, { 1, 1, 0 }, { 1, 100, LARGEST } };

enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void test_lengths(struct me m, int kind, int i)
{
    int other = lengths[i].alone ? m.rank == m.size - 1 : m.rank >= m.size / 2, said, all;
    MPI_Comm c = between(11);

    CHECK(!MPI_Barrier(c));
    said = is_length_error(give(kind, other ? lengths[i].theirs : lengths[i].ours, c));
    MPI_Barrier(MPI_COMM_WORLD);
    said += is_length_error(MPI_Barrier(c));
    MPI_Allreduce(&said, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all > 0);
    MPI_Comm_free(&c);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct me m = whoami(MPI_COMM_WORLD);
    alarm(60);
    for (int i = 0; i < 4; i++)
        try(i, m.rank == (i < 2 ? m.size - 1 : 0),
            i % 2 ? "MPI_Barrier()" : "MPI_Allreduce(count=1, datatype=MPI_INT, op=MPI_MAX)");
    for (int op = 0; op < OPERATIONS; op++)
        for (int other = 0; other < m.size / 2; other++)
            test_roots(m, op, op == BCAST ? 1 : LARGEST, other);
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < LENGTHS; i++)
            test_lengths(m, kind, i);
    MPI_Finalize();
    return 0;
}
