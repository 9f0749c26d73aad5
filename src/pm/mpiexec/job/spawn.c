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

/* The value of a key; NULL: there is none. Of two, the last counts. */
static const char *info_get(const struct pm_spawn_program *of, const char *key)
{
    const char *value = NULL;

    for (size_t i = 0; i < of->infos; i++)
        if (!strcmp(of->info[i].key, key))
            value = of->info[i].value;
    return value;
}

/* Copies the value of a key. -ENOMEM. */
static int info_copy(const struct pm_spawn_program *of, const char *key, const char **to)
{
    const char *value = info_get(of, key);

    if (value && !(*to = strdup(value)))
        return -ENOMEM;
    return 0;
}

/* The hosts, by one of the names that the key has in MPI and in other implementations. */
static int copy_hosts(const struct pm_spawn_program *of, struct pm_program *p)
{
    static const char *const keys[] = { "host", "hosts", "add-host" };
    int err = 0;

    for (size_t i = 0; i < sizeof keys / sizeof *keys && !p->host && !err; i++) {
        p->host_option = keys[i];
        err = info_copy(of, keys[i], &p->host);
    }
    return err;
}

static char **copy_arguments(char *const *argv)
{
    size_t n = 0;

    while (argv[n])
        n++;
    char **copy = calloc(n + 1, sizeof *copy);
    for (size_t i = 0; copy && i < n; i++)
        if (!(copy[i] = strdup(argv[i])))
            return NULL;
    return copy;
}

/* Copies what the job keeps, as long as mpiexec runs. */
static int copy_program(const struct pm_spawn_program *of, struct pm_program *p)
{
    *p = (struct pm_program) { .maxprocs = of->maxprocs,
                               .argv = copy_arguments(of->argv),
                               .wdir_option = "wdir" };
    int err = p->argv ? copy_hosts(of, p) : -ENOMEM;

    if (!err)
        err = info_copy(of, "wdir", &p->wdir);
    if (!err)
        err = info_copy(of, "path", &p->path);
    if (!err)
        err = info_copy(of, "soft", &p->soft);
    if (!err)
        err = info_copy(of, "arch", &p->arch);
    return err;
}

/* Adds a job to the run, which is not opened yet. NULL: no memory. */
static struct pm_job *spawned_add(struct pm_rank *spawner, int request, const struct pm_spawn *s)
{
    struct pm_run *r = spawner->job->run;
    struct pm_job **more = realloc(r->spawned, (size_t) (r->spawns + 1) * sizeof *more);
    struct pm_job *j = calloc(1, sizeof *j);
    struct pm_program *programs = calloc(s->programs, sizeof *programs);

    if (more)
        r->spawned = more;
    if (!more || !j || !programs) {
        free(j);
        free(programs);
        return NULL;
    }
    *j = (struct pm_job) { .run = r,
                           .number = r->spawns + 1,
                           .program = programs,
                           .programs = s->programs,
                           .state = PM_JOB_STARTS,
                           .later = s->later,
                           .spawner = spawner,
                           .request = request };
    r->spawned[r->spawns++] = j;
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

static int spawned_fill(struct pm_job *j, const struct pm_spawn *s, char *why, size_t len)
{
    struct pm_program *programs = (struct pm_program *) (uintptr_t) j->program;
    int *place = NULL, err = 0;

    for (size_t i = 0; i < s->programs && !err; i++)
        err = copy_program(&s->program[i], &programs[i]);
    if (err)
        (void) snprintf(why, len, "%s", strerror(-err));
    else
        err = pm_find_places(j->run, programs, s->programs, &place, why, len);
    j->place = place;
    j->size = err ? 0 : sum_of_counts(j);
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
