/* adi3_clock.h — the clock of MPI_Wtime: of this process, or one for all processes of the job.
 *
 * For src/mpi. This room stands above messages, by which clocks are compared. */
#ifndef ADI3_CLOCK_H
#define ADI3_CLOCK_H

#include <stdbool.h>
#include <stddef.h>

double adi3_wtime(void);         /* seconds since a moment in the past */
double adi3_wtick(void);         /* seconds between two values that it may have */
extern int adi3_wtime_is_global; /* 1: it is the same clock in all processes; else 0 */
/* If it is, compares the clocks again: all processes together. Writes how exact the clock was. True
 * when the text is to be shown. */
bool adi3_wtime_report(char *text, size_t len);

#endif /* ADI3_CLOCK_H */
