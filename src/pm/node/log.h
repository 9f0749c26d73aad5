/* log.h — log lines, which begin with "mpiexec: ". */
#ifndef LOG_H
#define LOG_H

#include <stddef.h>

void pm_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* From now on put gets each line, with its newline. NULL: it goes to standard error. */
void pm_log_to(void (*put)(const char *line, size_t len));

#endif /* LOG_H */
