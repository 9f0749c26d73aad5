/* output.c — the output of the ranks: opens their sinks, and begins each line with the prefix. */
#include <errno.h>
#include <string.h>
#include "pm/node/log.h"
#include "pm/mpiexec/output/output_impl.h"

static struct pm_run *run;
static struct pm_output standard;

static void output_sink_full(int sink, bool is_full) { pm_waiting_pause(run, sink, is_full); }

static void put_again(struct pm_rank *r, int stream, const struct pm_text *t)
{
    if (t)
        pm_output_put(r, stream, t);
    else
        pm_output_ended(r, stream);
}

static void line_ended(int sink, bool is_full) { pm_waiting_replay(run, sink, is_full, put_again); }

static void log_line(const char *line, size_t len)
{
    pm_progress_erase(run);
    pm_sink_log(run->output->err, line, len);
}

int pm_output_open(struct pm_run *r, void (*failed)(int err, const char *file))
{
    run = r;
    r->output = &standard;
    int err =
        pm_sinks_open(r->output, &(struct pm_sink_events) { failed, output_sink_full, line_ended });
    if (!err)
        pm_log_to(log_line);
    return err;
}

static struct pm_place output_place(const struct pm_rank *r, int stream)
{
    const struct pm_host *h = r->host;

    return (
        struct pm_place) { r->job->number, r->job->size, r->number, h->name, h->number, stream };
}

/* Finds the file of a stream, if it has one. 0 or -errno; then file is what failed. */
static int find_file(const struct pm_rank *r, int stream, struct pm_sink **k,
                     char file[PM_OUTPUT_FILE_MAX])
{
    const struct pm_spec *s = r->job->run->spec;
    const struct pm_place from = output_place(r, stream);
    const char *pattern = stream == PM_OUT ? s->outfile : s->errfile;
    int err = 0;

    *k = NULL;
    if (!pattern && !s->outdir)
        return 0;
    if (pattern)
        (void) pm_pattern(pattern, &from, file, PM_OUTPUT_FILE_MAX);
    else
        err = pm_output_file(s, &from, file);
    if (!err && !(*k = pm_sink_file(file)))
        err = -errno;
    return err;
}

/* Finds the sinks of a stream, which may be NULL. The first one makes the rank wait when it is
 * full; a second one is a new file, which never does. */
static int find_sinks(struct pm_rank *r, int stream, char file[PM_OUTPUT_FILE_MAX])
{
    const struct pm_spec *s = r->job->run->spec;
    const struct pm_output *o = r->job->run->output;
    int goes_as = s->merges ? PM_OUT : stream;
    bool copies = s->copies && !(goes_as == PM_OUT ? s->outfile : s->errfile);
    struct pm_sink *own = goes_as == PM_OUT ? o->out : o->err, *k;
    int err = find_file(r, goes_as, &k, file);

    if (!pm_shows_rank(s, r->number))
        own = NULL;
    r->sink[stream] = k && !(copies && own) ? k : own;
    r->copy[stream] = copies && own ? k : NULL;
    return err;
}

int pm_output_of(struct pm_rank *r, char file[PM_OUTPUT_FILE_MAX])
{
    int err = 0;

    for (int i = 0; i < PM_STREAMS && !err; i++)
        err = find_sinks(r, i, file);
    return err;
}

enum { START_MAX = 512 };

/* What a line begins with: the same for all lines that come at once. */
static struct pm_text start_of_line(const struct pm_rank *r, int stream, char text[START_MAX])
{
    const struct pm_spec *s = r->job->run->spec;
    const struct pm_place from = output_place(r, stream);
    size_t len = s->timestamp ? pm_pattern("%T", &from, text, START_MAX) : 0;

    len += pm_pattern(s->prefix, &from, text + len, START_MAX - len);
    return (struct pm_text) { text, len, false, from.node };
}

/* Writes to one of the sinks of a stream; each line begins with start, unless that is empty. */
static void put_lines(struct pm_sink *k, int number, const struct pm_text *start,
                      const struct pm_text *t)
{
    for (size_t at = 0, n; at < t->len; at += n) {
        const char *end = start->len ? memchr(t->bytes + at, '\n', t->len - at) : NULL;
        n = end ? (size_t) (end + 1 - t->bytes) - at : t->len - at;
        if (start->len && pm_sink_partial_line_of(k) != number / PM_STREAMS)
            pm_sink_put(k, number, start);
        pm_sink_put(
            k, number,
            &(struct pm_text) { t->bytes + at, n, t->more && at + n == t->len, start->node });
    }
}

/* The number of a stream among those of all ranks. */
static int stream_number(const struct pm_rank *r, int stream)
{
    return (r->job->first + r->number) * PM_STREAMS + stream;
}

void pm_output_put(struct pm_rank *r, int stream, const struct pm_text *t)
{
    struct pm_text start = { .node = r->host->number };
    int number = stream_number(r, stream);
    char text[START_MAX];

    if (pm_waiting_add(r, stream, t))
        return;
    r->unfinished[stream] = t->bytes[t->len - 1] != '\n';
    if (r->job->run->spec->prefix)
        start = start_of_line(r, stream, text);
    put_lines(r->sink[stream], number, &start, t);
    if (r->copy[stream]) /* which no other rank writes to: a long line needs no end */
        put_lines(r->copy[stream], number, &start,
                  &(struct pm_text) { t->bytes, t->len, false, t->node });
}

static void end_line(const struct pm_rank *r, struct pm_sink *k, int stream)
{
    static const struct pm_text newline = { "\n", 1, false, 0 };

    if (k && r->unfinished[stream] && pm_sink_partial_line_of(k) == r->job->first + r->number)
        pm_sink_put(k, stream_number(r, stream), &newline);
}

/* Lines with a prefix always end in a newline. */
void pm_output_ended(struct pm_rank *r, int stream)
{
    if (!r->sink[stream] || pm_waiting_add(r, stream, NULL))
        return;
    if (r->job->run->spec->prefix) {
        end_line(r, r->sink[stream], stream);
        end_line(r, r->copy[stream], stream);
    }
    r->unfinished[stream] = false;
    pm_sink_end(r->sink[stream], stream_number(r, stream));
}
