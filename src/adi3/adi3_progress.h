/* adi3_progress.h — moving messages: what src/mpi uses of it. */
#ifndef ADI3_PROGRESS_H
#define ADI3_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Polls all devices once, and does not wait; but where processes share the core, polls in vain give
 * it up now and then. False: nothing has come. */
bool adi3_poll(void);

/* Processes that this one waits for will be busy for about so long: until the next call of this, it
 * spins for that time, at most 1 ms, before it sleeps. */
void adi3_expect_wait(uint64_t ns);

#endif /* ADI3_PROGRESS_H */
