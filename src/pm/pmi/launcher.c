/* launcher.c — is this process a singleton, or one of a launcher that speaks neither PMI-1 nor
 * PMIx?
 *
 * N processes that each believe to be rank 0 of 1 compute wrong results silently, so the second
 * case is an error. A program that merely runs with the environment of another launcher, such as
 * a shell in a Slurm allocation, must not fail: only a launcher that shows more than one task
 * counts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pm/pmi/pmi_impl.h"

#define OPEN_MPI_SIZE  "OMPI_COMM_WORLD_SIZE"      /* our mpiexec sets it, too, for scripts */
#define OPEN_MPI_ALONE "OMPI_COMM_WORLD_NODE_RANK" /* our mpiexec does not set it */

static const struct {
    const char *size; /* set by the launcher to the number of processes */
    const char *name;
} foreign[] = {
    { OPEN_MPI_SIZE, "Open MPI's mpirun, but PMIX_NAMESPACE is not set" },
    { "JSM_NAMESPACE_SIZE", "jsrun, but PMIX_NAMESPACE is not set" },
    { "MPIRUN_NPROCS", "mpirun_rsh, which speaks its own protocol" },
};

static int variable_number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    int n;

    return text && !pmi_parse_int(text, strlen(text), &n) ? n : otherwise;
}

/* The number of tasks of the Slurm step that this process is in; 0 outside a step that srun
 * made. A batch script, the shell of salloc and the prologue are steps too; their numbers start
 * at 0xfffffff0 or are names. */
static int slurm_tasks(void)
{
    if (!getenv("SLURM_PROCID") || variable_number("SLURM_STEP_ID", -1) < 0)
        return 0;
    return variable_number("SLURM_STEP_NUM_TASKS", 0);
}

bool pmi_is_below_open_mpi(void)
{
    return getenv(OPEN_MPI_SIZE) && (getenv(OPEN_MPI_ALONE) || !getenv("MPI_LOCALNRANKS"));
}

/* The name of the first launcher in `foreign` whose variable shows the number of processes, *size;
 * NULL: no launcher's does. */
static const char *foreign_launcher(int *size)
{
    for (size_t i = !pmi_is_below_open_mpi(); i < sizeof foreign / sizeof *foreign; i++)
        if ((*size = variable_number(foreign[i].size, 0)) > 0)
            return foreign[i].name;
    return NULL;
}

int pmi_shown_size(void)
{
    int size;

    return foreign_launcher(&size) ? size : slurm_tasks();
}

int pmi_check_singleton(void)
{
    int size = 0;
    const char *name = foreign_launcher(&size);

    if (!name) {
        size = slurm_tasks();
        name = "srun without PMI";
    }
    if (size > 1)
        return pmi_fail(-ENOTSUP,
                        "this is one of %d processes started by %s; start it with Starling's "
                        "mpiexec, or with srun --mpi=pmi2 or --mpi=pmix",
                        size, name);
    if (!size && getenv("PMIX_RANK"))
        return pmi_fail(-ENOTSUP, "PMIX_RANK is set, but not PMIX_NAMESPACE: unset it if this "
                                  "process is not meant to be a rank");
    return 0;
}
