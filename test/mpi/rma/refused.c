/* refused.c — calls of one-sided communication that are wrong: the class of their error, which goes
 * to the handler of the window; and what fails in one process fails in all.
 *
 * MPICH 4.0 fails: it has other classes, or looks at less. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "rma_test.h"

static int rank, size, errors;
static MPI_Win at;

static void handler(MPI_Win *win, int *code, ...)
{
    (void) code;
    CHECK(*win == at);
    errors++;
}

#define REFUSED(call, class) CHECK_INT(error_class(call), class)

static void types(MPI_Win w)
{
    int i = 1, old = 0;
    double d = 1;

    REFUSED(MPI_Put(&i, 1, MPI_INT, 0, 0, 1, MPI_DOUBLE, w), MPI_ERR_TYPE);
    REFUSED(MPI_Get(&i, 1, MPI_INT, 0, 0, 2, MPI_INT, w), MPI_ERR_TYPE);
    REFUSED(MPI_Accumulate(&i, 1, MPI_INT, 0, 0, 1, MPI_FLOAT, MPI_SUM, w), MPI_ERR_TYPE);
    REFUSED(MPI_Compare_and_swap(&d, &d, &d, MPI_DOUBLE, 0, 0, w), MPI_ERR_TYPE);
    REFUSED(MPI_Accumulate(&i, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_MAXLOC, w), MPI_ERR_OP);
    REFUSED(MPI_Accumulate(&i, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, w), MPI_ERR_OP);
    REFUSED(MPI_Fetch_and_op(&i, &old, MPI_INT, size, 0, MPI_SUM, w), MPI_ERR_RANK);
    REFUSED(MPI_Put(&i, 1, MPI_INT, rank, 2, 1, MPI_INT, w), MPI_ERR_RMA_RANGE);
    /* The receiving side may be larger; the origin of MPI_NO_OP is ignored. */
    REFUSED(MPI_Put(&i, 1, MPI_INT, rank, 0, 2, MPI_INT, w), MPI_SUCCESS);
    REFUSED(MPI_Get_accumulate(NULL, -1, MPI_DATATYPE_NULL, &old, 1, MPI_INT, rank, 0, 1, MPI_INT,
                               MPI_NO_OP, w),
            MPI_SUCCESS);
    CHECK_INT(old, 1);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void) in, (void) inout, (void) n, (void) type;
}

/* R11: in no epoch but one of locks; R09: no operations of the program. Nothing is done. */
static void requests(MPI_Win w)
{
    MPI_Request r = MPI_REQUEST_NULL;
    int i = 1, old = 7;
    MPI_Op op;

    MPI_Op_create(add, 1, &op);
    REFUSED(MPI_Rget(&old, 1, MPI_INT, rank, 0, 1, MPI_INT, w, &r), MPI_ERR_RMA_SYNC);
    REFUSED(MPI_Raccumulate(&i, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_SUM, w, &r), MPI_ERR_RMA_SYNC);
    REFUSED(
        MPI_Rget_accumulate(&i, 1, MPI_INT, &old, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_SUM, w, &r),
        MPI_ERR_RMA_SYNC);
    REFUSED(MPI_Raccumulate(&i, 1, MPI_INT, rank, 0, 1, MPI_INT, op, w, &r), MPI_ERR_OP);
    REFUSED(MPI_Rget_accumulate(&i, 1, MPI_INT, &old, 1, MPI_INT, rank, 0, 1, MPI_INT, op, w, &r),
            MPI_ERR_OP);
    CHECK_INT(old, 7);
    MPI_Op_free(&op);
}

/* The same between MPI_Win_start and MPI_Win_complete. */
static void requests_in_access_epoch(MPI_Win w)
{
    MPI_Group all;

    MPI_Win_get_group(w, &all);
    MPI_Win_post(all, 0, w);
    MPI_Win_start(all, 0, w);
    requests(w);
    MPI_Win_complete(w);
    MPI_Win_wait(w);
    MPI_Group_free(&all);
}

/* G11: keys of communicators, and those that were freed. */
static void keys(MPI_Win w)
{
    int of_comm, freed, copy, flag;
    void *value;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &of_comm, NULL);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &freed, NULL);
    copy = freed;
    MPI_Win_free_keyval(&freed);
    REFUSED(MPI_Win_set_attr(w, of_comm, &rank), MPI_ERR_KEYVAL);
    REFUSED(MPI_Win_get_attr(w, of_comm, &value, &flag), MPI_ERR_KEYVAL);
    REFUSED(MPI_Win_delete_attr(w, of_comm), MPI_ERR_KEYVAL);
    REFUSED(MPI_Win_set_attr(w, copy, &rank), MPI_ERR_KEYVAL);
    REFUSED(MPI_Win_get_attr(w, copy, &value, &flag), MPI_ERR_KEYVAL);
    REFUSED(MPI_Win_delete_attr(w, copy), MPI_ERR_KEYVAL);
    REFUSED(MPI_Win_get_attr(w, MPI_KEYVAL_INVALID, &value, &flag), MPI_ERR_KEYVAL);
    MPI_Comm_free_keyval(&of_comm);
}

static void epochs(MPI_Win w)
{
    MPI_Request r = MPI_REQUEST_NULL;
    int i = 1;

    REFUSED(MPI_Put(&i, 1, MPI_INT, 0, 0, 1, MPI_INT, w), MPI_ERR_RMA_SYNC);
    REFUSED(MPI_Win_complete(w), MPI_ERR_RMA_SYNC);
    REFUSED(MPI_Win_wait(w), MPI_ERR_RMA_SYNC);
    REFUSED(MPI_Win_fence(MPI_MODE_NOCHECK, w), MPI_ERR_ASSERT);
    REFUSED(MPI_Win_fence(MPI_MODE_NOPRECEDE, w), MPI_SUCCESS);
    REFUSED(MPI_Rput(&i, 1, MPI_INT, 0, 0, 1, MPI_INT, w, &r), MPI_ERR_RMA_SYNC);
    REFUSED(MPI_Rput(&i, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w, &r), MPI_SUCCESS);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    types(w);
    requests(w);
    keys(w);
    REFUSED(MPI_Win_fence(MPI_MODE_NOSUCCEED, w), MPI_SUCCESS);
}

static void one_fails(void)
{
    void *memory = &rank;
    MPI_Win w = 0;
    MPI_Info info;

    REFUSED(MPI_Win_allocate(rank == size - 1 ? (MPI_Aint) 1 << 60 : 8, 1, MPI_INFO_NULL,
                             MPI_COMM_WORLD, &memory, &w),
            MPI_ERR_NO_MEM);
    CHECK(w == MPI_WIN_NULL && memory == &rank);
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ordering", "rar,no");
    REFUSED(MPI_Win_create(NULL, 0, 1, info, MPI_COMM_WORLD, &w), MPI_ERR_INFO_VALUE);
    MPI_Info_free(&info);
}

/* With STARLING_CHECK=strict memory of a window is not freed before the window. */
static void used_memory(void)
{
    const char *check = getenv("STARLING_CHECK");
    bool strict = check && !strcmp(check, "strict");
    MPI_Win w;
    void *p;

    MPI_Alloc_mem(64, MPI_INFO_NULL, &p);
    MPI_Win_create((char *) p + 32, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    REFUSED(MPI_Free_mem(p), strict ? MPI_ERR_BASE : MPI_SUCCESS);
    MPI_Win_free(&w);
    REFUSED(MPI_Free_mem(p), strict ? MPI_SUCCESS : MPI_ERR_BASE);
}

int main(int argc, char **argv)
{
    MPI_Errhandler h;
    int memory[2];
    MPI_Win w;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    at = w;
    MPI_Win_get_errhandler(w, &h);
    CHECK(h == MPI_ERRORS_ARE_FATAL);
    MPI_Win_create_errhandler(handler, &h);
    MPI_Win_set_errhandler(w, h);
    MPI_Errhandler_free(&h);
    epochs(w);
    requests_in_access_epoch(w);
    CHECK_INT(errors, 30);
    CHECK_INT(MPI_Win_call_errhandler(w, MPI_ERR_OTHER), MPI_SUCCESS);
    CHECK_INT(errors, 31);
    MPI_Win_free(&w);
    one_fails();
    used_memory();
    MPI_Finalize();
    return 0;
}
