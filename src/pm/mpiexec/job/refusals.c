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
    struct pm_job *j = OS_OWNER(t, struct pm_run, refusal_timer)->job;

    pm_fail_job(j, &(struct pm_job_status) { PM_REFUSED, -1, j->run->refusal_code, NULL });
}

void pm_check_refusals(struct pm_job *j)
{
    for (int i = 0; i < j->hosts; i++)
        if (!j->host[i].ready && !j->host[i].refusal && !j->host[i].ended)
            return;
    if (pm_timer_is_set(&j->run->refusal_timer))
        pm_timer_set(&j->run->refusal_timer, 0, refusal_end_on_timer);
}

void pm_refuse_job(struct pm_host *h, int code, const char *fmt, ...)
{
    struct pm_job *j = h->job;
    char text[4200];
    va_list args;

    va_start(args, fmt);
    (void) vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (!h->refusal)
        h->refusal = strdup(text);
    if (!h->refusal)
        pm_log("%s", text);
    if (!j->run->refusal_code)
        j->run->refusal_code = code;
    if (!pm_timer_is_set(&j->run->refusal_timer))
        pm_timer_set(&j->run->refusal_timer, WAIT_MS, refusal_end_on_timer);
    pm_check_refusals(j);
}

static bool is_same(const struct pm_host *a, const struct pm_host *b)
{
    return a->refusal && b->refusal && !strcmp(a->refusal, b->refusal);
}

/* Prints a line for the host `first` and the later hosts with the same reason. */
static void refusal_log(const struct pm_job *j, const struct pm_host *first)
{
    char names[NAMES_MAX * 64] = "";
    int hosts = 0;
    size_t n = 0;

    for (const struct pm_host *h = first; h < j->host + j->hosts; h++)
        if (is_same(h, first) && hosts++ < NAMES_MAX)
            n += (size_t) snprintf(names + n, sizeof names - n, "%s%.60s", n ? ", " : "", h->name);
    if (j->hosts == 1)
        pm_log("%s", first->refusal);
    else if (hosts > NAMES_MAX)
        pm_log("%s (on %s and %d other hosts)", first->refusal, names, hosts - NAMES_MAX);
    else
        pm_log("%s (on %s)", first->refusal, names);
}

void pm_log_refusals(const struct pm_job *j)
{
    for (int i = 0; i < j->hosts; i++) {
        int before = 0;
        while (before < i && !is_same(&j->host[before], &j->host[i]))
            before++;
        if (j->host[i].refusal && before == i)
            refusal_log(j, &j->host[i]);
    }
}
