/* output_impl.h — sinks of output: the standard output or error of mpiexec, or files. */
#ifndef OUTPUT_IMPL_H
#define OUTPUT_IMPL_H

#include "pm/mpiexec/output/mpiexec_output.h"

struct pm_output {
    struct pm_sink *out, *err; /* equal when both are the same file */
};

struct pm_sink_events {
    /* Called once for each sink that cannot be written any more, with the errno and the name of
     * its file, or NULL for a standard descriptor of mpiexec. */
    void (*failed)(int err, const char *file);
    void (*full)(int sink, bool full); /* its queue has become full, or is full no more */
    /* A long line has ended, or others do not wait for its end any more. */
    void (*line_ended)(int sink, bool full);
};

int pm_sinks_open(struct pm_output *o, const struct pm_sink_events *events);
struct pm_sink *pm_sink_file(const char *file); /* one sink for each name; NULL with errno */

/* Appends text of a rank to the queue of a sink. stream: a number of the stream, of which each rank
 * has PM_STREAMS in a row. When the last line in the queue is an unfinished one of another rank, a
 * newline is added first. */
void pm_sink_put(struct pm_sink *k, int stream, const struct pm_text *t);
void pm_sink_end(struct pm_sink *k, int stream); /* no more text of this stream */
/* Whether a long line of another node is written, which text of this one should wait for. Within a
 * node text waits by itself. The wait ends after a second, or when the queue is full no more. */
bool pm_sink_waits(struct pm_sink *k, int node);
/* A log line of mpiexec. It waits for the end of a long line, but not for ever. */
void pm_sink_log(struct pm_sink *k, const char *line, size_t len);

/* The rank whose line is unfinished, by its number among those of all jobs; or -1. */
int pm_sink_partial_line_of(const struct pm_sink *k);

/* pattern.c: replaces %r by the rank, and the job before it unless that is 0, %g by the job, %h by
 * the host, %p by its number, %s by stdout or stderr, %t by the time, %T by the date and the time,
 * and %% by %. The result is cut to len bytes with its NUL; returns its length. */
struct pm_place {  /* where text comes from */
    int job, size; /* ranks of the job */
    int rank;
    const char *host;
    int node, stream;
};
size_t pm_pattern(const char *pattern, const struct pm_place *from, char *text, size_t len);

/* outdir.c: the name of a file in the directory of -output, whose directory is made. -errno: the
 * name is what failed. */
int pm_output_file(const struct pm_spec *s, const struct pm_place *from,
                   char file[PM_OUTPUT_FILE_MAX]);

/* waiting.c: text that waits for the end of a long line of another node. */
bool pm_waiting_add(struct pm_rank *r, int stream, const struct pm_text *t);
void pm_waiting_pause(const struct pm_run *r, int sink,
                      bool full); /* the sink is full, or not any more */
/* The line has ended. put gets each text, or NULL for the end of the stream. */
typedef void pm_waiting_put(struct pm_rank *r, int stream, const struct pm_text *t);
void pm_waiting_replay(const struct pm_run *r, int sink, bool full, pm_waiting_put *put);

void pm_progress_erase(const struct pm_run *r); /* progress.c: another line will be written */

#endif /* OUTPUT_IMPL_H */
