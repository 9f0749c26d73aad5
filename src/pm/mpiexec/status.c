/* status.c — which rank failed first, how, and what that means for the others and the exit code.
 *
 * Ends the job: death by a signal, MPI_Abort, exit between MPI_Init and MPI_Finalize, and exit
 * with an error before MPI_Init while others are MPI programs (they would wait for ever). Ends
 * nobody else: exit with an error after MPI_Finalize, or of a program that is none of MPI's. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include "job.h"
#include "os.h"

/* A rank that sees another die may speak up before the kernel has reported the death. */
enum { CAUSE_MS = 20 };

/* How far a failure is from being the effect of another rank's: a rank cannot help being killed,
 * but aborts because it has lost a peer. 0: not about a rank. */
static int weight(enum pm_cause c)
{
    switch (c) {
    case PM_KILLED:
        return 3;
    case PM_EXITED:
    case PM_UNFINISHED:
        return 2;
    case PM_ABORTED:
    case PM_MISBEHAVED:
        return 1;
    case PM_NO_FAILURE:
    case PM_NOT_STARTED:
    case PM_TIMED_OUT:
    case PM_TOLD:
    case PM_UNREAD:
    case PM_UNWRITTEN:
        break;
    }
    return 0;
}

static bool may_be_effect(enum pm_cause c) { return weight(c) == 1 || weight(c) == 2; }

void pm_note(struct pm_job *j, const struct pm_verdict *v)
{
    bool first = j->verdict.cause == PM_NO_FAILURE;
    bool explains = pm_timer_is_set(&j->verdict_wait) && v->rank != j->verdict.rank
                    && weight(v->cause) > weight(j->verdict.cause);

    if (!first && !explains)
        return;
    j->verdict = *v;
    (void) snprintf(j->why, sizeof j->why, "%s", v->why ? v->why : "");
    j->verdict.why = v->why ? j->why : NULL;
}

static void end_now(struct pm_timer *t)
{
    pm_end(OS_OWNER(t, struct pm_job, verdict_wait), SIGTERM);
}

void pm_fail(struct pm_job *j, const struct pm_verdict *v)
{
    pm_note(j, v);
    if (j->phase != PM_GOING)
        return;
    if (!may_be_effect(v->cause))
        pm_end(j, SIGTERM);
    else if (!pm_timer_is_set(&j->verdict_wait))
        pm_timer_set(&j->verdict_wait, CAUSE_MS, end_now);
}

static bool others_joined(const struct pm_job *j)
{
    for (int i = 0; i < j->started; i++)
        if (pm_server_standing(j->server, i) != PM_STRANGER)
            return true;
    return false;
}

void pm_judge(struct pm_job *j, const struct pm_rank *r)
{
    enum pm_standing standing = pm_server_standing(j->server, r->rank);
    struct pm_verdict v = { PM_NO_FAILURE, r->rank, 0, NULL };

    if (WIFSIGNALED(r->status)) {
        v.cause = PM_KILLED;
        v.value = WTERMSIG(r->status);
    } else if (standing == PM_MEMBER || WEXITSTATUS(r->status)) {
        v.cause = standing == PM_MEMBER ? PM_UNFINISHED : PM_EXITED;
        v.value = WEXITSTATUS(r->status);
    }
    if (j->spec->verbose)
        pm_say("rank %d ended: %s %d", r->rank, v.cause == PM_KILLED ? "signal" : "exit code",
               v.value);
    if (j->phase != PM_GOING || v.cause == PM_NO_FAILURE)
        return;
    if (v.cause == PM_EXITED && (standing == PM_FINISHED || !others_joined(j)))
        pm_note(j, &v);
    else
        pm_fail(j, &v);
}

int pm_exit_code(const struct pm_verdict *v)
{
    switch (v->cause) {
    case PM_NO_FAILURE:
        return 0;
    case PM_EXITED:
        return v->value;
    case PM_UNFINISHED:
        return v->value ? v->value : 1;
    case PM_ABORTED:
        return v->value & 255 || !v->value ? v->value & 255 : 1;
    case PM_KILLED:
    case PM_TOLD:
        return 128 + v->value;
    case PM_UNREAD:
        return 128 + SIGPIPE;
    case PM_NOT_STARTED:
        return v->value == ENOENT ? PM_EXIT_MISSING : PM_EXIT_CANNOT;
    case PM_TIMED_OUT:
        return PM_EXIT_TIMEOUT;
    case PM_MISBEHAVED:
    case PM_UNWRITTEN:
        return 1;
    }
    return 1;
}

const char *pm_signal_name(int signal)
{
    static const char *const name[] = {
        [SIGHUP] = "SIGHUP",   [SIGINT] = "SIGINT",   [SIGQUIT] = "SIGQUIT", [SIGILL] = "SIGILL",
        [SIGTRAP] = "SIGTRAP", [SIGABRT] = "SIGABRT", [SIGBUS] = "SIGBUS",   [SIGFPE] = "SIGFPE",
        [SIGKILL] = "SIGKILL", [SIGUSR1] = "SIGUSR1", [SIGSEGV] = "SIGSEGV", [SIGUSR2] = "SIGUSR2",
        [SIGPIPE] = "SIGPIPE", [SIGALRM] = "SIGALRM", [SIGTERM] = "SIGTERM", [SIGXCPU] = "SIGXCPU",
        [SIGXFSZ] = "SIGXFSZ", [SIGSYS] = "SIGSYS",
    };
    static char other[32];

    if (signal >= 0 && signal < (int) (sizeof name / sizeof *name) && name[signal])
        return name[signal];
    (void) snprintf(other, sizeof other, "signal %d", signal);
    return other;
}

/* What happened to a rank, to continue "rank 3 on node7 ". */
static void describe(const struct pm_verdict *v, char *text, size_t len)
{
    const char *why = v->why ? v->why : "";

    switch (v->cause) {
    case PM_EXITED:
        (void) snprintf(text, len, "exited with code %d", v->value);
        break;
    case PM_UNFINISHED:
        (void) snprintf(text, len, "called MPI_Init and exited without MPI_Finalize, with code %d",
                        v->value);
        break;
    case PM_KILLED:
        (void) snprintf(text, len, "was killed by %s (%s)", pm_signal_name(v->value),
                        strsignal(v->value));
        break;
    case PM_ABORTED:
        (void) snprintf(text, len, "called MPI_Abort with code %d%s%s", v->value, *why ? ": " : "",
                        why);
        break;
    case PM_MISBEHAVED:
        (void) snprintf(text, len, "%s", why);
        break;
    case PM_NOT_STARTED:
        (void) snprintf(text, len, "could not be started: %s: %s", why, strerror(v->value));
        break;
    case PM_NO_FAILURE:
    case PM_TIMED_OUT:
    case PM_TOLD:
    case PM_UNREAD:
    case PM_UNWRITTEN:
        break;
    }
}

void pm_explain(const struct pm_verdict *v)
{
    char host[256], text[1024] = "";

    switch (v->cause) {
    case PM_NO_FAILURE:
    case PM_UNREAD: /* like any program whose reader has left */
        return;
    case PM_TIMED_OUT:
        pm_say("the job was ended after %d s (-timeout)", v->value);
        return;
    case PM_TOLD:
        pm_say("ended by %s", pm_signal_name(v->value));
        return;
    case PM_UNWRITTEN:
        pm_say("cannot write %s: %s", v->why ? v->why : "the output", strerror(v->value));
        return;
    case PM_EXITED:
    case PM_UNFINISHED:
    case PM_KILLED:
    case PM_ABORTED:
    case PM_MISBEHAVED:
    case PM_NOT_STARTED:
        describe(v, text, sizeof text);
    }
    os_hostname(host, sizeof host);
    pm_say("rank %d on %s %s", v->rank, host, text);
}
