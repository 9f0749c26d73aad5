/* request.c — requests and their replies, and the lines that belong to requests in two halves. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include "pm/pmi/pmi_impl.h"

void (*pmi_wait_hook)(int fd);

/* ---- requests in two halves ------------------------------------------------------------------ */

static int unasked_error(const char *line, size_t len)
{
    return PMI_BREAK(-EPROTO, "the launcher (%s) sent '%s' without a request", pmi_client.launcher,
                     pmi_printable(line, len));
}

/* Whether a line is the second half of a request: 1 when it has been taken, 0, or an error. */
static int take_later(const char *line)
{
    struct pmi_client *c = &pmi_client;

    if (c->barrier == PMI_BARRIER_ASKED && pmi_line_is(line, "barrier_out")) {
        c->barrier = pmi_rc(line) ? PMI_BARRIER_REFUSED : PMI_BARRIER_OVER;
        return 1;
    }
    int taken = pmi_spawn_line(line);
    return taken < 0 ? unasked_error(line, PMI_LINE_MAX) : taken;
}

/* Takes the lines that have been received. */
static int take_received(void)
{
    char *line = NULL;
    int got;

    while ((got = pmi_next_line(&line, 0)) > 0) {
        int taken = take_later(line);
        if (taken <= 0)
            return taken < 0 ? taken : unasked_error(line, PMI_LINE_MAX);
    }
    return got;
}

int pmi_look(void)
{
    int got = take_received();

    if (!got)
        got = pmi_receive();
    return got < 0 ? got : take_received();
}

int pmi_turn(void)
{
    const struct pmi_client *c = &pmi_client;
    int err = take_received();

    while (!err && c->asked) {
        if (pmi_wait_hook)
            pmi_wait_hook(c->fd);
        else
            err = pmi_wait();
        if (!err)
            err = pmi_check_joined();
        if (!err)
            err = pmi_look();
    }
    bool later = c->spawned || c->barrier == PMI_BARRIER_ASKED;
    if (!err && !later && c->used != c->len)
        err = unasked_error(c->in + c->used, c->len - c->used);
    return err;
}

/* ---- requests -------------------------------------------------------------------------------- */

int pmi_read_reply(char **reply, const char *answer)
{
    int err = pmi_read_line(reply), taken;

    while (!err && (taken = take_later(*reply)))
        err = taken < 0 ? taken : pmi_read_line(reply);
    if (!err && !pmi_line_is(*reply, answer))
        err = PMI_BREAK(-EPROTO, "the launcher (%s) answered '%s' instead of cmd=%s",
                        pmi_client.launcher, pmi_printable(*reply, PMI_LINE_MAX), answer);
    return err;
}

int pmi_request(char **reply, const char *answer, const char *fmt, ...)
{
    char line[PMI_REQUEST_MAX + 1];
    va_list args;

    va_start(args, fmt);
    int len = vsnprintf(line, PMI_REQUEST_MAX, fmt, args);
    va_end(args);
    if (len >= PMI_REQUEST_MAX)
        return pmi_fail(-EMSGSIZE, "a request of %d bytes is too long for PMI: '%s'", len,
                        pmi_printable(line, sizeof line));
    line[len++] = '\n';
    int err = pmi_turn();
    if (!err)
        err = pmi_send(line, (size_t) len);
    if (!err)
        err = pmi_read_reply(reply, answer);
    return err;
}
