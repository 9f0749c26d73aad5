/* log.h — log lines, which begin with "mpiexec: ". */
#ifndef LOG_H
#define LOG_H

#include <stddef.h>

/* A line has nothing that a terminal might obey: pm_replace_controls(). */
void pm_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* From now on put gets each line, with its newline. NULL: it goes to standard error. */
void pm_log_to(void (*put)(const char *line, size_t len));

/* Replaces bytes that are neither ASCII nor UTF-8, and control characters but for tabs and ends of
 * lines: foreign text may have sequences for a terminal. */
void pm_replace_controls(char *text, size_t len);

/* What lines call a rank: "rank 3", or "rank 3 of job 1" when it is not of the job of the command
 * line, which is job 0. Returns text. */
enum { PM_RANK_NAME = 48 };
const char *pm_rank_name(int job, int rank, char text[PM_RANK_NAME]);

#endif /* LOG_H */
