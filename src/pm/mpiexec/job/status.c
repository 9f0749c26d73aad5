/* status.c — the status of the run: which rank failed first and how, and the exit code.
 *
 * These end a job: death by a signal, MPI_Abort, an exit between MPI_Init and MPI_Finalize, and an
 * exit with an error before MPI_Init when other ranks have called it, because they would wait for
 * ever. These let the other ranks go on: an exit with an error after MPI_Finalize, or in a job
 * where no rank has called MPI_Init. With -disable-auto-cleanup, the end of a rank or of a host
 * never ends the job; MPI_Abort does.
 *
 * Other jobs go on, since only the processes know which are connected: MPI_Abort tells these, and
 * they abort their jobs. The exit code is that of the first job, else of the job that has failed
 * first. What keeps a job from being spawned counts for none: the spawner is told. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include "pm/mpiexec/job/job_impl.h"
#include "platform/os.h"

/* A rank may report the loss of a peer before the death of that peer is reported, or the loss of
 * its host. A failure that may be an effect therefore does not end the job at once. For CAUSE_MS
 * its cause is waited for, such as the end of a shell that waits for the program which was killed.
 * Then all hosts say which of their ranks are exiting, or are lost; one that is silent is waited
 * for during ANSWER_MS. The end of a rank that was exiting may still be the cause when the job has
 * been told to end. */
enum { CAUSE_MS = 20, ANSWER_MS = 2000 };

/* Of the failures of two ranks, the one with the higher weight is the cause: a rank that was
 * killed is rarely the effect, a rank that aborts may have lost a peer. 0: not a failure of a
 * rank. */
static int cause_weight(enum pm_cause c)
{
    switch (c) {
    case PM_NODE_LOST:
        return 4;
    case PM_KILLED:
        return 3;
    case PM_EXITED:
    case PM_NOT_FINALIZED:
        return 2;
    case PM_ABORTED:
    case PM_PROTOCOL_ERROR:
        return 1;
    case PM_NO_FAILURE:
    case PM_NOT_STARTED:
    case PM_TIMED_OUT:
    case PM_INTERRUPTED:
    case PM_OUTPUT_CLOSED:
    case PM_OUTPUT_ERROR:
    case PM_REFUSED:
        break;
    }
    return 0;
}

static bool may_be_effect(enum pm_cause c) { return cause_weight(c) == 1 || cause_weight(c) == 2; }

/* Whether it let the others go on, if the run has not been told to end. */
static bool is_soft(const struct pm_status *v) { return v->cause == PM_EXITED && v->rank; }

static bool is_of_first_job(const struct pm_status *v) { return !v->rank || !v->rank->job->number; }

/* Whether the second failure is the cause of the recorded one, or counts more. A resource manager
 * signals all processes of a job: a rank may have died of the signal before its proxy says that it
 * got it. */
static bool explains_failure(const struct pm_run *r, const struct pm_status *v)
{
    const struct pm_status *first = &r->outcome->status;

    bool in_time = pm_timer_is_set(&r->outcome->status_timer)
                   || (may_be_effect(first->cause) && v->rank && v->rank->exiting);
    bool counts = !r->ends && is_of_first_job(v) && !is_of_first_job(first);

    if (counts && (!in_time || is_soft(first)))
        return true;
    if (v->cause == PM_INTERRUPTED)
        return first->cause == PM_KILLED && first->value == v->value;
    return in_time && v->rank != first->rank && cause_weight(v->cause) > cause_weight(first->cause);
}

void pm_record_failure(struct pm_run *r, const struct pm_status *v)
{
    struct pm_outcome *o = r->outcome;

    if (o->status.cause != PM_NO_FAILURE && !explains_failure(r, v))
        return;
    o->status = *v;
    (void) snprintf(o->why, sizeof o->why, "%s", v->why ? v->why : "");
    o->status.why = v->why ? o->why : NULL;
}

/* ---- the end of jobs that have failed -------------------------------------------------------- */

/* Whether the job, which has not failed, has ranks that run or will be started. */
static bool goes_on(const struct pm_job *j)
{
    return !j->fails && j->state != PM_JOB_ABANDONED
           && (j->running || j->state == PM_JOB_STARTS
               || (j->prepared && !j->stopped && j->started < j->size));
}

static bool others_go_on(const struct pm_run *r)
{
    for (const struct pm_job *j = r->job; j; j = j->next)
        if (goes_on(j))
            return true;
    return false;
}

/* Ends the jobs that have failed, and with them the run when no other job goes on. */
static void end_failed(struct pm_run *r)
{
    bool others = others_go_on(r), any = false;

    pm_timer_clear(&r->outcome->status_timer);
    for (struct pm_job *j = r->job; j; j = j->next) {
        bool ends = j->fails && !j->ends;
        any = any || ends;
        if (ends && others)
            pm_end_job(j);
    }
    if (any && !others)
        pm_end_run(r, SIGTERM, PM_END_BY_FAILURE);
}

static void status_end_on_timer(struct pm_timer *t)
{
    end_failed(OS_OWNER(t, struct pm_outcome, status_timer)->run);
}

static bool has_running_ranks(const struct pm_host *h)
{
    for (int i = 0; i < h->processes; i++)
        if (h->process[i] && h->process[i]->state == PM_RANK_RUNS)
            return true;
    return false;
}

static void end_when_all_answered(struct pm_run *r)
{
    for (int i = 0; i < r->hosts; i++)
        if (r->host[i]->asked)
            return;
    end_failed(r);
}

void pm_exiting_found(struct pm_host *h)
{
    bool asked = h->asked;

    h->asked = false;
    if (asked)
        end_when_all_answered(h->run);
}

static void find_exiting(struct pm_timer *t)
{
    struct pm_run *r = OS_OWNER(t, struct pm_outcome, status_timer)->run;

    pm_timer_set(t, ANSWER_MS, status_end_on_timer);
    for (int i = 0; i < r->hosts; i++)
        r->host[i]->asked = has_running_ranks(r->host[i]);
    for (int i = 0; i < r->hosts; i++)
        if (r->host[i]->asked)
            pm_host_find_exiting(r->host[i]);
    end_when_all_answered(r);
}

void pm_fail_run(struct pm_run *r, const struct pm_status *v)
{
    pm_record_failure(r, v);
    pm_end_run(r, SIGTERM, PM_END_BY_FAILURE);
}

/* The job is to end: keeps how it has failed, or what may be the cause of that. */
static void job_fails(struct pm_job *j, const struct pm_status *v)
{
    char text[PM_STATUS_MAX];

    if (!j->ends && (!j->failure || cause_weight(v->cause) > j->failure_weight)) {
        pm_describe_status(v, text, sizeof text);
        free(j->failure);
        j->failure = strdup(*text ? text : "a job is refused");
        j->failure_weight = cause_weight(v->cause);
    }
    j->fails = true;
}

static void abandon_because(struct pm_job *j, const struct pm_status *v)
{
    char text[PM_STATUS_MAX];
    const char *why = text;

    pm_describe_status(v, text, sizeof text);
    for (int i = 0; i < j->parts && v->cause == PM_REFUSED; i++)
        if (j->part[i].refusal)
            why = j->part[i].refusal;
    pm_abandon_job(j, why);
    pm_ranks_ended(j->run);
}

void pm_fail_job(struct pm_job *j, const struct pm_status *v)
{
    struct pm_run *r = j->run;
    struct pm_timer *t = &r->outcome->status_timer;

    if (j->state != PM_JOB_STARTED && !r->ends) {
        abandon_because(j, v);
        return;
    }
    job_fails(j, v);
    pm_record_failure(r, v);
    if (r->ends)
        return;
    if (!may_be_effect(v->cause))
        end_failed(r);
    else if (!pm_timer_is_set(t))
        pm_timer_set(t, CAUSE_MS, find_exiting);
}

void pm_host_failed(struct pm_host *h, const struct pm_status *v)
{
    struct pm_run *r = h->run;
    bool any = pm_part_on(r->job, h);

    if (any)
        job_fails(r->job, v);
    for (int i = 0; i < h->processes; i++) {
        struct pm_rank *rank = h->process[i];
        if (!rank || rank->state != PM_RANK_RUNS || rank->job->state != PM_JOB_STARTED)
            continue;
        job_fails(rank->job, v);
        any = true;
    }
    if (any)
        pm_record_failure(r, v);
    end_failed(r);
}

static bool others_joined(const struct pm_job *j)
{
    for (int i = 0; i < j->started; i++)
        if (pm_server_client_state(j->server, i) != PM_CLIENT_NOT_JOINED)
            return true;
    return false;
}

static void describe_rank(const struct pm_status *v, char *text, size_t len);

/* In the time of probation a rank ends before MPI_Init, or fails. */
static void lose_spawned(struct pm_job *j, const struct pm_status *v, enum pm_client_state state)
{
    char text[PM_STATUS_MAX], name[PM_RANK_NAME];

    if (v->cause == PM_NO_FAILURE || (v->cause == PM_EXITED && state == PM_CLIENT_NOT_JOINED))
        (void) snprintf(text, sizeof text, "%s on %s exited with code %d before MPI_Init",
                        pm_rank_name(j->number, v->rank->number, name), v->rank->host->name,
                        v->value);
    else
        pm_describe_status(v, text, sizeof text);
    pm_abandon_job(j, text);
}

/* How a rank has ended. state: of its PMI client. */
static struct pm_status status_of(const struct pm_rank *r, int wait_status, const char *last,
                                  enum pm_client_state state)
{
    struct pm_status v = { PM_NO_FAILURE, r, 0, NULL };
    const struct pm_job *j = r->job;
    bool others = others_joined(j) || (j->later && pm_is_being_spawned(j));

    if (WIFSIGNALED(wait_status)) {
        v.cause = PM_KILLED;
        v.value = WTERMSIG(wait_status);
        v.why = *last || state != PM_CLIENT_NOT_JOINED || !others ? last : " before MPI_Init";
    } else if (state == PM_CLIENT_JOINED || WEXITSTATUS(wait_status)) {
        v.cause = state == PM_CLIENT_JOINED ? PM_NOT_FINALIZED : PM_EXITED;
        v.value = WEXITSTATUS(wait_status);
    }
    return v;
}

static void log_end(const struct pm_status *v)
{
    char name[PM_RANK_NAME];

    pm_log("%s ended: %s %d", pm_rank_name(v->rank->job->number, v->rank->number, name),
           v->cause == PM_KILLED ? "signal" : "exit code", v->value);
}

void pm_rank_exited(struct pm_rank *r, int wait_status, const char *last)
{
    struct pm_job *j = r->job;
    struct pm_run *run = j->run;
    enum pm_client_state state = pm_server_client_state(j->server, r->number);
    const struct pm_status v = status_of(r, wait_status, last, state);

    if (run->spec->verbose)
        log_end(&v);
    pm_spawner_ended(r, state == PM_CLIENT_FINALIZED);
    if (j->later && pm_is_being_spawned(j) && state != PM_CLIENT_FINALIZED && !run->ends) {
        lose_spawned(j, &v, state);
        return;
    }
    if (v.cause == PM_NO_FAILURE || j->state == PM_JOB_ABANDONED
        || ((run->ends || j->ends) && !r->exiting))
        return;
    if (run->spec->survive && !run->ends && state != PM_CLIENT_FINALIZED) {
        char text[PM_STATUS_MAX];
        describe_rank(&v, text, sizeof text);
        pm_log("%s; the other ranks go on", text);
    }
    if (run->ends || j->ends || run->spec->survive
        || (v.cause == PM_EXITED && (state == PM_CLIENT_FINALIZED || !others_joined(j))))
        pm_record_failure(run, &v);
    else
        pm_fail_job(j, &v);
}

int pm_exit_code(const struct pm_status *v)
{
    switch (v->cause) {
    case PM_NO_FAILURE:
        return 0;
    case PM_EXITED:
    case PM_REFUSED:
    case PM_NODE_LOST:
        return v->value;
    case PM_NOT_FINALIZED:
        return v->value ? v->value : 1;
    case PM_ABORTED:
        return v->value & 255 || !v->value ? v->value & 255 : 1;
    case PM_KILLED:
    case PM_INTERRUPTED:
        return 128 + v->value;
    case PM_OUTPUT_CLOSED:
        return 128 + SIGPIPE;
    case PM_NOT_STARTED:
        return v->value == ENOENT ? PM_EXIT_MISSING : PM_EXIT_CANNOT;
    case PM_TIMED_OUT:
        return PM_EXIT_TIMEOUT;
    case PM_PROTOCOL_ERROR:
    case PM_OUTPUT_ERROR:
        return 1;
    }
    return 1;
}

/* Describes the failure of a rank; completes "rank 3 on node7 ". */
static void failure_describe(const struct pm_status *v, char *text, size_t len)
{
    const char *why = v->why ? v->why : "";

    switch (v->cause) {
    case PM_EXITED:
        (void) snprintf(text, len, "exited with code %d", v->value);
        break;
    case PM_NOT_FINALIZED:
        (void) snprintf(text, len, "called MPI_Init and exited without MPI_Finalize, with code %d",
                        v->value);
        break;
    case PM_KILLED:
        (void) snprintf(text, len, "was killed by %s (%s)%s", pm_signal_name(v->value),
                        strsignal(v->value), why);
        break;
    case PM_ABORTED:
        (void) snprintf(text, len, "called MPI_Abort with code %d%s%s", v->value, *why ? ": " : "",
                        why);
        break;
    case PM_PROTOCOL_ERROR:
        (void) snprintf(text, len, "%s", why);
        break;
    case PM_NOT_STARTED:
        (void) snprintf(text, len, "could not be started: %s: %s", why, strerror(v->value));
        break;
    case PM_NO_FAILURE:
    case PM_TIMED_OUT:
    case PM_INTERRUPTED:
    case PM_OUTPUT_CLOSED:
    case PM_OUTPUT_ERROR:
    case PM_REFUSED:
    case PM_NODE_LOST:
        break;
    }
}

static void describe_rank(const struct pm_status *v, char *text, size_t len)
{
    const struct pm_rank *r = v->rank;
    char name[PM_RANK_NAME];
    int n = snprintf(text, len, "%s on %s ", pm_rank_name(r->job->number, r->number, name),
                     r->host->name);

    failure_describe(v, text + n, len - (size_t) n);
}

void pm_describe_status(const struct pm_status *v, char *text, size_t len)
{
    *text = '\0';
    switch (v->cause) {
    case PM_NODE_LOST:
        (void) snprintf(text, len, "%s", v->why);
        break;
    case PM_NO_FAILURE:
    case PM_OUTPUT_CLOSED: /* silent, like any program that SIGPIPE ends */
    case PM_REFUSED:
        break;
    case PM_TIMED_OUT:
        (void) snprintf(text, len, "the job was ended after %d s (-timeout)", v->value);
        break;
    case PM_INTERRUPTED:
        (void) snprintf(text, len, "ended by %s%s%s", pm_signal_name(v->value),
                        v->why ? ", which was sent to the proxy on " : "", v->why ? v->why : "");
        break;
    case PM_OUTPUT_ERROR:
        (void) snprintf(text, len, "cannot write %s: %s", v->why ? v->why : "the output",
                        strerror(v->value));
        break;
    case PM_EXITED:
    case PM_NOT_FINALIZED:
    case PM_KILLED:
    case PM_ABORTED:
    case PM_PROTOCOL_ERROR:
    case PM_NOT_STARTED:
        describe_rank(v, text, len);
    }
}

void pm_log_status(const struct pm_run *r)
{
    char text[PM_STATUS_MAX];

    pm_describe_status(&r->outcome->status, text, sizeof text);
    if (*text)
        pm_log("%s", text);
}
