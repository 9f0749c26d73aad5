/* same_key.c — several threads set, get and delete the attribute of one key of one communicator.
 * Each call sees the result of the call before it, waits while the delete function runs, and
 * succeeds. Each value that was set is deleted once. Error handlers are attached and freed
 * meanwhile.
 *
 * MPICH 4.0 fails: two threads call the delete function for the same attribute. */
#include <sched.h>
#include <stdatomic.h>
#include "../threads/threads.h"

enum { THREADS = 4, ROUNDS = 200 };
static int key;
static MPI_Comm comm;
static atomic_int sets, deletes, handled, inside;
static char value;

static int delete_fn(MPI_Comm c, int keyval, void *in, void *extra)
{
    int rank;

    (void) keyval, (void) extra;
    CHECK(in == &value);
    CHECK(c == comm && inside++ == 0);
    MPI_Comm_rank(c, &rank);
    sched_yield(); /* the other threads call now */
    MPI_Comm_rank(c, &rank);
    deletes++;
    inside--;
    return MPI_SUCCESS;
}

static void handler(MPI_Comm *c, int *code, ...)
{
    (void) code;
    CHECK(*c == comm);
    handled++;
}

static void fail(void)
{
    MPI_Errhandler h, got;
    int x = 0;

    MPI_Comm_create_errhandler(handler, &h);
    CHECK_INT(MPI_Comm_set_errhandler(comm, h), MPI_SUCCESS);
    CHECK_INT(MPI_Errhandler_free(&h), MPI_SUCCESS);
    CHECK(MPI_Send(&x, 1, MPI_DATATYPE_NULL, 0, 0, comm) != MPI_SUCCESS);
    CHECK_INT(MPI_Comm_get_errhandler(comm, &got), MPI_SUCCESS);
    CHECK_INT(MPI_Errhandler_free(&got), MPI_SUCCESS);
}

static void *run(void *me)
{
    for (int i = 0; i < ROUNDS; i++) {
        void *got = NULL;
        int flag = 0;

        CHECK_INT(MPI_Comm_set_attr(comm, key, &value), MPI_SUCCESS);
        sets++;
        CHECK_INT(MPI_Comm_get_attr(comm, key, &got, &flag), MPI_SUCCESS);
        CHECK(!flag || got == &value);
        if ((i + (intptr_t) me) % 3 == 0)
            CHECK_INT(MPI_Comm_delete_attr(comm, key), MPI_SUCCESS);
        fail();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_fn, &key, NULL);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    threads_run(THREADS, run);
    CHECK_INT(MPI_Comm_free(&comm), MPI_SUCCESS);
    CHECK_INT(deletes, sets);
    CHECK_INT(handled, THREADS * ROUNDS);
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
