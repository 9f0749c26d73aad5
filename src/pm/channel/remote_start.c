/* remote_start.c — the start of the proxy of a remote node, and the end of what started it.
 *
 * When a proxy cannot be had, the last line on standard error and the exit code are the cause. An
 * sshd that is asked by many at once drops connections (MaxStartups): ssh is then started again, a
 * few times. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/channel/pm_remote_impl.h"

enum {
    ATTEMPTS = 6,
    RETRY_MS = 250,   /* before the second attempt; then twice as long each time */
    EXIT_MS = 1000,   /* for the end of the command, when the channel has ended */
    STARTS = 3,       /* a start may take that many times the time without answers */
    SSH_FAILED = 255, /* an exit code of ssh */
};

static void remote_show_line(const struct pm_remote *r, const char *line)
{
    pm_command_show(r->host, line, strlen(line));
}

/* While there is no channel, a line is shown when the next one comes: the last may be the cause. */
void pm_remote_line(struct pm_remote *r, const char *line)
{
    if (r->phase != PM_REMOTE_STARTS) {
        remote_show_line(r, line);
    } else if (*line) {
        remote_show_line(r, r->last);
        (void) snprintf(r->last, sizeof r->last, "%s", line);
    }
}

/* ---- the end of the command ------------------------------------------------------------------ */

/* Whether sshd may have dropped the connection because there were too many. */
static bool was_dropped(const struct pm_remote *r, int status)
{
    static const char *const text[] = { "kex_exchange_identification",
                                        "ssh_exchange_identification", "Connection reset by",
                                        "Connection closed by" };
    bool found = false;

    if (!r->launcher || strcmp(r->launcher, "ssh") != 0)
        return false;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        found |= strstr(r->last, text[i]) != NULL;
    return r->phase == PM_REMOTE_STARTS && r->attempts < ATTEMPTS && WIFEXITED(status)
           && WEXITSTATUS(status) == SSH_FAILED && found;
}

static void start_again(struct pm_timer *t)
{
    struct pm_remote *r = OS_OWNER(t, struct pm_remote, start_timer);

    if (r->phase != PM_REMOTE_STARTS)
        return;
    *r->last = '\0';
    int err = pm_remote_launch(r);
    if (err)
        pm_remote_lose(r, "%s cannot be started: %s", r->words[0], strerror(-err));
}

void pm_remote_exited(struct pm_remote *r, int status)
{
    char text[128];

    if (was_dropped(r, status)) {
        pm_timer_set(&r->start_timer, RETRY_MS << (r->attempts - 1), start_again);
        return;
    }
    pm_command_describe(r->launcher ? r->launcher : "its proxy", status, text, sizeof text);
    pm_remote_lose(r, "%s%s%s", text, *r->last ? ": " : "", r->last);
    pm_remote_finish_leaving(r);
}

static void on_line(void *owner, const char *line) { pm_remote_line(owner, line); }

static void on_exited(void *owner, int status) { pm_remote_exited(owner, status); }

static void on_overdue(void *owner)
{
    pm_remote_lose(owner, "the channel to its proxy has been closed");
}

static void on_abandoned(void *owner) { pm_remote_finish_leaving(owner); }

/* ---- the channel ----------------------------------------------------------------------------- */

/* Sends HELLO with version, timeout and working directory, then the frames that waited for the
 * greeting. */
static void on_greeted(void *owner)
{
    struct pm_remote *r = owner;
    char here[4096] = ""; /* it has been removed */
    struct pm_frame f;
    ssize_t n;

    r->phase = PM_REMOTE_RUNS;
    pm_timer_clear(&r->start_timer);
    remote_show_line(r, r->last);
    *r->last = '\0';
    pm_channel_beat(r->channel, r->timeout_ms);
    (void) !getcwd(here, sizeof here);
    pm_remote_send(r, &(struct pm_frame) { .kind = PM_FRAME_HELLO,
                                           .number = PM_CHANNEL_VERSION,
                                           .value = r->timeout_ms,
                                           .bytes = here,
                                           .len = strlen(here) });
    while ((n = pm_frame_get(&r->early, false, &f)) > 0) {
        pm_remote_send(r, &f);
        pm_bytes_take(&r->early, (size_t) n);
    }
    if (n < 0)
        pm_remote_lose(r, "the programs, their arguments and environments are too long");
    pm_bytes_free(&r->early);
}

static void on_noise(void *owner, const char *line, size_t len)
{
    const struct pm_remote *r = owner;

    pm_command_show(r->host, line, len);
}

/* Without a reason, the exit of the command tells it. */
static void on_channel_ended(void *owner, const char *why)
{
    struct pm_remote *r = owner;

    if (why)
        pm_remote_lose(r, "its proxy %s", why);
    else if (r->step)
        pm_remote_lose(r, "its proxy has closed the connection");
    else
        r->starter->end(r, 0);
}

int pm_remote_connect(struct pm_remote *r, int fd, struct pm_seal *seal)
{
    const struct pm_channel_events events = { r, on_greeted, on_noise, pm_remote_frame,
                                              on_channel_ended };
    struct pm_channel *c = pm_channel_to_proxy(fd, fd, seal, &events);

    if (!c)
        return -errno;
    if (r->channel)
        pm_channel_free(r->channel);
    r->channel = c;
    return 0;
}

static void too_late(struct pm_timer *t)
{
    struct pm_remote *r = OS_OWNER(t, struct pm_remote, start_timer);

    if (r->runs) { /* on the relay; when that has ended, it is started from here */
        r->starter->end(r, SIGTERM);
        return;
    }
    pm_remote_lose(r, "its proxy has not answered for %g s%s%s", STARTS * r->timeout_ms / 1000.0,
                   *r->last ? ": " : "", r->last);
}

/* ---- the start ------------------------------------------------------------------------------- */

static int run_command(struct pm_remote *r)
{
    static const struct pm_command_events events = { NULL,      on_line,    NULL,
                                                     on_exited, on_overdue, on_abandoned };
    int channel[2], err;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel))
        return -errno;
    pm_command_init(&r->command, &events);
    r->command.events.owner = r;
    err = pm_remote_connect(r, channel[0], NULL);
    if (err)
        (void) close(channel[0]);
    else
        err = pm_command_run(&r->command, r->words, channel[1], channel[1], &r->signals);
    (void) close(channel[1]);
    return err;
}

static void end_command(struct pm_remote *r, int signal)
{
    if (signal)
        pm_command_kill(&r->command, signal);
    else
        pm_command_wait(&r->command, EXIT_MS);
}

const struct pm_remote_starter pm_command_starter = { run_command, end_command, true };

int pm_remote_launch(struct pm_remote *r)
{
    int err = r->starter->launch(r);

    if (!err && r->timeout_ms)
        pm_timer_set(&r->start_timer, STARTS * r->timeout_ms, too_late);
    r->attempts++;
    return err;
}

void pm_remote_launch_directly(struct pm_remote *r)
{
    r->direct = true;
    r->starter = &pm_command_starter;
    r->attempts = 0;
    *r->last = '\0';
    int err = pm_remote_launch(r);
    if (err)
        pm_remote_lose(r, "%s cannot be started: %s", r->words[0], strerror(-err));
}
