/* refusals.c — why nodes have refused to run their part of a job. Nodes with the same reason are
 * one line. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "pm/mpiexec/job/job_impl.h"
#include "platform/os.h"

enum { WAIT_MS = 1000, NAMES_MAX = 8 };

static void refusal_end_on_timer(struct pm_timer *t)
{
    struct pm_job *j = OS_OWNER(t, struct pm_job, refusal_timer);

    pm_fail_job(j, &(struct pm_status) { PM_REFUSED, NULL, j->refusal_code, NULL });
}

void pm_check_refusals(struct pm_job *j)
{
    struct pm_timer *t = &j->refusal_timer;

    for (int i = 0; i < j->parts; i++)
        if (!j->part[i].ready && !j->part[i].refusal && !j->part[i].host->ended)
            return;
    if (pm_timer_is_set(t))
        pm_timer_set(t, 0, refusal_end_on_timer);
}

void pm_refuse_part(struct pm_part *p, int code, const char *fmt, ...)
{
    struct pm_job *j = p->job;
    char text[4200];
    va_list args;

    va_start(args, fmt);
    (void) vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (!p->refusal)
        p->refusal = strdup(text);
    if (!p->refusal)
        pm_log("%s", text);
    if (!j->refusal_code)
        j->refusal_code = code;
    if (!pm_timer_is_set(&j->refusal_timer))
        pm_timer_set(&j->refusal_timer, WAIT_MS, refusal_end_on_timer);
    pm_check_refusals(j);
}

static bool is_same(const struct pm_part *a, const struct pm_part *b)
{
    return a->refusal && b->refusal && !strcmp(a->refusal, b->refusal);
}

/* Prints a line for the part `first` and the later ones with the same reason. */
static void refusal_log(const struct pm_job *j, const struct pm_part *first)
{
    char names[NAMES_MAX * 64] = "";
    int hosts = 0;
    size_t n = 0;

    for (const struct pm_part *p = first; p < j->part + j->parts; p++)
        if (is_same(p, first) && hosts++ < NAMES_MAX)
            n += (size_t) snprintf(names + n, sizeof names - n, "%s%.60s", n ? ", " : "",
                                   p->host->name);
    if (j->parts == 1)
        pm_log("%s", first->refusal);
    else if (hosts > NAMES_MAX)
        pm_log("%s (on %s and %d other hosts)", first->refusal, names, hosts - NAMES_MAX);
    else
        pm_log("%s (on %s)", first->refusal, names);
}

void pm_log_refusals(const struct pm_job *j)
{
    for (int i = 0; i < j->parts; i++) {
        int before = 0;
        while (before < i && !is_same(&j->part[before], &j->part[i]))
            before++;
        if (j->part[i].refusal && before == i)
            refusal_log(j, &j->part[i]);
    }
}
