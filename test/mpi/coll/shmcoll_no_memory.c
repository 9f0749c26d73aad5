/* shmcoll_no_memory.c — a process has no memory for its handle of a segment that the others
 * have: all get that error, and none of them hangs. The same for memory within an operation.
 * Without memory for the history of its calls, a process only loses the comparison of calls. */
#include <stdbool.h>
#include "coll_test.h"

enum { N = 100000, SCRATCH = 60000 };  /* elements; bytes of scratch memory that these need */
static int malloc_fails, calloc_fails; /* 1: the next call fails; n: the n-th from now */
static size_t at_least;                /* only malloc of so many bytes counts */

void *__real_malloc(size_t len);
void *__wrap_malloc(size_t len);
void *__real_calloc(size_t n, size_t len);
void *__wrap_calloc(size_t n, size_t len);

static bool once(int *fails) { return *fails > 0 && (*fails)-- == 1; }

void *__wrap_malloc(size_t len)
{
    return len >= at_least && once(&malloc_fails) ? NULL : __real_malloc(len);
}

void *__wrap_calloc(size_t n, size_t len)
{
    return once(&calloc_fails) ? NULL : __real_calloc(n, len);
}

static MPI_Comm another_comm(void)
{
    MPI_Comm c;

    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    return c;
}

static void test_no_part(void)
{
    MPI_Comm c = another_comm();
    int class;

    malloc_fails = whoami(c).rank == 1;
    MPI_Error_class(MPI_Barrier(c), &class);
    CHECK_INT(class, MPI_ERR_NO_MEM);
    CHECK(MPI_Barrier(c) != MPI_SUCCESS);
    MPI_Comm_free(&c);
    CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
}

static void test_no_memory_of_calls(void)
{
    MPI_Comm c = another_comm();
    struct me m = whoami(c);

    for (int root = 0; root < m.size; root++) {
        int v = value(m.rank, 0, root), sum = 0, expected = 0;
        for (int rank = 0; rank < m.size; rank++)
            expected += value(rank, 0, root);
        calloc_fails = m.rank == 1;
        CHECK(MPI_Reduce(&v, &sum, 1, MPI_INT, MPI_SUM, root, c) == MPI_SUCCESS);
        if (m.rank == root)
            CHECK_INT(sum, expected);
        CHECK(!calloc_fails || root > 0);
    }
    calloc_fails = false;
    CHECK(MPI_Barrier(c) == MPI_SUCCESS);
    MPI_Comm_free(&c);
}

static int begun(int *in, int *out, MPI_Comm c)
{
    MPI_Request r;
    int err = MPI_Iallreduce(in, out, N, MPI_INT, MPI_SUM, c, &r);

    return err ? err : MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static int persistent(int *in, int *out, MPI_Comm c)
{
    MPI_Request r;
    int err = MPI_Allreduce_init(in, out, N, MPI_INT, MPI_SUM, c, MPI_INFO_NULL, &r);

    if (err)
        return err;
    if (!(err = MPI_Start(&r)))
        err = MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
    return err;
}

static int blocking(int *in, int *out, MPI_Comm c)
{
    return MPI_Allreduce(in, out, N, MPI_INT, MPI_SUM, c);
}

/* Process 1 has no memory within a call. When its call fails, the others' calls fail, or their
 * next ones; no process hangs. */
static void test_stopped(int (*call)(int *in, int *out, MPI_Comm c), int nth)
{
    MPI_Comm c = another_comm();
    struct me m = whoami(c);
    int *in = ints(N), *out = ints(N), failed, any;

    CHECK(MPI_Barrier(c) == MPI_SUCCESS);
    for (int i = 0; i < N; i++)
        in[i] = i;
    at_least = SCRATCH;
    malloc_fails = m.rank == 1 ? nth : 0;
    failed = call(in, out, c) != MPI_SUCCESS;
    malloc_fails = 0;
    for (int i = 0; i < N && !failed; i++)
        CHECK_INT(out[i], m.size * i);
    failed |= MPI_Barrier(c) != MPI_SUCCESS;
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK_INT(failed, any);
    free(in);
    free(out);
    MPI_Comm_free(&c);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    test_no_part();
    test_no_memory_of_calls();
    for (int nth = 1; nth <= 3; nth++) {
        test_stopped(blocking, nth);
        test_stopped(begun, nth);
        test_stopped(persistent, nth);
    }
    MPI_Finalize();
    return 0;
}
