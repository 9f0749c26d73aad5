/* relay.c — a relay: starts proxies, and carries the channels between them and mpiexec.
 *
 * Beyond some number of hosts mpiexec would start too many commands itself. A relay is started on
 * one host of each group; it starts the proxy of its own host and reaches the others, as mpiexec
 * would. It knows nothing of what it carries. When its channel ends, those that it carries end, and
 * so do their proxies. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "pm/node/log.h"
#include "pm/channel/pm_serialize.h"
#include "pm/channel/pm_command.h"
#include "pm/channel/pm_proxy.h"
#include "pm/channel/pm_pump.h"

enum { EXIT_MS = 1000, KILLED = 9 };

struct child {
    struct pm_command command;
    struct pm_pump pump;
    struct child *next;
    int number;
    bool ended;
};

static struct {
    struct pm_channel *channel;
    struct pm_signals signals;
    struct child *children;
    int running;
    bool greeted, finishing, alone; /* alone: mpiexec cannot be reached any more */
} relay;

static void send_frame(const struct pm_frame *f)
{
    if (!relay.alone)
        pm_channel_send(relay.channel, f);
}

static void end_alone(void)
{
    relay.alone = true;
    for (struct child *c = relay.children; c; c = c->next) {
        pm_pump_close(&c->pump); /* the end of the channel of its proxy */
        pm_command_wait(&c->command, EXIT_MS);
    }
}

static void relay_fail(const char *why)
{
    send_frame(&(struct pm_frame) { .kind = PM_FRAME_FAILED, .bytes = why, .len = strlen(why) });
    end_alone();
}

static struct child *relay_find_child(int number)
{
    struct child *c = relay.children;

    while (c && c->number != number)
        c = c->next;
    return c;
}

/* ---- events of children ---------------------------------------------------------------------- */

static void on_line(void *owner, const char *line)
{
    const struct child *c = owner;

    send_frame(&(struct pm_frame) {
        .kind = PM_FRAME_CHILD_LINE, .number = c->number, .bytes = line, .len = strlen(line) });
}

static void on_exited(void *owner, int wait_status)
{
    struct child *c = owner;

    if (c->ended)
        return;
    c->ended = true;
    relay.running--;
    send_frame(&(struct pm_frame) {
        .kind = PM_FRAME_CHILD_EXITED, .number = c->number, .value = wait_status });
}

static void on_overdue(void *owner) { (void) owner; }

static void on_abandoned(void *owner) { on_exited(owner, KILLED); }

static struct pm_channel *relay_owner_channel(void *owner)
{
    (void) owner;
    return relay.alone ? NULL : relay.channel;
}

static void relay_carry_frame(void *owner, const struct pm_frame *f)
{
    struct child *c = owner;

    send_frame(f);
    if (!f->len) /* the proxy closes its channel when it ends */
        pm_command_wait(&c->command, EXIT_MS);
}

/* ---- commands -------------------------------------------------------------------------------- */

static int relay_run_child(struct child *c, char *const *words)
{
    int fd[2], err;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd))
        return -errno;
    err = pm_pump_open(&c->pump, fd[0]);
    if (!err)
        err = pm_command_run(&c->command, words, fd[1], fd[1], &relay.signals);
    (void) close(fd[1]);
    if (err)
        pm_pump_close(&c->pump);
    return err;
}

/* A number may be used again when its child has ended: the command is tried once more. */
static void relay_start_child(const struct pm_frame *f)
{
    const struct pm_command_events events = { NULL,      on_line,    NULL,
                                              on_exited, on_overdue, on_abandoned };
    char *const *words = pm_decode_words(f->bytes, f->len);
    struct child *c = relay_find_child(f->number);

    if (!words || !words[0] || (c && !c->ended)) {
        free((void *) (uintptr_t) words);
        relay_fail("its relay cannot read a command");
        return;
    }
    if (!c && (c = calloc(1, sizeof *c))) {
        c->next = relay.children;
        relay.children = c;
    }
    if (!c) {
        free((void *) (uintptr_t) words);
        relay_fail("its relay is out of memory");
        return;
    }
    pm_command_init(&c->command, &events);
    c->command.events.owner = c;
    c->number = c->pump.number = f->number;
    c->pump.owner = c;
    c->pump.channel = relay_owner_channel;
    c->pump.send = relay_carry_frame;
    c->ended = false;
    relay.running++;
    int err = relay_run_child(c, words);
    free((void *) (uintptr_t) words);
    if (!err)
        return;
    on_line(c, strerror(-err));
    on_exited(c, KILLED);
}

static void on_frame(void *owner, const struct pm_frame *f)
{
    struct child *c = relay_find_child(f->number);

    (void) owner;
    if (relay.alone)
        return;
    switch ((int) f->kind) {
    case PM_FRAME_HELLO:
        relay.greeted = f->number == PM_CHANNEL_VERSION;
        pm_channel_beat(relay.channel, f->value);
        break;
    case PM_FRAME_BEAT:
        break;
    case PM_FRAME_CHILD:
        relay_start_child(f);
        break;
    case PM_FRAME_RELAY:
        if (c && pm_pump_take(&c->pump, f->bytes, f->len))
            relay_fail("its relay is out of memory");
        break;
    case PM_FRAME_CHILD_END:
        if (c && f->value)
            pm_command_kill(&c->command, f->value);
        if (c)
            pm_command_wait(&c->command, EXIT_MS);
        break;
    case PM_FRAME_FINISH:
        relay.finishing = true;
        break;
    default:
        relay_fail("its relay is asked for what it cannot do");
    }
    if (!relay.alone && !relay.greeted)
        relay_fail("its relay has got a command before it knows of whom");
}

static void on_channel_ended(void *owner, const char *why)
{
    (void) owner, (void) why;
    end_alone();
}

static int open_all(const char *version)
{
    const struct pm_channel_events events = { NULL, NULL, NULL, on_frame, on_channel_ended };
    sigset_t handled;
    int in, out, err = pm_signals_block(&relay.signals, &handled);

    (void) sigprocmask(SIG_SETMASK, &relay.signals.mask, NULL); /* signals end it */
    if (!err)
        err = pm_loop_open();
    if (!err)
        err = pm_take_channel(&in, &out);
    if (err)
        return err;
    relay.channel = pm_channel_to_owner(in, out, NULL, version, &events);
    return relay.channel ? 0 : -errno;
}

int pm_relay(const char *version)
{
    int err = open_all(version);

    if (err) {
        pm_log("the relay cannot run: %s", strerror(-err));
        return 1;
    }
    while (relay.running || (!relay.finishing && !relay.alone))
        pm_loop_once(true);
    send_frame(&(struct pm_frame) { .kind = PM_FRAME_ENDED });
    while (!pm_channel_sent_all(relay.channel))
        pm_loop_once(true);
    return relay.alone;
}
