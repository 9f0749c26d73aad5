/* pty.c — pseudo-terminals instead of pipes for the standard output of ranks.
 *
 * Where mpiexec shows it on a terminal, a rank finds a terminal, too: its run-time library then
 * writes each line at once, whatever the language, and a program may use colors. Standard error is
 * a pipe, as no run-time library keeps that. */
#include <sys/ioctl.h>
#include <unistd.h>
#include "pm/mpiexec/output/mpiexec_output.h"

/* Pseudo-terminals are few: the kernel has 4096 for all users of a host. */
enum { PTYS_MAX = 256 };

bool pm_wants_pty(const struct pm_rank *r)
{
    const struct pm_sink *k = r->sink[PM_OUT];

    switch (r->host->run->spec->pty) {
    case PM_PTY_YES:
        return true;
    case PM_PTY_NO:
        return false;
    case PM_PTY_AUTO:
        break;
    }
    return k && pm_sink_is_tty(k) && r->host->size <= PTYS_MAX;
}

void pm_resize_ptys(struct pm_run *r)
{
    struct winsize w;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w))
        return;
    for (int i = 0; i < r->hosts; i++)
        pm_host_resize(r->host[i], w.ws_row, w.ws_col);
}
