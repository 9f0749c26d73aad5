/* tables.c — the data of this room: the job, its processes, and the devices in use. */
#include "adi3/proc/proc_impl.h"

struct pmi_job adi3_job;
struct adi3_proc *adi3_procs;

struct adi3_dev adi3_devs[ADI3_MAX_DEVICES];
int adi3_ndevs;
bool (*adi3_polls[ADI3_MAX_DEVICES + 1])(void);
struct dev_env proc_env;
struct proc_job proc_own_job;
int proc_reopened;
