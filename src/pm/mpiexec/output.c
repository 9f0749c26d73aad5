/* output.c — the output of the ranks: opens their sinks, and begins each line with the prefix. */
#include <errno.h>
#include <string.h>
#include "job.h"

static struct pm_job *job;

static void full(int sink, bool is_full) { pm_waiting_pause(job, sink, is_full); }

static void line_ended(int sink, bool is_full) { pm_waiting_replay(job, sink, is_full); }

static void log_line(const char *line, size_t len) { pm_sink_log(job->output.err, line, len); }

int pm_output_open(struct pm_job *j, void (*failed)(int err, const char *file))
{
    job = j;
    int err = pm_sinks_open(&j->output, &(struct pm_sink_events) { failed, full, line_ended });
    if (!err)
        pm_log_to(log_line);
    return err;
}

static struct pm_place place(const struct pm_job *j, int rank)
{
    return (struct pm_place) { rank, j->rank[rank].host->name };
}

int pm_output_of(struct pm_job *j, int rank)
{
    const char *pattern[PM_STREAMS] = { j->spec->outfile, j->spec->errfile };
    struct pm_sink *own[PM_STREAMS] = { j->output.out, j->output.err };
    const struct pm_place from = place(j, rank);
    char file[4096];

    for (int i = 0; i < PM_STREAMS; i++) {
        struct pm_sink *k = own[i];
        if (pattern[i]) {
            (void) pm_pattern(pattern[i], &from, file, sizeof file);
            k = pm_sink_file(file);
        }
        if (!k) {
            int err = errno;
            pm_fail_job(j, &(struct pm_job_status) { PM_OUTPUT_ERROR, rank, err, file });
            return -err;
        }
        j->rank[rank].sink[i] = k;
    }
    return 0;
}

static void put(struct pm_job *j, int rank, int stream, const struct pm_text *t)
{
    struct pm_sink *k = j->rank[rank].sink[stream];
    int number = rank * PM_STREAMS + stream;
    char start[512];

    if (j->spec->prefix && pm_sink_partial_line_of(k) != rank) {
        const struct pm_place from = place(j, rank);
        size_t len = pm_pattern(j->spec->prefix, &from, start, sizeof start);
        pm_sink_put(k, number, &(struct pm_text) { start, len, false, t->node });
    }
    pm_sink_put(k, number, t);
}

void pm_output_put(struct pm_job *j, int rank, int stream, const struct pm_text *t)
{
    int node = (int) (j->rank[rank].host - j->host);

    if (pm_waiting_add(j, rank, stream, t))
        return;
    j->rank[rank].unfinished[stream] = t->bytes[t->len - 1] != '\n';
    for (size_t at = 0, n; at < t->len; at += n) {
        const char *end = j->spec->prefix ? memchr(t->bytes + at, '\n', t->len - at) : NULL;
        n = end ? (size_t) (end + 1 - t->bytes) - at : t->len - at;
        put(j, rank, stream,
            &(struct pm_text) { t->bytes + at, n, t->more && at + n == t->len, node });
    }
}

/* Lines with a prefix always end in a newline. */
void pm_output_ended(struct pm_job *j, int rank, int stream)
{
    struct pm_rank *r = &j->rank[rank];
    int node = (int) (r->host - j->host);

    if (pm_waiting_add(j, rank, stream, NULL))
        return;
    if (j->spec->prefix && r->unfinished[stream]
        && pm_sink_partial_line_of(r->sink[stream]) == rank)
        pm_sink_put(r->sink[stream], rank * PM_STREAMS + stream,
                    &(struct pm_text) { "\n", 1, false, node });
    r->unfinished[stream] = false;
    pm_sink_end(r->sink[stream], rank * PM_STREAMS + stream);
}
