/* call.c — a proxy connects to mpiexec, by the line that it reads from standard input. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/channel/pm_proxy_impl.h"
#include "pm/seal/pm_call.h"

enum { WAIT_MS = 20000, NS_PER_MS = 1000000 };

/* Reads a line byte by byte: what follows is not for this program. 0, or -errno. */
static int read_line(char line[PM_CALL_LINE + 1], uint64_t end_ns)
{
    size_t n = 0;

    while (n < PM_CALL_LINE && !(n && line[n - 1] == '\n')) {
        struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
        int found = poll(&p, 1, pm_call_ms_until(end_ns));
        ssize_t got = found > 0 ? read(STDIN_FILENO, line + n, 1) : -1;
        if (!found)
            return -ETIMEDOUT;
        if (!got)
            return -ECONNRESET;
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return -errno;
        n += got > 0;
    }
    line[n] = '\0';
    return line[n - 1] == '\n' ? 0 : -EBADMSG;
}

static void own_name(char *name, size_t len)
{
    const char *given = getenv("SLURMD_NODENAME");

    if (given && *given && strlen(given) < len)
        (void) snprintf(name, len, "%s", given);
    else
        os_hostname(name, len);
}

int pm_call(struct pm_seal **seal, char *why, size_t len)
{
    char line[PM_CALL_LINE + 1], name[PM_CALL_NAME - 1];
    const struct pm_caller caller = { .name = name,
                                      .whom = "mpiexec",
                                      .end_ns = os_time_ns() + (uint64_t) WAIT_MS * NS_PER_MS };
    struct pm_callee to;
    int err = read_line(line, caller.end_ns);

    if (!err)
        err = pm_call_parse(line, &to);
    if (err) {
        (void) snprintf(why, len, "cannot read from standard input how to reach mpiexec: %s",
                        strerror(-err));
        return err;
    }
    own_name(name, sizeof name);
    return pm_call_to(&to, &caller, seal, why, len);
}
