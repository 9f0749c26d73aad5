/* no_elements.c — P11, R09: an operation of no elements, or for MPI_PROC_NULL, combines nothing, so
 * its operation need not take its datatype: mpi4py's tests do so with MPI_BYTE and MPI_SUM. With an
 * element it must. */
#include "rma_test.h"

static int rank;
static MPI_Win w;
static char in[8] = "aaaaaaa", out[8] = "zzzzzzz";

#define DONE(call)           CHECK_INT(call, MPI_SUCCESS)
#define REFUSED(call, class) CHECK_INT(error_class(call), class)

static void wait_for(MPI_Request *r)
{
    MPI_Wait(r, MPI_STATUS_IGNORE);
    CHECK(*r == MPI_REQUEST_NULL);
}

/* Nothing is done. */
static void plain(int count, int to, MPI_Datatype type, MPI_Op op)
{
    MPI_Request r;

    DONE(MPI_Accumulate(in, count, type, to, 0, count, type, op, w));
    DONE(MPI_Get_accumulate(in, count, type, out, count, type, to, 0, count, type, op, w));
    DONE(MPI_Raccumulate(in, count, type, to, 0, count, type, op, w, &r));
    wait_for(&r);
    DONE(MPI_Rget_accumulate(in, count, type, out, count, type, to, 0, count, type, op, w, &r));
    wait_for(&r);
}

static void nothing(int target)
{
    MPI_Datatype empty;

    MPI_Type_contiguous(0, MPI_FLOAT, &empty);
    MPI_Type_commit(&empty);
    plain(0, target, MPI_BYTE, MPI_SUM);
    plain(0, target, MPI_FLOAT, MPI_BAND);
    plain(0, target, MPI_INT, MPI_MAXLOC);
    plain(3, target, empty, MPI_BAND);
    DONE(MPI_Accumulate(in, 0, MPI_BYTE, target, 0, 1, MPI_BYTE, MPI_SUM, w));
    MPI_Type_free(&empty);
}

/* At the edge of a grid the target is MPI_PROC_NULL, and its data may be anything. */
static void nowhere(void)
{
    const int to = MPI_PROC_NULL;

    plain(1, to, MPI_BYTE, MPI_SUM);
    plain(1, to, MPI_FLOAT, MPI_BAND);
    DONE(MPI_Fetch_and_op(in, out, MPI_BYTE, to, 0, MPI_SUM, w));
    DONE(MPI_Accumulate(in, 1, MPI_INT, to, 0, 1, MPI_FLOAT, MPI_SUM, w));
    DONE(MPI_Put(in, 8, MPI_CHAR, to, 0, 0, MPI_CHAR, w));
    DONE(MPI_Get(out, 0, MPI_CHAR, to, 0, 8, MPI_CHAR, w));
}

static void something(int target)
{
    REFUSED(MPI_Accumulate(in, 1, MPI_BYTE, target, 0, 1, MPI_BYTE, MPI_SUM, w), MPI_ERR_OP);
    REFUSED(MPI_Fetch_and_op(in, out, MPI_BYTE, target, 0, MPI_SUM, w), MPI_ERR_OP);
    REFUSED(MPI_Accumulate(in, 0, MPI_BYTE, target, 0, 0, MPI_BYTE, MPI_NO_OP, w), MPI_ERR_OP);
    REFUSED(MPI_Accumulate(in, 0, MPI_BYTE, target, 0, 0, MPI_BYTE, MPI_OP_NULL, w), MPI_ERR_OP);
    REFUSED(MPI_Put(in, 8, MPI_CHAR, target, 0, 0, MPI_CHAR, w), MPI_ERR_TYPE);
}

/* MPICH compares characters, too. */
static void characters(int target)
{
    const char old = 'm', new = 'x';
    char got = 'g';

    DONE(MPI_Compare_and_swap(&new, &old, &got, MPI_CHAR, target, 7, w));
    DONE(MPI_Win_flush(target, w));
    CHECK(got == 0); /* the end of the text: not equal, so it stays */
    DONE(MPI_Compare_and_swap(&old, &old, &got, MPI_CHARACTER, target, 0, w));
    DONE(MPI_Win_flush(target, w));
    CHECK(got == 'm');
    REFUSED(MPI_Compare_and_swap(in, in, out, MPI_FLOAT, target, 0, w), MPI_ERR_TYPE);
}

/* Reductions refuse them at any count, as MPICH does: all processes give the same arguments. */
static void reductions(void)
{
    REFUSED(MPI_Reduce_local(in, out, 0, MPI_BYTE, MPI_SUM), MPI_ERR_OP);
    REFUSED(MPI_Allreduce(in, out, 0, MPI_BYTE, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_OP);
    REFUSED(MPI_Scan(in, out, 0, MPI_BYTE, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_OP);
}

int main(int argc, char **argv)
{
    char memory[8] = "mmmmmmm";
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, w);
    nothing((rank + 1) % size);
    nothing(MPI_PROC_NULL);
    nowhere();
    something((rank + 1) % size);
    characters((rank + 1) % size);
    MPI_Win_unlock_all(w);
    reductions();
    MPI_Win_free(&w);
    CHECK(!strcmp(memory, "mmmmmmm") && !strcmp(in, "aaaaaaa") && !strcmp(out, "zzzzzzz"));
    MPI_Finalize();
    return 0;
}
