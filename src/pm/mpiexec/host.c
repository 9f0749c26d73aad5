/* host.c — makes the nodes of hosts other than this one. */
#include "job.h"

int pm_host_open(struct pm_job *j, struct pm_host *h, const struct pm_host_entry *entry)
{
    (void) h;
    pm_log("this version starts ranks on this node only, not on '%s'", entry->name);
    pm_fail_job(j, &(struct pm_job_status) { PM_REFUSED, -1, PM_EXIT_USAGE, NULL });
    return 0;
}
