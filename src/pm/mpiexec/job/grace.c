/* grace.c — how long processes have to end after a signal before they are killed, and which ranks
 * are waited for.
 *
 * Ranks may save their state when the job is to end. After a signal they have nearly as much time
 * as Slurm and Kubernetes give a job, 30 s; after Ctrl-C less, because the user is waiting. After a
 * failure there is nothing to save: the other ranks wait for the one that failed. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "pm/mpiexec/job/job_impl.h"
#include "platform/os.h"

enum { TERM_MS = 25000, INTERRUPT_MS = 5000, SHORT_MS = 1000, SAY_MS = 1000 };

int pm_grace_ms(const struct pm_spec *s, int signal, enum pm_ending why)
{
    if (s->grace_s >= 0)
        return s->grace_s * 1000;
    if (why != PM_END_BY_SIGNAL)
        return SHORT_MS;
    switch (signal) {
    case SIGTERM:
    case SIGHUP:
        return TERM_MS;
    case SIGINT:
        return INTERRUPT_MS;
    }
    return SHORT_MS;
}

/* The ranks of a job that run, as "0-5,7" or "0-5,7 of job 1". */
static void put_running(FILE *f, const struct pm_job *j)
{
    const char *comma = "";

    for (int i = 0; i < j->size; i++) {
        int first = i;
        while (i < j->size && j->rank[i].state == PM_RANK_RUNS)
            i++;
        if (i == first)
            continue;
        fprintf(f, "%s%d", comma, first);
        if (i > first + 1)
            fprintf(f, "-%d", i - 1);
        comma = ",";
    }
    if (j->number)
        fprintf(f, " of job %d", j->number);
}

static void put_waited_for(FILE *f, const struct pm_run *r)
{
    const char *start = r->running > 1 ? "ranks " : "rank ";

    if (!r->running)
        fputs("processes that the ranks have started", f);
    for (const struct pm_job *j = r->job; j; j = j->next) {
        if (!j->running)
            continue;
        fputs(start, f);
        put_running(f, j);
        start = " and ";
        for (int k = 0; r->running == 1 && k < j->size; k++)
            if (j->rank[k].state == PM_RANK_RUNS)
                fprintf(f, " on %s", j->rank[k].host->name);
    }
}

static void say_who(struct pm_timer *t)
{
    const struct pm_outcome *o = OS_OWNER(t, struct pm_outcome, grace_timer);
    const struct pm_run *r = o->run;
    char *text = NULL;
    size_t len;
    FILE *f = pm_run_over(r) ? NULL : open_memstream(&text, &len);

    if (!f)
        return;
    put_waited_for(f, r);
    if (!fclose(f))
        pm_log("waiting up to %d s for %s to end; a second signal ends %s at once",
               o->grace_ms / 1000, text, r->running == 1 ? "it" : "them");
    free(text);
}

void pm_grace_begin(struct pm_run *r)
{
    if (r->outcome->grace_ms > SAY_MS)
        pm_timer_set(&r->outcome->grace_timer, SAY_MS, say_who);
}
