/* spawn_args.c — root's arguments of a spawn become a request to the launcher. */
#include <limits.h>
#include <stdlib.h>
#include "mpi/dynamic/dynamic.h"
#include "mpi/dynamic/spawn.h"
#include "mpi/info/info.h"
#include "platform/soft.h"

static int check_arrays(const struct mpir_spawn_args *a)
{
    int err = MPI_SUCCESS;

    if (a->count < 1)
        return mpir_error(MPI_ERR_COUNT, "count %d is not positive", a->count);
    if (!a->command)
        err = mpir_null("array_of_commands");
    if (!err && !a->maxprocs)
        err = mpir_null("array_of_maxprocs");
    if (!err && !a->info)
        err = mpir_null("array_of_info");
    return err;
}

static int check_command(const struct mpir_spawn_args *a, int i)
{
    const char *command = a->command[i];

    if (!command || !*command)
        return mpir_error(MPI_ERR_ARG, "command %d is %s", i, command ? "empty" : "NULL");
    if (a->maxprocs[i] < 1)
        return mpir_error(MPI_ERR_ARG, "maxprocs %d of '%.200s' is not positive", a->maxprocs[i],
                          command);
    return MPI_SUCCESS;
}

/* How many processes of a command are asked for. Starling's mpiexec gets all, and chooses what it
 * has room for. */
static int apply_soft(const char *soft, int maxprocs, int *count)
{
    int largest = soft ? soft_largest(soft, maxprocs) : maxprocs;

    if (largest < 0)
        return mpir_error(MPI_ERR_INFO_VALUE,
                          "soft is '%.200s', not a list of numbers and ranges a:b:step", soft);
    if (!largest)
        return mpir_error(MPI_ERR_INFO_VALUE, "soft '%.200s' has no number from 1 to maxprocs %d",
                          soft, maxprocs);
    *count = adi3_launcher_explains() ? maxprocs : largest;
    return MPI_SUCCESS;
}

/* Of several timeouts the shortest one counts. */
static int apply_timeout(const struct mpir_info *info, int *seconds)
{
    const struct mpir_info_range range = { 1, INT_MAX };
    int of_this = -1, err = mpir_info_int(info, "timeout", range, &of_this);

    if (!err && of_this > 0 && (*seconds < 0 || of_this < *seconds))
        *seconds = of_this;
    return err;
}

static int check_programs(const struct mpir_spawn_args *a, struct mpir_spawn_plan *plan, int *infos)
{
    int err = MPI_SUCCESS;

    for (int i = 0; i < a->count && !err; i++) {
        struct adi3_spawn_program *p = &plan->program[i];
        struct mpir_info *info = NULL;
        err = check_command(a, i);
        if (!err)
            err = mpir_info_or_null_arg(a->info[i], &info);
        if (!err)
            err = apply_soft(mpir_info_get(info, "soft"), a->maxprocs[i], &p->count);
        if (!err)
            err = apply_timeout(info, &plan->request.seconds);
        if (!err && a->maxprocs[i] > INT_MAX - plan->processes)
            err = mpir_error(MPI_ERR_ARG, "more than %d processes cannot be spawned", INT_MAX);
        if (err)
            break;
        p->command = a->command[i];
        p->argv = a->argv ? a->argv[i] : NULL;
        p->infos = info ? info->n : 0;
        *infos += p->infos;
        plan->processes += a->maxprocs[i];
    }
    return err;
}

static void fill_infos(const struct mpir_spawn_args *a, struct mpir_spawn_plan *plan)
{
    struct adi3_spawn_info *next = plan->info;

    for (int i = 0; i < a->count; i++) {
        struct mpir_info *info;
        plan->program[i].info = next;
        (void) mpir_info_or_null_arg(a->info[i], &info);
        for (const struct mpir_entry *e = info ? info->first : NULL; e; e = e->next)
            *next++ = (struct adi3_spawn_info) { e->key, e->value };
    }
}

int mpir_spawn_plan_make(const struct mpir_spawn_args *a, struct mpir_spawn_plan *plan)
{
    int infos = 0, err = check_arrays(a);

    *plan = (struct mpir_spawn_plan) { .request.seconds = -1 };
    if (err)
        return err;
    plan->program = calloc((size_t) a->count, sizeof *plan->program);
    if (!plan->program)
        return adi3_no_memory("for a spawn of %d programs", a->count);
    err = check_programs(a, plan, &infos);
    if (err) {
        plan->processes = 0;
        return err;
    }
    plan->request.program = plan->program;
    plan->request.programs = a->count;
    plan->info = calloc((size_t) infos + 1, sizeof *plan->info);
    if (!plan->info)
        return adi3_no_memory("for %d info keys", infos);
    fill_infos(a, plan);
    return MPI_SUCCESS;
}

void mpir_spawn_plan_free(struct mpir_spawn_plan *plan)
{
    free(plan->program);
    free(plan->info);
}

/* From the last one on, since the launcher's codes are not behind those that are made of them. */
int mpir_spawn_plan_codes(const struct mpir_spawn_plan *plan, const struct mpir_spawn_args *a,
                          int *codes)
{
    int from = 0, to = plan->processes, left_out = 0;

    for (int i = 0; i < a->count; i++)
        from += plan->program[i].count;
    for (int i = a->count - 1; i >= 0; i--) {
        int count = plan->program[i].count;
        from -= count;
        to -= a->maxprocs[i];
        for (int k = a->maxprocs[i] - 1; k >= 0; k--) {
            bool runs = k < count && !codes[from + k];
            codes[to + k] = runs ? MPI_SUCCESS : MPI_ERR_SPAWN;
            left_out += !runs;
        }
    }
    return left_out;
}
