/* idup_fails.c — G04, G11: a copy function fails in one process: that process gets an error at
 * once. The other processes get their communicators all the same, and the next try gives one to
 * all. MPICH 4.0 fails: it waits for the others. */
#include "../env/starling.h"
#include "model.h"

static int me, size, failing;
static struct model all;

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void) comm, (void) keyval, (void) extra;
    *(void **) out = in;
    *flag = 1;
    return me == failing ? MPI_ERR_DIMS : MPI_SUCCESS;
}

/* The process that fails calls first; the other processes call after it has returned. */
static void fails_in_one(MPI_Comm comm)
{
    MPI_Comm made = MPI_COMM_SELF;
    MPI_Request request = MPI_REQUEST_NULL + 1;

    if (me != failing)
        MPI_Recv(NULL, 0, MPI_INT, failing, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int err = MPI_Comm_idup(comm, &made, &request);
    CHECK_INT(error_class(err), me == failing ? MPI_ERR_DIMS : MPI_SUCCESS);
    for (int i = 0; me == failing && i < size; i++)
        if (i != me)
            MPI_Send(NULL, 0, MPI_INT, i, 0, MPI_COMM_WORLD);
    if (me == failing) {
        CHECK(made == MPI_COMM_NULL && request == MPI_REQUEST_NULL);
        return;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&made);
}

static void works(MPI_Comm comm, const struct model *m)
{
    MPI_Comm made;
    MPI_Request request;

    failing = -1;
    MPI_Comm_idup(comm, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    model_end(&made, m);
    MPI_Comm_dup(comm, &made);
    model_end(&made, m);
}

static void each_fails(MPI_Comm comm, int keyval, const struct model *m)
{
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_attr(comm, keyval, NULL);
    for (int i = 0; i < size; i++) {
        failing = i;
        fails_in_one(comm);
        works(comm, m);
    }
    failing = size - 1;
    fails_in_one(comm);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int keyval;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    for (all.size = 0; all.size < size; all.size++)
        all.local[all.size] = all.size;
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    each_fails(comm, keyval, &all);
    if (size > 1) {
        const struct model halves = model_halves(size, 1);
        each_fails(model_inter(size, 1, 0), keyval, &halves);
    }
    MPI_Comm_free_keyval(&keyval);
    MPI_Finalize();
    return 0;
}
