/* pty.c — pseudo-terminals for the standard output of processes.
 *
 * A process whose output is shown on a terminal finds one, and writes each line at once. What it
 * writes passes unchanged: the terminal of mpiexec makes a return of a newline. The processes have
 * no controlling terminal of mpiexec's making. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include "pm/node/pm_node_impl.h"

static void set_size(const struct pm_node *n, int fd)
{
    const struct winsize w = { .ws_row = (unsigned short) n->rows,
                               .ws_col = (unsigned short) n->columns };

    (void) ioctl(fd, TIOCSWINSZ, &w);
}

static int set_raw(int fd)
{
    struct termios t;

    if (tcgetattr(fd, &t))
        return -errno;
    t.c_oflag &= ~(tcflag_t) OPOST;
    t.c_lflag &= ~(tcflag_t) (ECHO | ECHONL);
    return tcsetattr(fd, TCSANOW, &t) ? -errno : 0;
}

int pm_pty_open(const struct pm_node *n, int end[2])
{
    end[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (end[0] < 0)
        return -errno;
    end[1] = unlockpt(end[0]) ? -1 : ioctl(end[0], TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    int err = end[1] < 0 ? -errno : set_raw(end[1]);
    if (!err) {
        set_size(n, end[0]);
        return 0;
    }
    (void) close(end[0]);
    if (end[1] >= 0)
        (void) close(end[1]);
    return err;
}

void pm_node_resize(struct pm_node *n, int rows, int columns)
{
    n->rows = rows;
    n->columns = columns;
    for (int i = 0; i < n->processes; i++) {
        const struct pm_process *p = n->process[i];
        const struct pm_stream *s = p ? &p->stream[PM_OUT] : NULL;
        if (s && s->pty && s->fd >= 0)
            set_size(n, s->fd);
    }
}
