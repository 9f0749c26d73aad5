/* progress_impl.h — shared between the files of src/adi3/progress, and no others. */
#ifndef PROGRESS_IMPL_H
#define PROGRESS_IMPL_H

#include "adi3/progress/progress.h"

/* sources.c */
extern bool async_serves; /* the library's thread polls: only sources without calls_program */
extern struct progress_source *progress_sources[PROGRESS_SOURCES_MAX + 1]; /* NULL-ended */
bool progress_is_polled(const struct progress_source *s); /* it is wanted, and allowed now */
bool progress_poll_sources(void); /* polls those that are wanted; true when anything moved */
void progress_tick(void);         /* calls all ticks */

/* progress.c */
/* The epoll with the descriptors of devices and of sources; -1 when there are none. Sets *ms to
 * poll_interval when a device needs polls and has no descriptor. */
int progress_descriptors(unsigned poll_interval, unsigned *ms);
bool progress_has_work(void); /* polls; true when anything moved or cannot wait for a wake-up */
void progress_detect_failures(void); /* looks for processes that have died, twice a second */
unsigned progress_interval(struct adi3_wait *w); /* the next poll interval, in ms: it grows */

/* settings.c */
extern bool async_may_serve; /* the setting ASYNC_PROGRESS is auto */
int async_check_setting(void);

/* sleep.c */
/* Sleeps of this process. in_vain: half a second passed without a wake-up; late: and then there was
 * work. The sender of that message should have woken this process and did not. */
extern struct sleep_counts {
    uint64_t all, in_vain, late;
} sleep_counts;
/* Called around a sleep of the program's thread in a call, unless they are NULL. */
extern void (*sleep_begins_hook)(void), (*sleep_ends_hook)(void);
enum { SLEEP_TICK_MS = 500 }; /* after that sleepers look whether a process has died */
/* Sleeps until woken or until ms have passed, which is at most a tick. epoll: the descriptors to
 * sleep on; -1: none. False when there was work already, so that it did not sleep. */
bool sleep_until_woken(struct adi3_wait *w, bool (*work)(void), int epoll, unsigned ms);

/* wake.c */
void sleep_wake_self(void);  /* wakes the thread that sleeps on the word of this process */
int sleep_wake_fd(void);     /* readable after a wake-up of DEV_ASLEEP_EPOLL */
void sleep_take_wakes(void); /* reads the datagrams there */
void sleep_finalize(void);

/* cores.c */
/* Whether a busy process of the node is on the core of this one: the process that w waits for
 * or, if that is not known, any. It needs the core more than this process does. */
bool core_shared(const struct adi3_wait *w);
/* Moves to a core that no process of the node is on. False when there is none, or this process has
 * tried within the last millisecond. */
bool core_leave(void);
int core_of(const struct dev_node *n, int index); /* where the process waited last */
/* On an oversubscribed node: moves to the core with the fewest processes if this one has two more.
 * The kernel would leave them there for 30 ms and more. */
void core_balance(uint64_t now);
void core_look(void);        /* sets core_has_others */
extern bool core_has_others; /* other ranks may need the core where this process polls */
void core_note(void);        /* tells the other processes on which core this process waits */

/* spin.c */
uint64_t spin_time(const struct adi3_wait *w); /* how long w spins, ns */
void spin_begins(void);                        /* a wait spins, or the next part of it */
void spin_note_wait(uint64_t waited);          /* it slept as well, and took so long, ns */

/* yields.c */
/* polls: yields of polls in vain; bans: times without yields. */
extern struct yield_counts {
    uint64_t polls, bans;
} yield_counts;
bool yields_are_banned(uint64_t now);              /* ns: a process that waits sleeps instead */
void yields_note(uint64_t before, uint64_t after); /* a yield has taken this time */
void yields_finalize(void);

/* threads.c */
/* True when the thread of w leads: it moves messages for all threads that wait. False when it has
 * slept instead: its condition may hold now. */
bool thread_leads(struct adi3_wait *w);
/* Around the leader's sleep, which is without the lock. False when another thread leads now. */
void thread_sleep_begins(struct adi3_wait *w);
bool thread_sleep_ends(struct adi3_wait *w);

#endif /* PROGRESS_IMPL_H */
