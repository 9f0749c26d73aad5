/* inherit.c — G15: a new communicator has the error handler of the communicator it is made of: with
 * each call that makes one, for intracommunicators and intercommunicators; and each may change its
 * own. MPICH 4.0 fails: those of groups and of MPI_Intercomm_merge have the default one. */
#include "model.h"

static int me, size;

static void handled(MPI_Comm comm, MPI_Errhandler expected)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;

    MPI_Comm_get_errhandler(comm, &handler);
    CHECK(handler == expected);
}

static void inherits(MPI_Comm *made, MPI_Errhandler expected)
{
    if (*made == MPI_COMM_NULL)
        return;
    handled(*made, expected);
    MPI_Comm_set_errhandler(*made, expected == MPI_ERRORS_RETURN ? MPI_ERRORS_ARE_FATAL
                                                                 : MPI_ERRORS_RETURN);
    MPI_Comm_free(made);
}

/* All calls that take both kinds. */
static void each(MPI_Comm comm, MPI_Errhandler expected)
{
    MPI_Comm made;
    MPI_Request request;
    MPI_Group group;

    MPI_Comm_set_errhandler(comm, expected);
    MPI_Comm_dup(comm, &made);
    inherits(&made, expected);
    MPI_Comm_idup(comm, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    inherits(&made, expected);
    MPI_Comm_split(comm, 0, 0, &made);
    inherits(&made, expected);
    MPI_Comm_group(comm, &group);
    MPI_Comm_create(comm, group, &made);
    inherits(&made, expected);
    MPI_Group_free(&group);
    handled(comm, expected);
}

/* The handler at the time of the call counts, not the one at completion. */
static void as_of_the_call(MPI_Comm comm)
{
    MPI_Comm made;
    MPI_Request request;

    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_idup(comm, &made, &request);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    inherits(&made, MPI_ERRORS_RETURN);
}

static void group(MPI_Comm comm, MPI_Errhandler expected)
{
    MPI_Comm made;
    MPI_Group all;

    MPI_Comm_set_errhandler(comm, expected);
    MPI_Comm_group(comm, &all);
    MPI_Comm_create_group(comm, all, 1, &made);
    inherits(&made, expected);
    MPI_Group_free(&all);
}

/* The handler of the local communicator counts, not that of the peer communicator. */
static void inter(MPI_Errhandler expected)
{
    MPI_Comm half, made, merged;

    MPI_Comm_split(MPI_COMM_WORLD, me > 0, 0, &half);
    MPI_Comm_set_errhandler(half, expected);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me == 0, 1, &made);
    handled(made, expected);
    each(made, expected);
    MPI_Intercomm_merge(made, me > 0, &merged);
    inherits(&merged, expected);
    MPI_Comm_free(&made);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Comm dup;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    each(dup, MPI_ERRORS_RETURN);
    each(dup, MPI_ERRORS_ARE_FATAL);
    group(dup, MPI_ERRORS_RETURN);
    group(dup, MPI_ERRORS_ARE_FATAL);
    as_of_the_call(dup);
    MPI_Comm_free(&dup);
    if (size > 1) {
        inter(MPI_ERRORS_RETURN);
        inter(MPI_ERRORS_ARE_FATAL);
    }
    MPI_Finalize();
    return 0;
}
