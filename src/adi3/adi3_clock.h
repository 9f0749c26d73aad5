/* adi3_clock.h — the clock of MPI_Wtime. */
#ifndef ADI3_CLOCK_H
#define ADI3_CLOCK_H

#include <stdbool.h>
#include <stddef.h>

double adi3_wtime(void); /* seconds since a moment in the past */
double adi3_wtick(void);
extern int adi3_wtime_is_global; /* 0 or 1: the same in all processes */
/* Compares the clocks again, if they are global, with all processes. Returns true when the text is
 * for the user. */
bool adi3_wtime_report(char *text, size_t len);

#endif /* ADI3_CLOCK_H */
