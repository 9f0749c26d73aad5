/* progress.h — moving messages, waiting, and threads that wait together. For the rooms above. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "adi3_progress.h"
#include "proc.h"

extern const struct setting progress_settings[];

bool progress_poll(void); /* true when anything moved */

/* ---- waiting --------------------------------------------------------------------------------- */

/* A call that waits. It says what it waits for, as far as that is known, so that waiting itself
 * knows neither requests nor windows nor files. */
struct adi3_wait {
    unsigned turns, intervals;
    bool idle;      /* waits for nothing: the thread of asynchronous progress */
    bool asleep;    /* with the lock dropped, leading */
    uint64_t since; /* ns, when waiting began */
    const void *on; /* the object waited for: a signal for it wakes this call; NULL: any does */
    void (*look)(struct adi3_wait *w); /* brings the next three up to date; NULL: they are */
    const struct dev_peer *peer;       /* the process waited for; NULL: not known, or any */
    size_t bytes;                      /* that a process moves meanwhile; 0: not known */
    const char *what;                  /* in words: "a message"; NULL: not known */
    _Atomic uint32_t called;           /* while another thread leads: see threads.c */
    struct adi3_wait *next;
};

/* Waits, at no cost, until something may have become done since the last call. Call it in a loop
 * around the condition. */
void adi3_wait_turn(struct adi3_wait *w);

void thread_wait_end(const struct adi3_wait *w); /* adi3_wait_end() */
/* Must follow the loop: another thread that waits may have to lead. */
static inline void adi3_wait_end(const struct adi3_wait *w)
{
    if (__builtin_expect(adi3_threads, 0))
        thread_wait_end(w);
}

/* ---- what else than devices makes progress (sources.c) --------------------------------------- */

struct progress_source { /* a row; members may be NULL */
    const char *name;
    bool (*poll)(void);      /* called behind the devices while wanted; true when anything moved */
    int (*wait_fd)(void);    /* a descriptor that is readable when poll() has work; -1: none now */
    bool (*may_sleep)(void); /* false: poll() would find work, though wait_fd() is not readable */
    void (*tick)(void);      /* about twice a second while the process is in MPI calls */
    unsigned bit;            /* set by progress_source_add() */
};

enum { PROGRESS_SOURCES_MAX = 16 };

/* Adds a row; a row that is there already is not added again.
 * Errors: MPI_ERR_INTERN when another row has this name, or there is no room. */
int progress_source_add(struct progress_source *s);

extern unsigned progress_wanted; /* the bits of the sources whose poll() is wanted */
static inline void progress_want(const struct progress_source *s)
{
    assert(s->bit && s->poll && adi3_lock_held());
    progress_wanted |= s->bit;
}
static inline void progress_unwant(const struct progress_source *s)
{
    assert(s->bit && adi3_lock_held());
    progress_wanted &= ~s->bit;
}

/* ---- life ------------------------------------------------------------------------------------ */

void progress_init(void);  /* before devices are opened: sleepers can be woken */
void progress_begin(void); /* the process table is there: processes on one core part */
void progress_finalize(void);

/* ---- threads (threads.c) --------------------------------------------------------------------- */

extern unsigned thread_sleepers; /* threads that thread_signal() may have to wake */
/* `object` is done, or (NULL) an unexpected message has come: wakes the threads that wait for
 * it. */
void thread_signal(const void *object);
void thread_wake_waiter(struct adi3_wait *w); /* what w waits for is there */

static inline void thread_signal_waiters(const void *object)
{
    if (__builtin_expect(thread_sleepers != 0, 0))
        thread_signal(object);
}

/* ---- asynchronous progress (async.c) --------------------------------------------------------- */

extern bool adi3_async; /* the setting ASYNC_PROGRESS */
/* Says whether calls take the lock, and starts the thread of asynchronous progress. several:
 * several threads of the program may call at once. */
int thread_init(bool several);
void thread_finalize(void);

#endif /* PROGRESS_H */
