/* progress_impl.h — shared between the files of src/adi3/progress, and no others. */
#ifndef PROGRESS_IMPL_H
#define PROGRESS_IMPL_H

#include "progress.h"

/* sources.c */
extern struct progress_source *progress_sources[PROGRESS_SOURCES_MAX + 1]; /* NULL-ended */
bool progress_poll_sources(void); /* those that are wanted */
void progress_tick(void);

/* sleep.c */
enum { SLEEP_TICK_MS = 500 }; /* sleepers look whether a process has died */
/* Sleeps until woken or until ms, a tick at most, have passed; false when there was work before. */
bool sleep_until_woken(struct adi3_wait *w, bool (*work)(void), int epoll, unsigned ms);

/* wake.c */
void sleep_wake_self(void);
int sleep_wake_fd(void);     /* readable after a wake of DEV_ASLEEP_EPOLL */
void sleep_take_wakes(void); /* reads what has come there */
void sleep_finalize(void);

/* cores.c */
/* Is a process that has something to do on our core? Asked of the process that w waits for or, if
 * that is not known, of any: it needs the core more than the waiter does. */
bool core_shared(const struct adi3_wait *w);
/* Moves to a core that no process of the node is on; false when there is none or this process has
 * tried within the last millisecond. */
bool core_leave(void);

/* threads.c */
/* Whether w moves messages for all that wait; else it has slept, and its condition may hold now. */
bool thread_leads(struct adi3_wait *w);
/* Around the leader's sleep, without the lock; false when another one leads since. */
void thread_sleep_begins(struct adi3_wait *w);
bool thread_sleep_ends(struct adi3_wait *w);
void thread_wake_all(void); /* all that wait, the leader included */

#endif /* PROGRESS_IMPL_H */
