/* mpiexec_output.h — what ranks write: to the standard descriptors of mpiexec, or to files. */
#ifndef MPIEXEC_OUTPUT_H
#define MPIEXEC_OUTPUT_H

#include "pm/mpiexec/reach/mpiexec_reach.h"

struct pm_text { /* output of a rank */
    const char *bytes;
    size_t len;
    bool more; /* the end of a long line will follow */
    int node;  /* that it comes from */
};

/* output.c: text of a rank goes to its sink. */
int pm_output_open(struct pm_run *r, void (*failed)(int err, const char *file));
enum { PM_OUTPUT_FILE_MAX = 4096 };
/* Opens the sinks of a rank. -errno: file is what failed. */
int pm_output_of(struct pm_rank *r, char file[PM_OUTPUT_FILE_MAX]);
void pm_output_put(struct pm_rank *r, int stream, const struct pm_text *t);
void pm_output_ended(struct pm_rank *r, int stream);
bool pm_output_waits(const struct pm_job *j); /* some of its output, for a line of another node */

/* outdir.c: makes the directory of -output. -errno. */
int pm_output_directory(const struct pm_spec *s);

/* progress.c: from begin to end, says on a terminal which hosts are waited for. */
void pm_progress_begin(struct pm_run *r);
void pm_progress_end(struct pm_run *r);

/* pty.c: whether the standard output of a rank, whose sinks are open, is a pseudo-terminal. */
bool pm_wants_pty(const struct pm_rank *r);
void pm_resize_ptys(struct pm_run *r); /* gives them the window size of mpiexec's terminal */

/* sink.c */
int pm_sink_number(const struct pm_sink *k);
bool pm_sink_is_tty(const struct pm_sink *k);
bool pm_sink_is_live(const struct pm_sink *k); /* pm_is_live() when it was opened */
/* Whether another process may be at the other end now: not of a file, nor of /dev/null. */
bool pm_is_live(int fd);
void pm_sinks_flush(void); /* writes what does not block */
bool pm_sinks_empty(void);
uint64_t pm_sinks_written(void); /* bytes written to all sinks */

#endif /* MPIEXEC_OUTPUT_H */
