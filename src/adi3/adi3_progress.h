/* adi3_progress.h — moving messages: what src/mpi uses of it. */
#ifndef ADI3_PROGRESS_H
#define ADI3_PROGRESS_H

#include <stdint.h>

/* Polls all devices once; does not wait. */
void adi3_poll(void);

/* Processes that this one waits for will be busy for about so long: until the next call of this, it
 * spins for that time, at most 1 ms, before it sleeps. */
void adi3_expect_wait(uint64_t ns);

#endif /* ADI3_PROGRESS_H */
