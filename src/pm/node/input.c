/* input.c — standard input that the owner forwards to a process, through a pipe. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"

void pm_process_close_input(struct pm_process *p)
{
    struct pm_node *n = p->node;

    if (p->input.fd < 0)
        return;
    pm_loop_drop(p->input.fd);
    (void) close(p->input.fd);
    free(p->input.bytes);
    p->input.bytes = NULL;
    p->input.fd = -1;
    n->events.input_ended(n->events.owner, p->number);
}

/* Writes bytes to the pipe, and watches it when it is full. */
static void forward_write(struct pm_process *p)
{
    struct pm_forward *f = &p->input;

    while (f->at < f->len) {
        ssize_t n = write(f->fd, f->bytes + f->at, f->len - f->at);
        if (n > 0) {
            f->at += (size_t) n;
        } else if (errno == EAGAIN) {
            (void) pm_loop_watch(f->fd, false, true, &f->writable);
            return;
        } else if (errno != EINTR) {
            pm_process_close_input(p); /* the process has closed its input */
            return;
        }
    }
    f->at = f->len = 0;
    p->node->events.input_taken(p->node->events.owner, p->number);
}

static void forward_writable(struct pm_source *s)
{
    struct pm_process *p = OS_OWNER(s, struct pm_process, input.writable);

    if (p->input.fd < 0)
        return;
    pm_loop_drop(p->input.fd);
    forward_write(p);
}

int pm_process_open_input(struct pm_process *p, int *process_end)
{
    int fd[2];

    p->input.bytes = malloc(PM_INPUT_MAX);
    if (!p->input.bytes)
        return -ENOMEM;
    if (pipe2(fd, O_CLOEXEC))
        return -errno;
    *process_end = fd[0];
    p->input.fd = fd[1];
    p->input.writable.ready = forward_writable;
    return os_set_nonblocking(fd[1]);
}

/* An inherited pipe has ended when its writers have closed it and all has been read. */
bool pm_may_read_input(const struct pm_process *p)
{
    struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

    if (p->input_kind == PM_INPUT_FORWARDED)
        return p->input.fd >= 0;
    return p->input_kind == PM_INPUT_INHERITED
           && (poll(&in, 1, 0) <= 0 || in.revents & POLLIN || !(in.revents & (POLLHUP | POLLNVAL)));
}

void pm_node_input(struct pm_node *n, int process, const char *bytes, size_t len)
{
    struct pm_process *p = n->process[process];

    if (p->input.fd < 0 || len > PM_INPUT_MAX - p->input.len)
        return;
    if (!len) {
        pm_process_close_input(p);
        return;
    }
    memcpy(p->input.bytes + p->input.len, bytes, len);
    p->input.len += len;
    forward_write(p);
}
