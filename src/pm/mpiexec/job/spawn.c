/* spawn.c — jobs that ranks spawn (§11.8 of MPI-4): what is asked for becomes a job, and its
 * spawner is told when all its ranks run, or that it could not be started. Then the ranks that were
 * started are killed, and nothing else ends. Once its spawner is connected to it, it is like the
 * job of the command line: a failure ends it, and the others go on. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/mpiexec/job/job_impl.h"
#include "pm/server/pm_spawn.h"

/* ---- the request ----------------------------------------------------------------------------- */

/* A copy of a list of texts, which lives as long as the job. */
static char **copy_texts(struct pm_job *j, char *const *list)
{
    size_t n = 0;

    while (list[n])
        n++;
    char **copy = pm_keep(&j->kept, calloc(n + 1, sizeof *copy));
    for (size_t i = 0; copy && i < n; i++)
        if (!(copy[i] = pm_keep(&j->kept, strdup(list[i]))))
            return NULL;
    return copy;
}

static int copy_program(struct pm_job *j, const struct pm_spawn_program *of, const char *cwd,
                        struct pm_program *p)
{
    *p = (struct pm_program) {
        .maxprocs = of->maxprocs, .argv = copy_texts(j, of->argv), .wdir_option = "wdir", .cwd = cwd
    };
    return p->argv ? 0 : -ENOMEM;
}

/* Adds a job to the run, which is not opened yet. NULL: no memory. */
static struct pm_job *spawned_add(struct pm_rank *spawner, int request, const struct pm_spawn *s)
{
    struct pm_run *r = spawner->job->run;
    struct pm_job *j = calloc(1, sizeof *j);
    struct pm_program *programs = calloc(s->programs, sizeof *programs);

    if (!j || !programs) {
        free(j);
        free(programs);
        return NULL;
    }
    *j = (struct pm_job) { .run = r,
                           .number = ++r->spawns,
                           .program = programs,
                           .programs = s->programs,
                           .state = PM_JOB_STARTS,
                           .later = s->later,
                           .spawner = spawner,
                           .spawner_job = spawner->job->number,
                           .spawner_rank = spawner->number,
                           .request = request };
    if (r->last)
        r->last->next = j;
    else
        r->job->next = j;
    r->last = j;
    return j;
}

/* ---- the start ------------------------------------------------------------------------------- */

static void refuse_spawn(const struct pm_rank *spawner, int request, const char *why)
{
    pm_server_spawned(spawner->job->server, spawner->number, request,
                      &(struct pm_spawn_result) { .why = why });
}

static int sum_of_counts(const struct pm_job *j)
{
    int n = 0;

    for (size_t i = 0; i < j->programs; i++)
        n += j->program[i].count;
    return n;
}

/* The keys of the request as a list. NULL: no memory. */
static const char **preput_list(const struct pm_spawn *s)
{
    const char **list = calloc(2 * s->preputs + 1, sizeof *list);

    for (size_t i = 0; list && i < s->preputs; i++) {
        list[2 * i] = s->preput[i].key;
        list[2 * i + 1] = s->preput[i].value;
    }
    return list;
}

/* Opens the nodes of a job that has its places, and asks them to prepare it. -errno, or
 * PM_REFUSED_HOST. */
static int spawned_open(struct pm_job *j, const struct pm_spawn *s)
{
    const char **preput = preput_list(s);
    int err = preput ? pm_place(j) : -ENOMEM;

    if (!err)
        err = pm_serve(j, preput);
    if (!err)
        err = pm_prepare(j);
    free(preput);
    return err;
}

/* What differs from the options of mpiexec is kept. Binding is that of the job. */
static int keep_layout(struct pm_job *j, const struct pm_spec *said, struct pm_program *p)
{
    const struct pm_spec *spec = j->run->spec;

    if (!pm_layout_same(&said->layout, &spec->layout)) {
        struct pm_layout *l = pm_keep(&j->kept, malloc(sizeof *l));
        if (!l)
            return -ENOMEM;
        *l = said->layout;
        p->layout = l;
    }
    if (j->bind || pm_bind_same(&said->bind, &spec->bind))
        return 0;
    struct pm_bind *b = pm_keep(&j->kept, malloc(sizeof *b));
    if (b)
        *b = said->bind;
    j->bind = b;
    return b ? 0 : -ENOMEM;
}

static int read_info(struct pm_job *j, const struct pm_spawn_program *of, struct pm_program *p,
                     char *why, size_t len)
{
    struct pm_info_pair *pair = pm_keep(&j->kept, calloc(of->infos + 1, sizeof *pair));
    struct pm_spec said = { .layout = j->run->spec->layout, .bind = j->run->spec->bind };

    for (size_t i = 0; pair && i < of->infos; i++)
        pair[i] = (struct pm_info_pair) { of->info[i].key, of->info[i].value };
    const struct pm_info info = {
        .pair = pair, .pairs = of->infos, .kept = &j->kept, .warn = pm_log
    };
    int err = pair ? pm_read_info(&info, &said, p, why, len) : -ENOMEM;
    if (!err)
        err = keep_layout(j, &said, p);
    if (err == -ENOMEM)
        (void) snprintf(why, len, "out of memory");
    return err;
}

/* The programs, as the request and its info say. */
static int fill_programs(struct pm_job *j, const struct pm_spawn *s, char *why, size_t len)
{
    struct pm_program *programs = (struct pm_program *) (uintptr_t) j->program;
    const char *cwd = s->cwd ? pm_keep(&j->kept, strdup(s->cwd)) : NULL;
    int err = 0;

    if (s->environ)
        j->environ = copy_texts(j, s->environ);
    if ((s->cwd && !cwd) || (s->environ && !j->environ))
        err = -ENOMEM;
    for (size_t i = 0; i < s->programs && !err; i++)
        err = copy_program(j, &s->program[i], cwd, &programs[i]);
    if (err)
        (void) snprintf(why, len, "%s", strerror(-err));
    for (size_t i = 0; i < s->programs && !err; i++)
        err = read_info(j, &s->program[i], &programs[i], why, len);
    return err;
}

static int spawned_fill(struct pm_job *j, const struct pm_spawn *s, char *why, size_t len)
{
    int *place = NULL, err = fill_programs(j, s, why, len);

    if (!err)
        err = pm_find_places(j->run, (struct pm_program *) (uintptr_t) j->program, s->programs,
                             &place, why, len);
    j->place = place;
    j->size = err ? 0 : sum_of_counts(j);
    j->error = -err;
    return err;
}

void pm_spawn_job(struct pm_rank *spawner, int request, const struct pm_spawn *s)
{
    struct pm_run *r = spawner->job->run;
    char why[PM_WHY_MAX];

    if (r->ends) {
        refuse_spawn(spawner, request, "mpiexec ends all jobs");
        return;
    }
    struct pm_job *j = spawned_add(spawner, request, s);
    if (!j) {
        refuse_spawn(spawner, request, strerror(ENOMEM));
        return;
    }
    if (spawned_fill(j, s, why, sizeof why)) {
        pm_abandon_job(j, why);
        return;
    }
    int err = spawned_open(j, s);
    if (err)
        pm_abandon_job(j, err == PM_REFUSED_HOST ? "a host cannot be reached, as mpiexec says"
                                                 : strerror(-err));
}
