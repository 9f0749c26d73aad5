/* windows.c — one-sided communication in all its ways: a shared counter, a node's shared memory,
 * fences, post and start, dynamic windows, attributes of windows. */
#include <stdio.h>
#include <mpi.h>

static int rank, size;

static int attribute_gone(MPI_Win win, int keyval, void *value, void *extra)
{
    (void) win, (void) keyval, (void) extra;
    return value ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void counter(void)
{
    MPI_Win win;
    long *base, one = 1, before = -1, swapped;
    MPI_Request r;

    MPI_Win_allocate(rank == 0 ? sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &base, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    if (rank == 0)
        *base = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    MPI_Fetch_and_op(&one, &before, MPI_LONG, 0, 0, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Compare_and_swap(&one, &before, &swapped, MPI_LONG, 0, 0, win);
    MPI_Win_flush_local(0, win);
    MPI_Win_sync(win);
    MPI_Rget_accumulate(NULL, 0, MPI_LONG, &before, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_NO_OP, win,
                        &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void node_memory(void)
{
    MPI_Comm node;
    MPI_Win win;
    MPI_Aint len;
    int unit, *mine, *first;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine, &win);
    MPI_Win_shared_query(win, MPI_PROC_NULL, &len, &unit, &first);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    *mine = rank;
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOSUCCEED, win);
    if (unit != (int) sizeof(int) || *first < 0)
        printf("odd shared memory: unit %d, %ld bytes\n", unit, (long) len);
    MPI_Win_free(&win);
    MPI_Comm_free(&node);
}

static void post_and_start(void)
{
    MPI_Group world, next, last;
    MPI_Win win;
    int *here, to = (rank + 1) % size, from = (rank + size - 1) % size, done = 0;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &to, &next);
    MPI_Group_incl(world, 1, &from, &last);
    MPI_Alloc_mem(sizeof *here, MPI_INFO_NULL, &here);
    *here = -1;
    MPI_Win_create(here, sizeof *here, sizeof *here, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_post(last, 0, win);
    MPI_Win_start(next, 0, win);
    MPI_Put(&rank, 1, MPI_INT, to, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    while (!done)
        MPI_Win_test(win, &done);
    if (*here != from)
        printf("%d instead of %d\n", *here, from);
    MPI_Win_free(&win);
    MPI_Free_mem(here);
    MPI_Group_free(&world);
    MPI_Group_free(&next);
    MPI_Group_free(&last);
}

static void dynamic(void)
{
    MPI_Win win;
    MPI_Aint mine, theirs;
    double x = rank, sum = 1;
    int keyval, *flavor, *model, flag, to = (rank + 1) % size;

    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, attribute_gone, &keyval, NULL);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_attr(win, keyval, &x);
    MPI_Win_attach(win, &x, sizeof x);
    MPI_Get_address(&x, &mine);
    MPI_Sendrecv(&mine, 1, MPI_AINT, (rank + size - 1) % size, 0, &theirs, 1, MPI_AINT, to, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, win);
    MPI_Accumulate(&sum, 1, MPI_DOUBLE, to, theirs, 1, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_unlock(to, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &flag);
    if (x != rank + 1 || *flavor != MPI_WIN_FLAVOR_DYNAMIC)
        printf("x = %g, flavor %d, %s\n", x, *flavor,
               *model == MPI_WIN_UNIFIED ? "unified" : "separate");
    MPI_Win_detach(win, &x);
    MPI_Win_free(&win);
    MPI_Win_free_keyval(&keyval);
}

int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    counter();
    node_memory();
    post_and_start();
    dynamic();
    MPI_Finalize();
    return 0;
}
