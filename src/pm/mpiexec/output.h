/* output.h — sinks of output: the standard output or error of mpiexec, or files. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pm_sink;

struct pm_text { /* output of a rank */
    const char *bytes;
    size_t len;
    bool more; /* the end of a long line will follow */
    int node;  /* that it comes from */
};

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
int pm_sink_number(const struct pm_sink *k);

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

int pm_sink_partial_line_of(const struct pm_sink *k); /* the rank whose line is unfinished, or -1 */
bool pm_sink_is_tty(const struct pm_sink *k);
bool pm_sink_is_live(const struct pm_sink *k); /* pm_is_live() when it was opened */
/* Whether another process may be at the other end now: not of a file, nor of /dev/null. */
bool pm_is_live(int fd);
void pm_sinks_flush(void); /* writes what does not block */
bool pm_sinks_empty(void);
uint64_t pm_sinks_written(void); /* bytes written to all sinks */

/* pattern.c: replaces %r by the rank, %h by the host, %p by its number, %g by 0, %s by stdout or
 * stderr, %t by the time, %T by the date and the time, and %% by %. The result is cut to len bytes
 * with its NUL; returns its length. */
struct pm_place { /* where text comes from */
    int rank;
    const char *host;
    int node, stream;
};
size_t pm_pattern(const char *pattern, const struct pm_place *from, char *text, size_t len);

#endif /* OUTPUT_H */
