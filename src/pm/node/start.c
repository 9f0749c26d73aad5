/* start.c — starts a process. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "pm/node/log.h"
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"

/* Makes room for a process of this number. */
static bool make_room(struct pm_node *n, int number)
{
    int room = number < n->room ? n->room : number * 2 + 16;
    struct pm_process **more = n->process;

    if (room > n->room)
        more = realloc(n->process, (size_t) room * sizeof *more);
    if (!more)
        return false;
    n->process = more;
    n->room = room;
    while (n->processes <= number)
        n->process[n->processes++] = NULL;
    return true;
}

static struct pm_process *add_process(struct pm_node *n, const struct pm_start *s)
{
    struct pm_process *p = make_room(n, s->process) ? calloc(1, sizeof *p) : NULL;

    if (!p)
        return NULL;
    *p = (struct pm_process) { .node = n,
                               .number = s->process,
                               .job = s->job,
                               .rank = s->rank,
                               .input_kind = s->input,
                               .state = PM_PROCESS_ENDED,
                               .pid = -1,
                               .link.fd = -1,
                               .input.fd = -1,
                               .calls_fd = -1 };
    for (int i = 0; i < PM_STREAMS; i++)
        p->stream[i] =
            (struct pm_stream) { .process = p, .number = i, .fd = -1, .hold = s->hold[i] };
    return n->process[s->process] = p;
}

/* Makes a pipe, or a pseudo-terminal if that can be had, from a process to a stream. *process_end:
 * the end for the process. */
static int open_stream(struct pm_stream *s, int sink, bool pty, int *process_end)
{
    int fd[2];

    if (sink == PM_NO_SINK) {
        *process_end = s->process->node->null_fd;
        return 0;
    }
    s->lane = pm_lane_of(s->process->node, sink);
    if (!s->lane)
        return -errno;
    s->pty = pty && !pm_pty_open(s->process->node, fd);
    if (!s->pty && pipe2(fd, O_CLOEXEC))
        return -errno;
    *process_end = fd[1];
    return pm_stream_open(s, fd[0]);
}

static int connect_pmi(struct pm_process *p, int *process_end)
{
    int fd[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd))
        return -errno;
    *process_end = fd[1];
    return pm_link_open(p, fd[0]);
}

static int open_input(struct pm_process *p, enum pm_input_kind kind, int *process_end)
{
    switch (kind) {
    case PM_INPUT_NONE:
        *process_end = p->node->null_fd;
        return 0;
    case PM_INPUT_INHERITED:
        *process_end = STDIN_FILENO;
        return 0;
    case PM_INPUT_FORWARDED:
        break;
    }
    return pm_process_open_input(p, process_end);
}

/* Sets the variables that differ from process to process. */
static void set_variables(char **environ, int pmi_fd, const struct pm_start *s)
{
    static char text[PM_ENV_SLOTS][48];
    const struct {
        const char *name;
        int value;
    } own[PM_ENV_SLOTS] = {
        { "PMI_FD", pmi_fd },
        { "PMI_RANK", s->rank },
        { "MPI_LOCALRANKID", s->local_rank },
        { "MPI_LOCALNRANKS", s->local_size },
        { "OMPI_COMM_WORLD_RANK", s->rank }, /* as Open MPI does, for scripts */
        { "OMPI_COMM_WORLD_LOCAL_RANK", s->local_rank },
        { "OMPI_COMM_WORLD_LOCAL_SIZE", s->local_size },
    };

    for (int i = 0; i < PM_ENV_SLOTS; i++) {
        (void) snprintf(text[i], sizeof *text, "%s=%d", own[i].name, own[i].value);
        environ[i] = text[i];
    }
}

/* Makes the arguments "/bin/sh file args", for a file that is a script without "#!". */
static char **shell_arguments(struct pm_launch *l)
{
    size_t n = 0;

    while (l->argv[n])
        n++;
    char **argv = calloc(n + 3, sizeof *argv);
    if (argv) {
        argv[0] = "/bin/sh";
        argv[1] = (char *) l->file;
        memcpy(argv + 2, l->argv + (n > 0), (n - (n > 0)) * sizeof *argv);
    }
    return argv;
}

static int process_launch(struct pm_process *p, struct pm_launch *l, const struct pm_start *s)
{
    struct pm_node *n = p->node;
    const struct pm_program_file *f = pm_program_of(n, s->job, s->executable);

    l->file = f->file;
    l->wdir = f->wdir;
    l->argv = f->executable->argv;
    l->environ = f->environ;
    l->shell_argv = shell_arguments(l);
    if (!l->shell_argv)
        return ENOMEM;
    set_variables(l->environ, n->pmi_fd, s);
    l->pmi_number = n->pmi_fd;
    l->parent = getpid();
    l->nofile = &n->nofile;
    l->signals = &n->signals;
    l->bound = s->cpus;
    if (l->bound) /* what is no list is an empty set, to which nothing can be bound */
        (void) pm_cpus_parse(&l->cpus, s->cpus, strlen(s->cpus));
    p->pid = pm_launch(l);
    free(l->shell_argv);
    return l->error;
}

static void close_process_ends(const struct pm_node *n, const struct pm_launch *l)
{
    const int ends[] = { l->fd[0], l->fd[1], l->fd[2], l->pmi };

    for (int i = 0; i < 4; i++)
        if (ends[i] > STDIN_FILENO && ends[i] != n->null_fd)
            (void) close(ends[i]);
}

/* errno of what failed, or 0. */
static int open_and_launch(struct pm_process *p, struct pm_launch *l, const struct pm_start *s)
{
    int err = open_stream(&p->stream[PM_OUT], s->sink[PM_OUT], s->pty, &l->fd[1]);

    if (!err)
        err = open_stream(&p->stream[PM_ERR], s->sink[PM_ERR], false, &l->fd[2]);
    if (!err)
        err = connect_pmi(p, &l->pmi);
    if (!err)
        err = open_input(p, s->input, &l->fd[0]);
    if (err)
        err = -err;
    else
        err = process_launch(p, l, s);
    close_process_ends(p->node, l);
    return err;
}

static void log_unbound(const struct pm_start *s, int err)
{
    char host[256], name[PM_RANK_NAME];

    os_hostname(host, sizeof host);
    pm_log("%s on %s is not bound to CPUs %s: %s", pm_rank_name(s->job, s->rank, name), host,
           s->cpus, err == EINVAL ? "it may use none of them" : strerror(err));
}

static void not_started(struct pm_process *p, int err, const struct pm_launch *l)
{
    char text[PM_FILE_NAME_MAX + 512];
    const char *what = l->failed ? l->failed : "its pipes";

    if (l->failed && l->failed == l->file)
        what = pm_culprit(what, err, text, sizeof text);
    p->node->events.not_started(p->node->events.owner, p->number, err, what);
}

void pm_node_start(struct pm_node *n, const struct pm_start *s)
{
    struct pm_launch l = { .fd = { -1, -1, -1 }, .pmi = -1 };
    struct pm_process *p = add_process(n, s);
    int err = p ? open_and_launch(p, &l, s) : ENOMEM;

    if (!p) {
        n->events.not_started(n->events.owner, s->process, err, "its record");
        return;
    }
    if (p->pid > 0) { /* also after a failed start: pm_reap() waits for the process */
        p->state = PM_PROCESS_RUNS;
        n->running++;
    } else {
        for (int i = 0; i < PM_STREAMS; i++)
            pm_stream_close(&p->stream[i]);
        pm_link_close(p);
        pm_process_close_input(p);
    }
    p->started = !err;
    if (l.unbound && !err)
        log_unbound(s, l.unbound);
    if (err)
        not_started(p, err, &l);
    else
        n->events.started(n->events.owner, p->number, p->pid, l.file);
}
