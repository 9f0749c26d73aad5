/* start.c — starts the processes of a job. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "job.h"

enum {
    BATCH = 16,         /* ranks started between two turns of the event loop */
    PMI_FD_MIN = 10,    /* shell scripts may use the numbers below */
    FILES_PER_RANK = 3, /* PMI, standard output and error */
    FILES_OF_MPIEXEC = 32,
    FILE_NAME_MAX = 4096,
};

static void cannot_start(const struct pm_program *p, int err)
{
    const char *name = p->argv[0];

    if (!*name)
        pm_log("cannot start '': the name of a program is empty");
    else if (err == -ENOENT && !strchr(name, '/'))
        pm_log("cannot start '%s': %s, neither in %s nor in the current directory", name,
               strerror(-err), p->path ? p->path : "PATH");
    else
        pm_log("cannot start '%s': %s", name, strerror(-err));
}

static int find_programs(struct pm_job *j)
{
    j->program_file = calloc(j->spec->programs, sizeof *j->program_file);
    j->environ = calloc(j->spec->programs, sizeof *j->environ);
    for (size_t i = 0; j->program_file && j->environ && i < j->spec->programs; i++) {
        const struct pm_program *p = &j->spec->program[i];
        char file[FILE_NAME_MAX];
        int err = pm_find(p, file, sizeof file);
        if (err) {
            cannot_start(p, err);
            return err == -ENOENT ? PM_EXIT_MISSING : PM_EXIT_CANNOT;
        }
        j->program_file[i] = strdup(file);
        j->environ[i] = pm_environ(j->spec, p, j->pmi_fd);
        if (!j->program_file[i] || !j->environ[i])
            return -ENOMEM;
    }
    return j->program_file && j->environ ? 0 : -ENOMEM;
}

static int open_files(struct pm_job *j)
{
    struct rlimit r;
    rlim_t need = (rlim_t) j->size * FILES_PER_RANK + FILES_OF_MPIEXEC;

    if (j->spec->outfile || j->spec->errfile)
        need += 4 * (rlim_t) j->size;
    if (getrlimit(RLIMIT_NOFILE, &j->nofile))
        return -errno;
    r = j->nofile;
    r.rlim_cur = r.rlim_max;
    (void) setrlimit(RLIMIT_NOFILE, &r);
    if (r.rlim_cur != RLIM_INFINITY && r.rlim_cur < need) {
        pm_log("%d ranks need %llu open files, and the limit is %llu (ulimit -n)", j->size,
               (unsigned long long) need, (unsigned long long) r.rlim_cur);
        return PM_EXIT_USAGE;
    }
    j->null_fd = pm_open_null();
    if (j->null_fd < 0)
        return -errno;
    /* Reserves a free number for PMI_FD, so that descriptors the user passes to ranks stay open. */
    j->pmi_fd = fcntl(j->null_fd, F_DUPFD_CLOEXEC, PMI_FD_MIN);
    return j->pmi_fd < 0 ? -errno : 0;
}

static int make_ranks(struct pm_job *j)
{
    const struct pm_program *p = j->spec->program;
    int n = 0;

    j->rank = calloc((size_t) j->size, sizeof *j->rank);
    for (int i = 0; j->rank && i < j->size; i++, n++) {
        if (n == p->count) {
            p++;
            n = 0;
        }
        j->rank[i] = (struct pm_rank) { .rank = i, .program = p, .link.fd = -1, .job = j };
        j->rank[i].out.fd = j->rank[i].err.fd = -1;
    }
    return j->rank ? 0 : -ENOMEM;
}

int pm_prepare(struct pm_job *j)
{
    int err = open_files(j);

    if (!err)
        err = make_ranks(j);
    if (!err)
        err = find_programs(j);
    if (!err)
        err = pm_link_server(j);
    pm_streams_mode(j->spec->prefix, j->size == 1);
    return err;
}

/* The sink of a rank's output. */
static struct pm_sink *sink_of(const struct pm_rank *r, const char *pattern, struct pm_sink *own)
{
    char file[FILE_NAME_MAX];

    if (!pattern)
        return own;
    (void) pm_pattern(pattern, r->rank, file, sizeof file);
    struct pm_sink *k = pm_sink_file(file);
    if (!k)
        pm_fail_job(r->job, &(struct pm_job_status) { PM_OUTPUT_ERROR, r->rank, errno, file });
    return k;
}

/* Makes a pipe from a rank to a stream. *rank_end: the end for the rank. */
static int open_stream(struct pm_rank *r, struct pm_stream *s, struct pm_sink *k, int *rank_end)
{
    int fd[2];

    if (!k || pipe2(fd, O_CLOEXEC))
        return k ? -errno : -EIO;
    *rank_end = fd[1];
    return pm_stream_open(s, fd[0], r->rank, k);
}

static int connect_pmi(struct pm_rank *r, int *rank_end)
{
    int fd[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd))
        return -errno;
    *rank_end = fd[1];
    return pm_link_open(r, fd[0]);
}

/* Sets PMI_RANK and MPI_LOCALRANKID in the slots that pm_environ() has reserved for them. */
static void set_rank(char **environ, int rank)
{
    static char global[32], local[32];

    (void) snprintf(global, sizeof global, "PMI_RANK=%d", rank);
    (void) snprintf(local, sizeof local, "MPI_LOCALRANKID=%d", rank);
    environ[PM_ENV_RANK] = global;
    environ[PM_ENV_LOCAL_RANK] = local;
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

static void launch_rank(struct pm_rank *r, struct pm_launch *l)
{
    struct pm_job *j = r->job;
    size_t program = (size_t) (r->program - j->spec->program);

    l->file = j->program_file[program];
    l->wdir = r->program->wdir;
    l->argv = r->program->argv;
    l->environ = j->environ[program];
    l->shell_argv = shell_arguments(l);
    set_rank(l->environ, r->rank);
    l->pmi_number = j->pmi_fd;
    l->parent = getpid();
    l->nofile = &j->nofile;
    l->mask = &j->mask;
    l->sigpipe = &j->sigpipe;
    r->pid = l->shell_argv ? pm_launch(l) : -1;
    free(l->shell_argv);
}

static void close_rank_ends(struct pm_launch *l)
{
    const int ends[] = { l->fd[1], l->fd[2], l->pmi };

    for (int i = 0; i < 3; i++)
        if (ends[i] >= 0)
            (void) close(ends[i]);
}

static void not_started(struct pm_rank *r, int err, const struct pm_launch *l)
{
    char text[FILE_NAME_MAX + 512];
    const char *what = l->failed ? l->failed : "its pipes";

    if (l->failed && l->failed == l->file)
        what = pm_culprit(what, err, text, sizeof text);
    pm_fail_job(r->job, &(struct pm_job_status) { PM_NOT_STARTED, r->rank, err, what });
}

static void start_rank(struct pm_rank *r)
{
    struct pm_job *j = r->job;
    struct pm_launch l = { .fd = { r->rank ? j->null_fd : j->rank0_stdin, -1, -1 }, .pmi = -1 };
    struct pm_sink *out = sink_of(r, j->spec->outfile, j->output.out);
    struct pm_sink *err = sink_of(r, j->spec->errfile, j->output.err);
    int failed = open_stream(r, &r->out, out, &l.fd[1]);

    if (!failed)
        failed = open_stream(r, &r->err, err, &l.fd[2]);
    if (!failed)
        failed = connect_pmi(r, &l.pmi);
    if (!failed) {
        launch_rank(r, &l);
        failed = l.error ? -l.error : r->pid < 0 ? -ENOMEM : 0;
    }
    close_rank_ends(&l);
    if (failed)
        not_started(r, -failed, &l);
    if (r->pid > 0) { /* also after a failed start: pm_reap() waits for the process */
        r->state = PM_RANK_RUNS;
        j->running++;
        if (!failed && j->spec->verbose)
            pm_log("rank %d is process %d: %s", r->rank, (int) r->pid, l.file);
    } else {
        r->state = PM_RANK_ENDED;
        pm_stream_close(&r->out);
        pm_stream_close(&r->err);
        pm_link_close(r);
    }
}

void pm_start_some(struct pm_job *j)
{
    for (int i = 0; i < BATCH && j->started < j->size && j->phase == PM_JOB_RUNS; i++)
        start_rank(&j->rank[j->started++]);
    if (j->started)
        pm_input_started(j);
}
