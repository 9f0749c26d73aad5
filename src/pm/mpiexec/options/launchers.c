/* launchers.c — the table of launchers, which reach other hosts. */
#include <string.h>
#include "pm/mpiexec/options/option.h"

const struct pm_launcher pm_launchers[] = {
    { "ssh", "pbs", { "-x", "-o", "BatchMode=yes", "-o", PM_TIMEOUT_OPTION }, "-l", PM_EACH_HOST },
    { "rsh", NULL, { NULL }, "-l", PM_EACH_HOST },
    { "srun slurm",
      "slurm",
      { "--ntasks-per-node=1", "--mpi=none", "--kill-on-bad-exit=0", "--quiet" },
      NULL,
      PM_ALL_HOSTS },
    { "blaunch lsf", "lsf", { NULL }, NULL, PM_EACH_HOST },
    { "qrsh sge", "sge", { "-inherit" }, NULL, PM_EACH_HOST },
    { "fork", NULL, { NULL }, NULL, PM_THIS_HOST },
    { 0 },
};

const struct pm_launcher *pm_launcher_find(const char *name)
{
    for (const struct pm_launcher *l = pm_launchers; l->names; l++)
        if (pm_option_has_name(l->names, name, strlen(name)))
            return l;
    return NULL;
}
