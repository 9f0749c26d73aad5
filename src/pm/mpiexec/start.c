/* start.c — prepares the nodes of a job, and tells them to start its ranks. */
#include <errno.h>
#include <stdlib.h>
#include "job.h"

enum { BATCH = 16 }; /* ranks started between two turns of the event loop */

int pm_prepare(struct pm_job *j)
{
    const struct pm_spec *s = j->spec;
    size_t files = s->outfile || s->errfile ? 4 * (size_t) j->size : 0;
    bool topology = pm_bind_needs_topology(&s->bind) || s->report_bindings;

    j->executable = calloc(s->programs, sizeof *j->executable);
    for (size_t i = 0; j->executable && i < s->programs; i++) {
        const struct pm_program *p = &s->program[i];
        j->executable[i] = (struct pm_executable) { .argv = p->argv,
                                                    .wdir = p->wdir,
                                                    .path = p->path ? p->path : getenv("PATH"),
                                                    .environ = pm_environ(s, p) };
        if (!j->executable[i].environ)
            return -ENOMEM;
    }
    if (!j->executable)
        return -ENOMEM;
    for (int i = 0; i < j->hosts; i++)
        pm_node_prepare(j->host[i].node, &(struct pm_plan) { .executable = j->executable,
                                                             .executables = s->programs,
                                                             .processes = j->host[i].size,
                                                             .files_of_owner = files,
                                                             .topology = topology });
    return 0;
}

/* A job with a single rank, whose lines have no prefix, holds no lines. */
static enum pm_hold hold(const struct pm_job *j, const struct pm_sink *k)
{
    if (j->size == 1 && !j->spec->prefix)
        return PM_HOLD_NOTHING;
    return pm_sink_is_tty(k) ? PM_HOLD_PROMPTS : PM_HOLD_LINES;
}

static void start_rank(struct pm_job *j, int rank)
{
    struct pm_rank *r = &j->rank[rank];
    char cpus[PM_CPUS_TEXT];
    struct pm_start s = { .rank = rank,
                          .local_rank = r->process,
                          .local_size = r->host->size,
                          .executable = (size_t) (r->program - j->spec->program),
                          .input = rank ? PM_INPUT_NONE : pm_input_kind(),
                          .cpus = pm_bind_text(r, cpus, sizeof cpus) };

    if (pm_output_of(j, rank))
        return;
    for (int i = 0; i < PM_STREAMS; i++) {
        s.sink[i] = pm_sink_number(r->sink[i]);
        s.hold[i] = hold(j, r->sink[i]);
    }
    if (j->spec->report_bindings)
        pm_bind_report(j, rank);
    r->state = PM_RANK_RUNS;
    j->running++;
    pm_node_start(r->host->node, &s);
    if (s.input == PM_INPUT_FORWARDED && r->state == PM_RANK_RUNS)
        pm_input_start(r);
}

static bool all_ready(const struct pm_job *j)
{
    for (int i = 0; i < j->hosts; i++)
        if (!j->host[i].ready)
            return false;
    return true;
}

bool pm_start_some(struct pm_job *j)
{
    if (j->started == j->size || !all_ready(j))
        return false;
    for (int i = 0; i < BATCH && j->started < j->size && !j->ends; i++)
        start_rank(j, j->started++);
    return j->started < j->size && !j->ends;
}
