#include "mpi/dynamic/spawn.h"

/* Starts processes of several programs, or of one with several argument lists, as one
 * MPI_COMM_WORLD, and connects with them (§10.3.3). Their ranks are in the order of the commands;
 * MPI_APPNUM is the number of the command. Otherwise as MPI_Comm_spawn. Collective.
 * Errors: as MPI_Comm_spawn, and MPI_ERR_COUNT. */
int PMPI_Comm_spawn_multiple(int count, char *array_of_commands[], char **array_of_argv[],
                             const int array_of_maxprocs[], const MPI_Info array_of_info[],
                             int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[])
{
    ENTER("MPI_Comm_spawn_multiple", count, array_of_commands, array_of_argv, array_of_maxprocs,
          array_of_info, root, comm, intercomm, array_of_errcodes);
    const struct mpir_spawn_args a = { count,         array_of_commands,
                                       array_of_argv, array_of_maxprocs,
                                       array_of_info, array_of_errcodes };
    struct adi3_comm *c, *made;

    TRY(mpir_intra_arg(&call, comm, &c));
    TRY(mpir_root_arg(c, root));
    TRY(mpir_out_arg(intercomm, "intercomm"));
    TRY(mpir_spawn(c, root, &a, &made));
    *intercomm = made->handle;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_spawn_multiple);
