#include "mpi/dynamic/spawn.h"

/* Starts processes of a program, and connects with them (§10.3.2). They have an MPI_COMM_WORLD of
 * their own, and get the intercommunicator from MPI_Comm_get_parent. Returns when they have called
 * MPI_Init; while they do not, a line says so after some seconds. A command without a slash is
 * looked for in the directories of PATH, and other relative names in the working directory; both
 * can be set by info. Collective: all processes get the same error, and the same codes.
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_ARG, MPI_ERR_INFO, MPI_ERR_INFO_VALUE, MPI_ERR_SPAWN,
 * MPI_ERR_NO_MEM. */
int PMPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root,
                    MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[])
{
    ENTER("MPI_Comm_spawn", command, argv, maxprocs, info, root, comm, intercomm,
          array_of_errcodes);
    char *commands[] = { (char *) (uintptr_t) command };
    const struct mpir_spawn_args a = { 1, commands, &argv, &maxprocs, &info, array_of_errcodes };
    struct adi3_comm *c, *made;

    TRY(mpir_intra_arg(&call, comm, &c));
    TRY(mpir_root_arg(c, root));
    TRY(mpir_out_arg(intercomm, "intercomm"));
    TRY(mpir_spawn(c, root, &a, &made));
    *intercomm = made->handle;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_spawn);
