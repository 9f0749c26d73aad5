/* main.c — mpiexec: runs a job and those that it spawns, and waits until no process is left. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pm/node/log.h"
#include "pm/mpiexec/job/mpiexec_job.h"
#include "pm/mpiexec/names/mpiexec_names.h"
#include "pm/mpiexec/output/mpiexec_output.h"
#include "pm/mpiexec/stand_in.h"
#include "platform/os.h"
#include "pm/channel/pm_proxy.h"
#include "pm/pmi/pmi_line.h"
#include "pm/pmi/pmi_stand_in.h"
#include "pm/node/supervisor.h"

static char **args; /* a copy that spec points into; fork_supervisor() overwrites argv */
static struct pm_spec spec;
static struct pm_run run;
static struct pm_outcome outcome = { .run = &run, .spawn = pm_spawn_job };
static struct pm_job job = { .run = &run, .state = PM_JOB_STARTED }; /* of the command line */
static struct pm_run run = {
    .spec = &spec, .job = &job, .events = &pm_job_events, .outcome = &outcome
};
static struct pm_timer timeout; /* of -timeout */

/* Runs starling_info, which is in the directory of mpiexec and knows the settings. */
static int help_settings(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 32);
    char *slash = n > 0 ? memrchr(path, '/', (size_t) n) : NULL;

    if (slash) {
        (void) snprintf(slash + 1, 32, "starling_info");
        (void) execl(path, "starling_info", "--settings", (char *) NULL);
    }
    pm_log("cannot run %s: %s", slash ? path : "starling_info", strerror(errno));
    return PM_EXIT_USAGE;
}

/* Opens standard descriptors that are closed, so that no file of mpiexec gets their numbers.
 * Where a rank of another job calls mpiexec, closes its PMI socket on exec: it is not for ranks
 * of this job. */
static void prepare_descriptors(void)
{
    const char *outer = getenv("PMI_FD");
    int fd;

    while ((fd = pm_open_null()) >= 0 && fd <= STDERR_FILENO)
        (void) fcntl(fd, F_SETFD, 0);
    if (fd >= 0)
        (void) close(fd);
    if (outer && !pmi_parse_int(outer, strlen(outer), &fd) && fd > STDERR_FILENO
        && os_is_open_socket(fd))
        (void) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static void output_failed(int err, const char *file)
{
    if (err == EPIPE)
        pm_fail_run(&run, &(struct pm_status) { PM_OUTPUT_CLOSED, NULL, 0, NULL });
    else
        pm_record_failure(&run, &(struct pm_status) { PM_OUTPUT_ERROR, NULL, err, file });
}

static void timed_out(struct pm_timer *t)
{
    (void) t;
    pm_fail_run(&run, &(struct pm_status) { PM_TIMED_OUT, NULL, spec.timeout_s, NULL });
    pm_limit_output_wait(&run);
}

static void make_directory(void)
{
    int err = pm_output_directory(&spec);

    if (err)
        pm_fail_run(&run, &(struct pm_status) { PM_OUTPUT_ERROR, NULL, -err, spec.outdir });
}

/* A job whose directory cannot be made, or whose hosts are refused, is opened and has ended. */
static int place_job(void)
{
    int err = pm_place(&job);

    if (err != PM_REFUSED_HOST)
        return err;
    pm_fail_run(&run, &(struct pm_status) { PM_REFUSED, NULL, PM_EXIT_USAGE, NULL });
    return 0;
}

static int open_job(void)
{
    int err = pm_loop_open();

    if (!err)
        err = pm_output_open(&run, output_failed);
    if (!err)
        err = pm_signals_open(&run);
    if (!err)
        make_directory();
    if (!err)
        err = place_job();
    if (!err)
        err = pm_serve(&job, NULL);
    if (!err && !run.ends)
        err = pm_prepare(&job);
    return err;
}

static void job_run_loop(void)
{
    pm_query_socket_open(&run);
    if (spec.timeout_s)
        pm_timer_set(&timeout, spec.timeout_s * 1000, timed_out);
    for (;;) {
        bool more = pm_start_some(&run);
        pm_sinks_flush();
        if (pm_run_over(&run))
            return;
        pm_loop_once(!more);
    }
}

static void write_all(void)
{
    for (pm_sinks_flush(); !pm_sinks_empty() && !outcome.drop_output; pm_sinks_flush())
        pm_loop_once(true);
}

/* failed: why the job could not even begin, or NULL. */
static void job_write_report(const char *failed)
{
    int err = spec.json ? pm_report(&run, failed) : 0;

    if (err && (failed || outcome.status.cause != PM_NO_FAILURE))
        pm_log("cannot write %s: %s", spec.json, strerror(-err));
    else if (err)
        pm_record_failure(&run, &(struct pm_status) { PM_OUTPUT_ERROR, NULL, -err, spec.json });
}

/* Writes all output, and as the last line how the job has ended. After a failure the end of the
 * job does not wait for a reader that does not read. */
static void finish_output(const char *failed)
{
    if (outcome.status.cause != PM_NO_FAILURE)
        pm_watch_reader(&run);
    write_all();
    if (!pm_sinks_empty())
        pm_log("output is lost, because its reader does not read");
    job_write_report(failed);
    if (spec.exit_codes)
        pm_log_exit_codes(&run);
    pm_log_refusals(&job);
    pm_log_status(&run);
    write_all();
}

/* Returns in the process that runs the job, which overwrites argv with its own name. */
static int fork_supervisor(char **argv)
{
    sigset_t handled;
    int err = pm_signals_block(&run.signals, &handled);

    if (!err)
        outcome.signal_pipe = err = pm_supervise(argv, &handled);
    return err < 0 ? err : 0;
}

static int run_job(char **argv)
{
    int err = fork_supervisor(argv);

    if (!err)
        err = open_job();
    if (err)
        pm_log("cannot start the job: %s", strerror(-err));
    else
        job_run_loop();
    finish_output(err ? strerror(-err) : NULL);
    if (run.hosts && run.host[run.hosts - 1]->remote) /* the node inside is the first */
        pm_kill_children();
    return err ? PM_EXIT_USAGE : pm_exit_code(&outcome.status);
}

static char **argv_copy(int argc, char **argv)
{
    char **own = calloc((size_t) argc + 1, sizeof *own);

    for (int i = 0; own && i < argc; i++)
        if (!(own[i] = strdup(argv[i])))
            return NULL;
    return own;
}

static int read_command_line(char *why, size_t len)
{
    int err = pm_parse(&spec, args + 1, why, len, pm_log);

    if (!err && spec.action == PM_RUN)
        err = pm_find_hosts(&spec, why, len);
    if (!err && spec.action == PM_RUN)
        err = pm_check_ranks(&spec, why, len);
    job.program = spec.program;
    job.programs = spec.programs;
    job.size = spec.size;
    job.place = spec.place;
    run.listed = spec.hosts.count;
    return err;
}

int main(int argc, char **argv)
{
    char why[1024] = "out of memory";

    if (argc == 2 && !strcmp(argv[1], PM_RELAY_ARGUMENT))
        return pm_relay(STARLING_VERSION);
    if (argc == 2 && !strcmp(argv[1], PMI_STAND_IN_ARGUMENT))
        return pm_stand_in();
    bool calls = argc == 2 && !strcmp(argv[1], PM_PROXY_CALLS_ARGUMENT);
    if (calls || (argc == 2 && !strcmp(argv[1], PM_PROXY_ARGUMENT)))
        return pm_proxy(argv, calls, STARLING_VERSION);
    args = argv_copy(argc, argv);
    spec.self = args ? args[0] : NULL;
    spec.command = args;
    spec.version = STARLING_VERSION;
    spec.started_ns = pm_clock_ns();
    prepare_descriptors();
    if (!args || read_command_line(why, sizeof why)) {
        pm_log("%s", why);
        job_write_report(why);
        return PM_EXIT_USAGE;
    }
    switch (spec.action) {
    case PM_HELP:
        pm_help(spec.help_of);
        return 0;
    case PM_VERSION:
        printf("Starling mpiexec %s\n", STARLING_VERSION);
        return 0;
    case PM_HELP_SETTINGS:
        return help_settings();
    case PM_JOBS:
        return pm_print_jobs();
    case PM_SERVE_NAMES:
        return pm_serve_names(spec.names_file, &spec.ports);
    case PM_RUN:
        break;
    }
    return run_job(argv);
}
