/* exit_codes.c — the lines of -print-all-exitcodes: "exit codes of ranks 0-5,7: 0; 6: SIGSEGV", and
 * "exit codes of job 1, ranks 0-3: 0". */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include "pm/mpiexec/job/job_impl.h"

/* How a rank has ended, as a number: a wait status, or one of these. */
enum { LOST = -1, NOT_STARTED = -2 };

static int end_of(const struct pm_rank *r)
{
    return r->exited ? r->wait_status : r->pid ? LOST : NOT_STARTED;
}

static void put_end(FILE *f, int end)
{
    if (end == LOST || end == NOT_STARTED)
        fputs(end == LOST ? "lost" : "not started", f);
    else if (WIFSIGNALED(end))
        fputs(pm_signal_name(WTERMSIG(end)), f);
    else
        fprintf(f, "%d", WEXITSTATUS(end));
}

/* Puts the ranks that have ended as the first one has, as "0-5,7", and marks them. */
static void put_ranks(FILE *f, const struct pm_job *j, int first, bool *done)
{
    int end = end_of(&j->rank[first]);

    for (int i = first; i < j->size; i++) {
        int from = i;
        while (i < j->size && end_of(&j->rank[i]) == end)
            done[i++] = true;
        if (i > from)
            fprintf(f, from > first ? ",%d" : "%d", from);
        if (i > from + 1)
            fprintf(f, "-%d", i - 1);
    }
}

static void put_all(FILE *f, const struct pm_job *j, bool *done)
{
    for (int i = 0; i < j->size; i++) {
        if (done[i])
            continue;
        fputs(i ? "; " : "", f);
        put_ranks(f, j, i, done);
        fputs(": ", f);
        put_end(f, end_of(&j->rank[i]));
    }
}

static void log_codes_of(const struct pm_job *j)
{
    char *text = NULL, name[32] = "";
    size_t len;
    bool *done = calloc((size_t) j->size + 1, sizeof *done);
    FILE *f = done && j->rank ? open_memstream(&text, &len) : NULL;

    if (f) {
        put_all(f, j, done);
        if (j->number)
            (void) snprintf(name, sizeof name, "job %d, ", j->number);
        if (!fclose(f))
            pm_log("exit codes of %sranks %s", name, text);
    }
    free(text);
    free(done);
}

void pm_log_exit_codes(const struct pm_run *r)
{
    for (const struct pm_job *j = r->job; j; j = j->next)
        log_codes_of(j);
}
