/* carried.c — nodes whose channels go through a relay: what mpiexec does about them. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "pm/channel/pm_serialize.h"
#include "pm/channel/pm_remote_impl.h"

/* When all have left, the relay is not needed any more. */
static void carried_left(struct pm_remote *r)
{
    struct pm_remote *relay = r->via;

    if (r->left)
        return;
    r->left = true;
    if (++relay->carried_left < relay->carries)
        return;
    if (relay->phase == PM_REMOTE_STARTS)
        pm_remote_kill(relay); /* its start */
    else
        pm_remote_finish(relay);
}

/* ---- starting and ending what it runs -------------------------------------------------------- */

static struct pm_channel *relay_channel(void *owner)
{
    const struct pm_remote *r = owner;

    return r->via->phase == PM_REMOTE_RUNS ? r->via->channel : NULL;
}

static void send_to_relay(void *owner, const struct pm_frame *f)
{
    const struct pm_remote *r = owner;

    pm_remote_send(r->via, f);
}

static int send_words(struct pm_remote *r)
{
    struct pm_bytes q = { .bytes = NULL };
    int err = pm_encode_words(&q, r->words);

    if (!err)
        pm_remote_send(r->via, &(struct pm_frame) { .kind = PM_FRAME_CHILD,
                                                    .number = r->number,
                                                    .bytes = q.bytes,
                                                    .len = q.len });
    pm_bytes_free(&q);
    return err;
}

static int carried_launch(struct pm_remote *r)
{
    int fd[2], err;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd))
        return -errno;
    pm_pump_close(&r->pump);
    r->pump = (struct pm_pump) {
        .channel = relay_channel, .send = send_to_relay, .owner = r, .number = r->number, .fd = -1
    };
    err = pm_pump_open(&r->pump, fd[1]);
    if (err)
        (void) close(fd[0]);
    else
        err = pm_remote_connect(r, fd[0], NULL);
    if (!err)
        err = send_words(r);
    r->runs = !err;
    r->exited = false;
    return err;
}

/* The command of a carried node has ended, and the frames of its proxy have been handled. */
static void carried_finish(struct pm_remote *r)
{
    r->exited = false;
    pm_pump_close(&r->pump);
    /* mpiexec may reach a host that the relay cannot reach. */
    if (r->phase == PM_REMOTE_STARTS && r->launcher)
        pm_remote_launch_directly(r);
    else
        pm_remote_exited(r, r->wait_status);
}

static void carried_end(struct pm_remote *r, int signal)
{
    if (r->exited)
        carried_finish(r);
    else if (r->runs)
        pm_remote_send(r->via, &(struct pm_frame) { .kind = PM_FRAME_CHILD_END,
                                                    .number = r->number,
                                                    .value = signal });
}

/* The channel of its proxy ends, and says so when it has brought what is under way. */
static void on_exited(struct pm_remote *r, int wait_status)
{
    r->runs = false;
    r->exited = true;
    r->wait_status = wait_status;
    if (pm_channel_is_open(r->channel))
        (void) pm_pump_take(&r->pump, NULL, 0);
    else
        carried_finish(r);
}

static const struct pm_remote_starter carried_starter = { carried_launch, carried_end, false };

void pm_carried_frame(struct pm_remote *relay, const struct pm_frame *f)
{
    char line[PM_LINE_OF_COMMAND];

    if (f->number < 0 || f->number >= relay->carries) {
        pm_remote_lose(relay, "its relay speaks of child %d, of %d", f->number, relay->carries);
        return;
    }
    struct pm_remote *r = relay->carried[f->number];
    if (!r->runs)
        return;
    switch ((int) f->kind) {
    case PM_FRAME_RELAY:
        if (pm_pump_take(&r->pump, f->bytes, f->len))
            pm_remote_lose(r, "%s", strerror(ENOMEM));
        break;
    case PM_FRAME_CHILD_LINE:
        (void) pm_frame_text(f, line, sizeof line);
        pm_remote_line(r, line);
        break;
    default:
        on_exited(r, f->value);
    }
}

int pm_carried_add(struct pm_remote *relay, struct pm_remote *r)
{
    size_t n = (size_t) relay->carries + 1;
    struct pm_remote **more = realloc(relay->carried, n * sizeof *more);

    if (!more)
        return -ENOMEM;
    relay->carried = more;
    r->number = relay->carries;
    r->via = relay;
    r->pump.fd = -1;
    r->starter = &carried_starter;
    r->on_left = carried_left;
    relay->carried[relay->carries++] = r;
    return 0;
}
