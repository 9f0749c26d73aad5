/* launcher.c — is this process alone, or did something launch it that PMI cannot join?
 *
 * N processes that each take themselves for rank 0 of 1 compute nonsense in silence, so that
 * must be an error. The other mistake, an error for a program that simply runs inside somebody
 * else's environment, is avoided by believing only signs of more than one task. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pmi_impl.h"

static const struct {
    const char *size; /* set by the launcher to the number of processes */
    const char *name;
} foreign[] = {
    { "OMPI_COMM_WORLD_SIZE", "Open MPI's mpiexec, which speaks PMIx" },
    { "JSM_NAMESPACE_SIZE", "jsrun, which speaks PMIx" },
    { "MPIRUN_NPROCS", "mpirun_rsh, which speaks a protocol of its own" },
};

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    int n;

    return text && !pmi_parse_int(text, strlen(text), &n) ? n : otherwise;
}

/* Tasks of the Slurm step this process is in; 0 when it is in none. A batch script, salloc's shell
 * and the prologue are steps too, with numbers from 0xfffffff0 up or with names. */
static int slurm_tasks(void)
{
    if (!getenv("SLURM_PROCID") || number("SLURM_STEP_ID", -1) < 0)
        return 0;
    return number("SLURM_STEP_NUM_TASKS", 0);
}

int pmi_check_singleton(void)
{
    int tasks = slurm_tasks();

    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        int n = number(foreign[i].size, 0);
        if (n > 1)
            return pmi_fail(-ENOTSUP,
                            "this is one of %d processes started by %s; start it with Starling's "
                            "mpiexec or with srun --mpi=pmi2",
                            n, foreign[i].name);
        if (n == 1)
            return 0;
    }
    if (tasks > 1)
        return pmi_fail(-ENOTSUP,
                        "this is one of %d tasks started by srun without PMI; start it with "
                        "srun --mpi=pmi2 or with Starling's mpiexec",
                        tasks);
    if (!tasks && (getenv("PMIX_NAMESPACE") || getenv("PMIX_RANK")))
        return pmi_fail(-ENOTSUP,
                        "this process was started by a launcher that speaks PMIx; start it with "
                        "Starling's mpiexec or with srun --mpi=pmi2");
    return 0;
}
