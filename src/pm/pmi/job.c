/* job.c — requests about the whole job: barrier, application number, universe size, abort. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include "platform/os.h"
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmix_impl.h"

enum { KILL_WAIT_MS = 10000 };

int pmi_fd(void) { return pmi_client.fd; }

int pmi_barrier_start(void)
{
    static const char line[] = "cmd=barrier_in\n";
    int err = pmi_check_joined();

    if (!err && pmi_client.pmix)
        return pmix_barrier_start();
    if (!err)
        err = pmi_turn();
    if (!err)
        err = pmi_send(line, sizeof line - 1);
    if (!err)
        pmi_client.barrier = PMI_BARRIER_ASKED;
    return err;
}

bool pmi_barrier_over(void)
{
    if (pmi_check_joined())
        return true;
    if (pmi_client.pmix)
        return pmix_barrier_over();
    return pmi_client.barrier != PMI_BARRIER_ASKED || pmi_look()
           || pmi_client.barrier != PMI_BARRIER_ASKED;
}

int pmi_barrier_finish(void)
{
    int err = pmi_check_joined();

    if (!err && pmi_client.pmix)
        return pmix_barrier_finish();
    while (!err && !pmi_barrier_over())
        err = pmi_wait();
    if (!err)
        err = pmi_check_joined();
    if (!err && pmi_client.barrier == PMI_BARRIER_REFUSED)
        err = pmi_fail(-EPROTO, "the launcher (%s) refused a barrier", pmi_client.launcher);
    pmi_client.barrier = PMI_BARRIER_NONE;
    return err;
}

int pmi_tell_next(void)
{
    int err = pmi_check_joined();

    if (!err && pmi_client.pmix)
        err = pmix_tell_next();
    return err;
}

bool pmi_was_told(void) { return !pmi_check_joined() && pmi_client.pmix && pmix_was_told(); }

/* Servers answer -1 when they do not know the number. */
static int ask_number(const char *request, const char *answer, const char *field, int *value)
{
    char *reply;
    int n, err = pmi_request(&reply, answer, "cmd=%s", request);

    if (err)
        return err;
    if (pmi_rc(reply) || pmi_line_int(reply, field, &n) || n < 0)
        return pmi_fail(-ENOENT, "the launcher (%s) does not know %s", pmi_client.launcher, field);
    *value = n;
    return 0;
}

int pmi_appnum(int *appnum)
{
    int err = pmi_check_joined();

    if (err)
        return err;
    return pmi_client.pmix ? pmix_appnum(appnum)
                           : ask_number("get_appnum", "appnum", "appnum", appnum);
}

int pmi_universe_size(int *universe)
{
    int err = pmi_check_joined();

    if (err)
        return err;
    return pmi_client.pmix ? pmix_universe_size(universe)
                           : ask_number("get_universe_size", "universe_size", "size", universe);
}

/* Returns when the launcher has closed the connection, or after KILL_WAIT_MS. */
static void wait_to_be_killed(void)
{
    uint64_t end = os_time_ns() + (uint64_t) KILL_WAIT_MS * 1000000, now;
    char waste[256];

    while ((now = os_time_ns()) < end) {
        struct pollfd p = { .fd = pmi_client.fd, .events = POLLIN };
        if (poll(&p, 1, (int) ((end - now) / 1000000) + 1) <= 0)
            continue;
        ssize_t n = recv(pmi_client.fd, waste, sizeof waste, MSG_DONTWAIT);
        if (!n || (n < 0 && errno != EAGAIN && errno != EINTR))
            return;
    }
}

void pmi_abort(int exit_code, const char *why)
{
    char line[PMI_REQUEST_MAX + 1], msg[PMI_SEGMENT_MAX] = "", clear[PMI_SEGMENT_MAX / 3] = "";

    if (pmi_client.state != PMI_JOINED)
        return;
    if (pmi_client.pmix) {
        pmix_abort(exit_code, why);
        return;
    }
    if (why && pmi_client.starling) { /* other servers may refuse an unknown field */
        memcpy(clear, why, strnlen(why, sizeof clear - 1));
        (void) pmi_percent_encode(clear, msg, sizeof msg);
    }
    int len = snprintf(line, sizeof line, "cmd=abort exitcode=%d%s%s\n", exit_code,
                       *msg ? " msg=" : "", msg);
    if (!pmi_send(line, (size_t) len))
        wait_to_be_killed();
}
