/* output.h — from the ranks' pipes to mpiexec's own output, by whole lines. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stddef.h>
#include "loop.h"

struct pm_sink;

struct pm_stream { /* what one rank writes to one descriptor */
    struct pm_source source;
    int fd; /* our end of the pipe; -1: closed */
    int rank;
    struct pm_sink *sink;
    char *held; /* the beginning of a line */
    size_t len, capacity;
    uint64_t changed_ns; /* held for a terminal; 0: not, or not listed for it */
    struct pm_stream *next_prompt;
    struct pm_stream *next_paused; /* for another's long line to end */
};

struct pm_output {
    struct pm_sink *out, *err; /* the same when both lead to the same place */
};

/* sink.c. failed is told once for a sink that cannot be written any more: the errno, and the file's
 * name or NULL for an output of mpiexec's own. */
int pm_sinks_open(struct pm_output *o, void (*failed)(int err, const char *file));
struct pm_sink *pm_sink_file(const char *file); /* the same for the same name; NULL with errno */

/* A line that is too long to keep goes on in pieces. Until its end the other streams of the sink
 * wait, but not for ever: its rank may be waiting for one of theirs. */
void pm_sink_begin_long_line(struct pm_sink *k, struct pm_stream *s);
void pm_sink_end_long_line(struct pm_sink *k, const struct pm_stream *s);
bool pm_sink_has_long_line_of(const struct pm_sink *k, const struct pm_stream *s);
bool pm_sink_has_other_long_line(const struct pm_sink *k, const struct pm_stream *s);
void pm_sink_pause(struct pm_sink *k, struct pm_stream *s); /* not read until the line's end */

/* Adds text to a sink's queue. rank: whose; another's unfinished line gets its end first. -1:
 * mpiexec's own lines, which also wait for the end of a long one. */
void pm_sink_put(struct pm_sink *k, int rank, const char *text, size_t len);
int pm_sink_partial_line_of(const struct pm_sink *k); /* whose line is unfinished, or -1 */
bool pm_sink_is_tty(const struct pm_sink *k);
bool pm_sink_is_full(const struct pm_sink *k);
int pm_sink_add(struct pm_sink *k, int fd, struct pm_source *s); /* while k is not full */
void pm_sink_remove(struct pm_sink *k, struct pm_stream *s);
void pm_sinks_flush(void); /* writes what can be written without waiting */
bool pm_sinks_empty(void);
void pm_sinks_stop_reading(void); /* from now on by pm_stream_read() alone */
uint64_t pm_sinks_written(void);  /* bytes that have left, of all sinks */

/* stream.c. prefix: pattern of a text before each line, or NULL. direct: nothing is held back. */
void pm_streams_mode(const char *prefix, bool direct);
int pm_stream_open(struct pm_stream *s, int fd, int rank, struct pm_sink *sink);
bool pm_stream_read(struct pm_stream *s);  /* once; false when there is nothing more now */
void pm_stream_close(struct pm_stream *s); /* with what is held */

/* pattern.c: %r rank, %h host, %g and %p 0, %t time, %% percent. Cut to len. */
size_t pm_pattern(const char *pattern, int rank, char *text, size_t len);

/* log.c: one line on standard error that begins with "mpiexec: ". */
void pm_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void pm_log_to(struct pm_sink *k); /* from now on in turn with the ranks' lines; NULL: not */

#endif /* OUTPUT_H */
