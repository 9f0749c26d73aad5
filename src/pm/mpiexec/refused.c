/* refused.c — options of other launchers that mpiexec does not have, and what to use instead.
 * Ignoring them would surprise. */
#include <string.h>
#include "option.h"

static const struct {
    const char *names, *instead;
} refused[] = {
    { "rankmap rankfile rf", "place ranks by -map-by, or name the hosts of each program: -host a "
                             "-n 2 prog : -host b prog" },
    { "nameserver ompi-server",
      "MPI_Publish_name reaches all programs of this mpiexec, which may be several, with ':' "
      "between them" },
    { "pmi-port", "programs reach PMI through the descriptor PMI_FD, which needs no port" },
    { "pmi_args", "a program that is called without mpiexec is a job of its own" },
    { "gdb tv",
      "call the debugger for each rank, as 'xterm -e gdb prog' instead of 'prog', or attach it to "
      "the processes that -v names" },
    { "xterm", "call it for each rank, as 'xterm -hold -e prog' instead of 'prog'" },
    { "gpus-per-proc gpu-subdevs-per-proc g",
      "start the program by a script that sets CUDA_VISIBLE_DEVICES, or what the GPU needs, from "
      "MPI_LOCALRANKID" },
    { "enable-x", "HYDRA_LAUNCHER_EXTRA_ARGS=-X lets ssh forward X" },
};

const char *pm_option_instead(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (pm_option_has_name(refused[i].names, name, len))
            return refused[i].instead;
    return NULL;
}
