/* mismatch.c — processes that make different collective calls: each such mistake ends soon in an
 * error that shows both calls, in at least one process, and no process hangs.
 *
 * Correct calls after a mistake end, too: they report the mistake to processes that have not
 * seen it, and return right results or errors. Only for Starling: other libraries hang or report
 * nothing. */
#include <stdbool.h>
#include <unistd.h>
#include "coll_test.h"

enum { RIGHT = 20, ROOM = 100000 };

struct mistake {
    const char *name;
    int (*call)(struct me m, bool odd_one);
    const char *ours, *theirs; /* texts that an error must show */
};

static int data[ROOM], more[ROOM];

/* ---- the mistakes ---------------------------------------------------------------------------- */

static int sizes(struct me m, bool odd_one)
{
    return MPI_Bcast(data, odd_one ? 5 : 4, MPI_INT, 0, m.comm);
}

static int large_sizes(struct me m, bool odd_one)
{
    return MPI_Bcast(data, odd_one ? ROOM - 1 : ROOM, MPI_INT, 0, m.comm);
}

/* Lengths that look alike in a signature. */
static int alike_sizes(struct me m, bool odd_one)
{
    return MPI_Bcast(data, odd_one ? 19 : 4, MPI_INT, 0, m.comm);
}

static int large_alike_sizes(struct me m, bool odd_one)
{
    return MPI_Bcast(data, odd_one ? ROOM - 15000 : ROOM, MPI_INT, 0, m.comm);
}

static int alike_blocks(struct me m, bool odd_one)
{
    int n = odd_one ? 32 : 2;

    return MPI_Alltoall(data, n, MPI_INT, more, n, MPI_INT, m.comm);
}

static int roots(struct me m, bool odd_one)
{
    return MPI_Bcast(data, 4, MPI_INT, odd_one ? m.size - 1 : 0, m.comm);
}

static int large_roots(struct me m, bool odd_one)
{
    return MPI_Bcast(data, ROOM, MPI_INT, odd_one ? m.size - 1 : 0, m.comm);
}

static int operations(struct me m, bool odd_one)
{
    return MPI_Allreduce(data, more, 1, MPI_INT, odd_one ? MPI_MAX : MPI_SUM, m.comm);
}

static void larger(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void) type;
    for (int i = 0; i < *len; i++)
        if (((int *) in)[i] > ((int *) inout)[i])
            ((int *) inout)[i] = ((int *) in)[i];
}

static int own_operation(struct me m, bool odd_one)
{
    MPI_Op op;

    MPI_Op_create(larger, 1, &op);
    int err = MPI_Allreduce(data, more, 1, MPI_INT, odd_one ? op : MPI_MAX, m.comm);
    MPI_Op_free(&op);
    return err;
}

static int types(struct me m, bool odd_one)
{
    return MPI_Allreduce(data, more, 2, odd_one ? MPI_FLOAT : MPI_INT, MPI_SUM, m.comm);
}

static int large_types(struct me m, bool odd_one)
{
    return MPI_Allreduce(data, more, ROOM, odd_one ? MPI_FLOAT : MPI_INT, MPI_SUM, m.comm);
}

static int type_sizes(struct me m, bool odd_one)
{
    return MPI_Allreduce(data, more, 2, odd_one ? MPI_DOUBLE : MPI_INT, MPI_SUM, m.comm);
}

static int bcast_or_barrier(struct me m, bool odd_one)
{
    return odd_one ? MPI_Barrier(m.comm) : MPI_Bcast(data, 1, MPI_INT, 0, m.comm);
}

static int large_bcast_or_barrier(struct me m, bool odd_one)
{
    return odd_one ? MPI_Barrier(m.comm) : MPI_Bcast(data, ROOM, MPI_INT, 0, m.comm);
}

static int blocks(struct me m, bool odd_one)
{
    return MPI_Gather(data, odd_one ? 3 : 2, MPI_INT, more, 2, MPI_INT, 0, m.comm);
}

static int block_types(struct me m, bool odd_one)
{
    return MPI_Allgather(data, 2, MPI_INT, more, 2, odd_one ? MPI_FLOAT : MPI_INT, m.comm);
}

static int parts(struct me m, bool odd_one)
{
    return MPI_Reduce_scatter_block(data, more, odd_one ? 3 : 2, MPI_INT, MPI_SUM, m.comm);
}

static int all_parts(struct me m, bool odd_one)
{
    int n[16];

    for (int i = 0; i < 16; i++)
        n[i] = 1 + odd_one;
    return MPI_Reduce_scatter(data, more, n, MPI_INT, MPI_SUM, m.comm);
}

static int forms(struct me m, bool odd_one)
{
    MPI_Request r;

    if (!odd_one)
        return MPI_Allreduce(data, more, 1, MPI_INT, MPI_SUM, m.comm);
    int err = MPI_Iallreduce(data, more, 1, MPI_INT, MPI_SUM, m.comm, &r);
    return err ? err : MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static int begun(struct me m, bool odd_one)
{
    MPI_Request r;
    int err = odd_one ? MPI_Ibarrier(m.comm, &r) : MPI_Ibcast(data, 4, MPI_INT, 0, m.comm, &r);

    return err ? err : MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* No message goes from one of these calls to the other. */
static int nothing_or_much(struct me m, bool odd_one)
{
    MPI_Request r;
    int err =
        MPI_Ireduce(data, more, odd_one ? ROOM / 15 * 15 : 0, MPI_INT, MPI_SUM, 0, m.comm, &r);

    return err ? err : MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static int begun_alike_sizes(struct me m, bool odd_one)
{
    MPI_Request r;
    int err = MPI_Iallreduce(data, more, odd_one ? 16 : 1, MPI_INT, MPI_SUM, m.comm, &r);

    return err ? err : MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* Lengths that are in no signature. */
static int array_sizes(struct me m, bool odd_one)
{
    int n[16], at[16];

    for (int i = 0; i < 16; i++) {
        n[i] = odd_one ? 1 : 2;
        at[i] = 2 * i;
    }
    return MPI_Allgatherv(data, n[0], MPI_INT, more, n, at, MPI_INT, m.comm);
}

static int persistent(struct me m, bool odd_one)
{
    MPI_Request r;

    int err = MPI_Allreduce_init(data, more, 1, MPI_INT, odd_one ? MPI_MAX : MPI_SUM, m.comm,
                                 MPI_INFO_NULL, &r);
    if (err) /* where processes exchange messages in that call */
        return err;
    CHECK(!MPI_Start(&r));
    err = MPI_Wait(&r, MPI_STATUS_IGNORE);
    CHECK(!MPI_Request_free(&r));
    return err;
}

/* The first process makes another call than those that wait for its message. */
static int persistent_or_other(struct me m, bool odd_one)
{
    MPI_Request r;

    int err =
        odd_one ? MPI_Gather_init(data, 1, MPI_INT, more, 1, MPI_INT, 0, m.comm, MPI_INFO_NULL, &r)
                : MPI_Allreduce_init(data, more, 1, MPI_INT, MPI_SUM, m.comm, MPI_INFO_NULL, &r);
    if (err)
        return err;
    CHECK(!MPI_Start(&r));
    err = MPI_Wait(&r, MPI_STATUS_IGNORE);
    CHECK(!MPI_Request_free(&r));
    return err;
}

/* Calls that are numbered apart (persistent ones and others), each of which waits. */
static int persistent_or_not(struct me m, bool odd_one)
{
    return odd_one ? MPI_Allreduce(data, more, 1, MPI_INT, MPI_MAX, m.comm) : persistent(m, false);
}

/* Blocking and nonblocking calls are numbered apart, too, and may change places: it is an error
 * when each process waits in its call for the other one. */
static int begun_or_not(struct me m, bool odd_one)
{
    MPI_Request r;
    MPI_Status status;

    if (!odd_one)
        return MPI_Barrier(m.comm);
    int err = MPI_Iallreduce(data, more, 1, MPI_INT, MPI_SUM, m.comm, &r);
    err = err ? err : MPI_Waitall(1, &r, &status);
    return err == MPI_ERR_IN_STATUS ? status.MPI_ERROR : err;
}

static const struct mistake mistakes[] = {
    { "sizes", sizes, "MPI_Bcast(count=4, datatype=MPI_INT, root=0)",
      "MPI_Bcast(count=5, datatype=MPI_INT, root=0)" },
    { "large sizes", large_sizes, "MPI_Bcast(count=100000, datatype=MPI_INT, root=0)",
      "MPI_Bcast(count=99999, datatype=MPI_INT, root=0)" },
    { "alike sizes", alike_sizes, "MPI_Bcast(count=", ", datatype=MPI_INT, root=0), while " },
    { "large alike sizes", large_alike_sizes,
      "MPI_Bcast(count=", ", datatype=MPI_INT, root=0), while " },
    { "alike blocks", alike_blocks, "MPI_Alltoall(recvcount=", ", recvtype=MPI_INT), while " },
    { "begun alike sizes", begun_alike_sizes,
      "MPI_Iallreduce(count=", ", datatype=MPI_INT, op=MPI_SUM), while " },
    { "nothing or much", nothing_or_much,
      "MPI_Ireduce(count=", ", datatype=MPI_INT, op=MPI_SUM, root=0), while " },
    { "array sizes", array_sizes, "MPI_Allgatherv(), while ",
      "the same with data of another length" },
    { "roots", roots, "MPI_Bcast(count=4, datatype=MPI_INT, root=0)",
      "MPI_Bcast(count=4, datatype=MPI_INT, root=" },
    { "large roots", large_roots, "MPI_Bcast(count=100000, datatype=MPI_INT, root=0)",
      "MPI_Bcast(count=100000, datatype=MPI_INT, root=" },
    { "operations", operations, "MPI_Allreduce(count=1, datatype=MPI_INT, op=MPI_SUM)",
      "MPI_Allreduce(count=1, datatype=MPI_INT, op=MPI_MAX)" },
    { "own operation", own_operation, "MPI_Allreduce(count=1, datatype=MPI_INT, op=MPI_MAX)",
      "op=the program's own, commutative)" },
    { "types", types, "MPI_Allreduce(count=2, datatype=MPI_INT, op=MPI_SUM)",
      "MPI_Allreduce(count=2, datatype=MPI_FLOAT, op=MPI_SUM)" },
    { "large types", large_types, "MPI_Allreduce(count=100000, datatype=MPI_INT, op=MPI_SUM)",
      "MPI_Allreduce(count=100000, datatype=MPI_FLOAT, op=MPI_SUM)" },
    { "type sizes", type_sizes, "MPI_Allreduce(count=2, datatype=MPI_INT, op=MPI_SUM)",
      "MPI_Allreduce(count=2, datatype=MPI_DOUBLE, op=MPI_SUM)" },
    { "bcast or barrier", bcast_or_barrier, "MPI_Bcast(count=1, datatype=MPI_INT, root=0)",
      "MPI_Barrier()" },
    { "large bcast or barrier", large_bcast_or_barrier,
      "MPI_Bcast(count=100000, datatype=MPI_INT, root=0)", "MPI_Barrier()" },
    { "blocks", blocks, "count=2, ", "MPI_Gather(sendcount=3, sendtype=MPI_INT, root=0)" },
    { "block types", block_types, "MPI_Allgather(recvcount=2, recvtype=MPI_INT)",
      "MPI_Allgather(recvcount=2, recvtype=MPI_FLOAT)" },
    { "parts", parts, "MPI_Reduce_scatter_block(recvcount=2, datatype=MPI_INT, op=MPI_SUM)",
      "MPI_Reduce_scatter_block(recvcount=3, datatype=MPI_INT, op=MPI_SUM)" },
    { "all parts", all_parts,
      "MPI_Reduce_scatter(all recvcounts=", ", datatype=MPI_INT, op=MPI_SUM), while" },
    { "forms", forms, "MPI_Allreduce(count=1, datatype=MPI_INT, op=MPI_SUM)",
      "MPI_Iallreduce(count=1, datatype=MPI_INT, op=MPI_SUM)" },
    { "begun", begun, "MPI_Ibcast(count=4, datatype=MPI_INT, root=0)", "MPI_Ibarrier()" },
    { "persistent", persistent, "MPI_Allreduce_init(count=1, datatype=MPI_INT, op=MPI_SUM)",
      "MPI_Allreduce_init(count=1, datatype=MPI_INT, op=MPI_MAX)" },
    { "persistent or another", persistent_or_other,
      "MPI_Allreduce_init(count=1, datatype=MPI_INT, op=MPI_SUM)", "MPI_Gather_init(" },
    { "persistent or not", persistent_or_not, "MPI_Allreduce_init(count=1, ",
      "MPI_Allreduce(count=1, " },
    { "begun or not", begun_or_not, "MPI_Iallreduce(count=1, datatype=MPI_INT, op=MPI_SUM)",
      "MPI_Barrier()" },
};

/* ---- what comes of them ---------------------------------------------------------------------- */

/* An error that does not show both calls is about something else, and a failure. */
static bool told(const struct mistake *x, int err)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    if (err == MPI_SUCCESS)
        return false;
    CHECK(!MPI_Error_string(err, text, &len));
    if (strstr(text, "our own block has 12 bytes, but room for 8"))
        return true; /* at the root, where the mistake is */
    if (!strstr(text, x->ours) || !strstr(text, x->theirs)) {
        fprintf(stderr, "%s: %s\n", x->name, text);
        CHECK(!"the error shows both calls");
    }
    return true;
}

/* Correct calls after the mistake: each may report it, or that messages were lost through it. */
static int right(const struct mistake *x, struct me m, int n)
{
    int one = 1, sum, said = 0;

    for (int i = 0; i < n; i++) {
        int err = MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, m.comm);
        said += told(x, err);
        if (!err && sum != m.size)
            fprintf(stderr, "%s: a wrong sum\n", x->name);
        if (!err)
            CHECK_INT(sum, m.size);
    }
    return said;
}

static void try(const struct mistake *x, int before, int odd)
{
    struct me m;
    MPI_Comm comm;
    int all;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    m = whoami(comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK_INT(right(x, m, before), 0);
    int said = told(x, x->call(m, m.rank == odd));
    MPI_Barrier(MPI_COMM_WORLD);
    said += right(x, m, RIGHT);
    MPI_Allreduce(&said, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (!all)
        fprintf(stderr, "%s: no process got an error\n", x->name);
    CHECK(all > 0);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    alarm(120);
    for (size_t i = 0; size > 1 && i < sizeof mistakes / sizeof *mistakes; i++) {
        if (argc > 1 && strcmp(argv[1], mistakes[i].name) != 0)
            continue;
        try(&mistakes[i], 0, size - 1);
        try(&mistakes[i], 0, 0);
        try(&mistakes[i], RIGHT, size / 2);
    }
    MPI_Finalize();
    return 0;
}
