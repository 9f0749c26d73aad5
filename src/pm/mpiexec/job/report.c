/* report.c — a call of mpiexec in JSON: what it is or was, and how it ended. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "pm/mpiexec/job/job_impl.h"
#include "pm/mpiexec/job/json.h"
#include "platform/os.h"

enum { FORMAT = 1 };

uint64_t pm_clock_ns(void)
{
    struct timespec now = { 0 };

    (void) clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

/* A member "name": time. */
static void put_time(FILE *f, const char *name, uint64_t ns)
{
    time_t s = (time_t) (ns / 1000000000);
    struct tm utc;
    char text[64];

    if (ns && gmtime_r(&s, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc))
        fprintf(f, "\"%s\": \"%s.%03dZ\"", name, text, (int) (ns / 1000000 % 1000));
    else
        fprintf(f, "\"%s\": null", name);
}

static void put_text(FILE *f, const char *name, const char *text)
{
    fprintf(f, "\"%s\": ", name);
    pm_json_text(f, text);
}

static void put_number(FILE *f, const char *name, bool known, int value)
{
    if (known)
        fprintf(f, "\"%s\": %d", name, value);
    else
        fprintf(f, "\"%s\": null", name);
}

static const char *name_of(enum pm_cause c)
{
    switch (c) {
    case PM_NO_FAILURE:
        break;
    case PM_EXITED:
        return "exited";
    case PM_NOT_FINALIZED:
        return "not finalized";
    case PM_KILLED:
        return "killed";
    case PM_ABORTED:
        return "aborted";
    case PM_PROTOCOL_ERROR:
        return "protocol error";
    case PM_NOT_STARTED:
        return "not started";
    case PM_TIMED_OUT:
        return "timed out";
    case PM_INTERRUPTED:
        return "interrupted";
    case PM_OUTPUT_CLOSED:
        return "output closed";
    case PM_OUTPUT_ERROR:
        return "output error";
    case PM_REFUSED:
        return "refused";
    case PM_NODE_LOST:
        return "host lost";
    }
    return NULL;
}

static void put_command(FILE *f, const struct pm_spec *s)
{
    char *dir = getcwd(NULL, 0), host[256];

    os_hostname(host, sizeof host);
    fprintf(f, "  \"format\": %d,\n  ", FORMAT);
    put_text(f, "version", s->version);
    fputs(",\n  ", f);
    put_text(f, "host", host);
    fputs(",\n  ", f);
    put_text(f, "directory", dir);
    fputs(",\n  \"command\": ", f);
    pm_json_texts(f, s->command);
    fputs(",\n", f);
    free(dir);
}

/* failed: why the job could not even begin, or NULL. A job that runs has no exit code yet. */
static void put_end(FILE *f, const struct pm_run *r, const char *failed, bool ended)
{
    const struct pm_status *v = &r->outcome->status;
    const struct pm_job *j = r->job;
    bool of_rank = !failed && v->cause != PM_NO_FAILURE && v->rank;
    char text[PM_STATUS_MAX] = "";
    const char *message = failed;

    pm_describe_status(v, text, sizeof text);
    if (*text && !failed)
        message = text;
    for (int i = 0; !message && v->cause == PM_REFUSED && i < j->parts; i++)
        message = j->part[i].refusal;
    fputs("  ", f);
    put_number(f, "exit_code", ended, failed ? PM_EXIT_USAGE : pm_exit_code(v));
    fputs(",\n  ", f);
    put_text(f, "cause", name_of(failed ? PM_REFUSED : v->cause));
    fputs(",\n  ", f);
    put_number(f, "job", of_rank, of_rank ? v->rank->job->number : 0);
    fputs(",\n  ", f);
    put_number(f, "rank", of_rank, of_rank ? v->rank->number : 0);
    fputs(",\n  ", f);
    put_text(f, "message", message);
    fputs(",\n", f);
}

static void put_programs(FILE *f, const struct pm_job *j)
{
    fputs("  \"programs\": [", f);
    for (size_t i = 0; i < j->programs; i++) {
        fprintf(f, "%s\n    {\"ranks\": %d, ", i ? "," : "", j->program[i].count);
        put_text(f, "directory", j->program[i].wdir);
        fputs(", \"arguments\": ", f);
        pm_json_texts(f, j->program[i].argv);
        fputc('}', f);
    }
    fputs("\n  ],\n", f);
}

static void put_hosts(FILE *f, const struct pm_job *j)
{
    fputs("  \"hosts\": [", f);
    for (int i = 0; i < j->parts; i++) {
        const struct pm_part *p = &j->part[i];
        fprintf(f, "%s\n    {", i ? "," : "");
        put_text(f, "name", p->host->name);
        fprintf(f, ", \"ranks\": %d, \"ready\": %s, ", p->size, p->ready ? "true" : "false");
        put_text(f, "refusal", p->refusal);
        fputc('}', f);
    }
    fputs("\n  ],\n", f);
}

static void put_rank_end(FILE *f, const struct pm_rank *r)
{
    bool killed = r->exited && WIFSIGNALED(r->wait_status);

    put_text(f, "state",
             killed                     ? "killed"
             : r->exited                ? "exited"
             : r->state == PM_RANK_RUNS ? "running"
             : r->pid                   ? "lost"
                                        : "not started");
    fputs(", ", f);
    put_number(f, "exit_code", r->exited && !killed, WEXITSTATUS(r->wait_status));
    fputs(", ", f);
    put_number(f, "signal", killed, WTERMSIG(r->wait_status));
}

static void put_ranks(FILE *f, const struct pm_job *j)
{
    fputs("  \"ranks\": [", f);
    for (int i = 0; j->rank && i < j->size; i++) {
        const struct pm_rank *r = &j->rank[i];
        fprintf(f, "%s\n    {\"rank\": %d, \"program\": %d, ", i ? "," : "", i,
                r->program ? (int) (r->program - j->program) : 0);
        put_text(f, "host", r->host ? r->host->name : NULL);
        fputs(", ", f);
        put_number(f, "pid", r->pid, (int) r->pid);
        fputs(", ", f);
        put_rank_end(f, r);
        fputs(", ", f);
        put_time(f, "started", r->started_ns);
        fputs(", ", f);
        put_time(f, "ended", r->ended_ns);
        fputc('}', f);
    }
    fputs("\n  ]", f);
}

static const char *state_of(const struct pm_job *j)
{
    switch (j->state) {
    case PM_JOB_STARTS:
        return "starting";
    case PM_JOB_ABANDONED:
        return "not started";
    case PM_JOB_PROBATION:
    case PM_JOB_STARTED:
        break;
    }
    return j->running ? "running" : "ended";
}

/* The jobs that were spawned, and how many others have ended well. */
static void put_spawned(FILE *f, const struct pm_run *r)
{
    fputs(",\n  \"spawned\": [", f);
    for (const struct pm_job *j = r->job->next; j; j = j->next) {
        fprintf(f, "%s\n  {\n  \"job\": %d,\n  ", j == r->job->next ? "" : ",", j->number);
        put_text(f, "state", state_of(j));
        fprintf(f, ",\n  \"spawner\": {\"job\": %d, \"rank\": %d},\n", j->spawner_job,
                j->spawner_rank);
        put_programs(f, j);
        put_hosts(f, j);
        put_ranks(f, j);
        fputs("\n  }", f);
    }
    fprintf(f, "\n  ],\n  \"spawned_well\": %d", r->well);
}

void pm_report_to(FILE *f, const struct pm_run *r, const char *failed)
{
    const struct pm_spec *s = r->spec;
    uint64_t now = pm_clock_ns();
    bool ended = failed || pm_run_over(r);

    fputs("{\n", f);
    put_command(f, s);
    fputs("  ", f);
    put_time(f, "started", s->started_ns);
    fputs(",\n  ", f);
    put_time(f, "ended", ended ? now : 0);
    fprintf(f, ",\n  \"seconds\": %.3f,\n", (double) (int64_t) (now - s->started_ns) / 1e9);
    put_end(f, r, failed, ended);
    put_programs(f, r->job);
    put_hosts(f, r->job);
    put_ranks(f, r->job);
    put_spawned(f, r);
    fputs("\n}\n", f);
}

int pm_report(const struct pm_run *r, const char *failed)
{
    char *text = NULL;
    size_t len;
    FILE *f = open_memstream(&text, &len);

    if (!f)
        return -errno;
    pm_report_to(f, r, failed);
    int err = fclose(f) ? -errno : pm_file_write(r->spec->json, text, len);
    free(text);
    return err;
}
