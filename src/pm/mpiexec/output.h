/* output.h — the output of the ranks: streams cut it into lines, sinks write them.
 *
 * A stream is what one rank writes to its standard output or error. A sink is where lines go: the
 * standard output or error of mpiexec, or a file. Many streams share one sink. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stddef.h>
#include "loop.h"

struct pm_sink;

struct pm_stream { /* a pipe from a rank */
    struct pm_source source;
    int fd; /* mpiexec's end of the pipe; -1: closed */
    int rank;
    struct pm_sink *sink;
    char *held; /* a line without its end */
    size_t len, capacity;
    uint64_t changed_ns; /* time of the last byte of a line that may be a prompt; 0: none */
    struct pm_stream *next_prompt;
    struct pm_stream *next_paused; /* waits for the end of a long line of another stream */
};

struct pm_output {
    struct pm_sink *out, *err; /* equal when both are the same file */
};

/* sink.c. Calls failed once for each sink that cannot be written any more, with the errno and the
 * name of its file, or NULL for a standard descriptor of mpiexec. */
int pm_sinks_open(struct pm_output *o, void (*failed)(int err, const char *file));
struct pm_sink *pm_sink_file(const char *file); /* one sink for each name; NULL with errno */

/* A long line, which is too long to hold, is written in parts. Until its end the other streams
 * of the sink are paused, but not for ever: its rank may be waiting for the output of another
 * rank. */
void pm_sink_begin_long_line(struct pm_sink *k, struct pm_stream *s);
void pm_sink_end_long_line(struct pm_sink *k, const struct pm_stream *s);
bool pm_sink_has_long_line_of(const struct pm_sink *k, const struct pm_stream *s);
bool pm_sink_has_other_long_line(const struct pm_sink *k, const struct pm_stream *s);
void pm_sink_pause(struct pm_sink *k, struct pm_stream *s); /* until the end of the long line */

/* Appends text of a rank to the queue of a sink. When the last line in the queue is an
 * unfinished one of another rank, a newline is added first. rank -1: a log line of mpiexec,
 * which also waits for the end of a long line. */
void pm_sink_put(struct pm_sink *k, int rank, const char *text, size_t len);
int pm_sink_partial_line_of(const struct pm_sink *k); /* the rank whose line is unfinished, or -1 */
bool pm_sink_is_tty(const struct pm_sink *k);
bool pm_sink_is_full(const struct pm_sink *k);
int pm_sink_add(struct pm_sink *k, int fd, struct pm_source *s); /* reads s while k is not full */
void pm_sink_remove(struct pm_sink *k, struct pm_stream *s);
void pm_sinks_flush(void); /* writes what does not block */
bool pm_sinks_empty(void);
void pm_sinks_stop_reading(void); /* streams are then read by pm_stream_read() alone */
uint64_t pm_sinks_written(void);  /* bytes written to all sinks */

/* stream.c. prefix: a pattern for the start of each line, or NULL. direct: do not hold lines. */
void pm_streams_mode(const char *prefix, bool direct);
int pm_stream_open(struct pm_stream *s, int fd, int rank, struct pm_sink *sink);
bool pm_stream_read(struct pm_stream *s);  /* one read(); false when there are no bytes now */
void pm_stream_close(struct pm_stream *s); /* passes on an unfinished line first */

/* pattern.c: replaces %r by the rank, %h by the host, %g and %p by 0, %t by the time, %% by %. The
 * result is cut to len bytes with its NUL; returns its length. */
size_t pm_pattern(const char *pattern, int rank, char *text, size_t len);

/* log.c: writes a line to standard error that begins with "mpiexec: ". */
void pm_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void pm_log_to(struct pm_sink *k); /* in order with the lines of the ranks; NULL: directly */

#endif /* OUTPUT_H */
