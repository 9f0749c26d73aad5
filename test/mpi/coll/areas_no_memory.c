/* areas_no_memory.c — a process has no memory for its part in an area that the others have: all get
 * that error, and none of them waits for ever. Or it has none to remember its calls in, by which
 * those that differ are found: other calls are done. */
#include <stdbool.h>
#include "coll_test.h"

static bool malloc_fails, calloc_fails; /* the next one */

void *__real_malloc(size_t len);
void *__wrap_malloc(size_t len);
void *__real_calloc(size_t n, size_t len);
void *__wrap_calloc(size_t n, size_t len);

static bool once(bool *fails)
{
    bool now = *fails;

    *fails = false;
    return now;
}

void *__wrap_malloc(size_t len) { return once(&malloc_fails) ? NULL : __real_malloc(len); }

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

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    test_no_part();
    test_no_memory_of_calls();
    MPI_Finalize();
    return 0;
}
