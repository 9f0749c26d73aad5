/* progress.h — moving messages, waiting, and threads that wait together.
 *
 * Uses base, proc and src/platform; used by request and the rooms above it. In MPICH:
 * MPID_Progress_*, in UCX: ucp_worker_progress, ucp_worker_wait. All waiting of the library is
 * here. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "adi3/adi3_progress.h"
#include "adi3/proc/proc.h"

extern const struct setting progress_settings[];
extern const struct counter progress_counters[];

/* Polls devices and wanted sources once; true when anything moved. */
bool progress_poll(void);

/* ---- waiting --------------------------------------------------------------------------------- */

/* A waiting call. The caller describes the object of the wait, as far as known, so that the room
 * progress need not know requests, windows or files. */
struct adi3_wait {
    unsigned turns;     /* since something moved last */
    unsigned intervals; /* sleeps so far */
    bool idle;          /* waits for nothing: the thread of asynchronous progress */
    bool asleep;        /* leads, and sleeps without the lock */
    uint64_t since;     /* ns, when waiting began */
    const void *on;     /* the object waited for: a signal for it wakes this call; NULL: any does */
    void (*look)(struct adi3_wait *w); /* updates the next three; NULL: they do not change */
    const struct dev_peer *peer;       /* the process waited for; NULL: not known, or any */
    size_t bytes;                      /* of a message being copied meanwhile; 0: not known */
    const char *what;                  /* described: "a message"; NULL: not known */
    _Atomic uint32_t called;           /* futex: set to wake a thread that follows (threads.c) */
    struct adi3_wait *next;
};

/* One turn of waiting: polls, spins, yields or sleeps. Call it in a loop until the condition holds.
 * May drop the lock meanwhile. */
void adi3_wait_turn(struct adi3_wait *w);

void thread_wait_end(const struct adi3_wait *w); /* adi3_wait_end() with threads */
/* Must follow the loop: another thread that waits may have to lead now. */
static inline void adi3_wait_end(const struct adi3_wait *w)
{
    if (__builtin_expect(adi3_threads, 0))
        thread_wait_end(w);
}

/* ---- other sources of progress than devices (sources.c) -------------------------------------- */

struct progress_source { /* a row; members may be NULL */
    const char *name;
    bool (*poll)(void);      /* called after the devices while wanted; true when anything moved */
    int (*wait_fd)(void);    /* a descriptor that is readable when poll() has work; -1: none */
    bool (*may_sleep)(void); /* while wanted; false: poll() has work although wait_fd() is not
                              * readable */
    void (*tick)(void);      /* about twice a second while the process is in MPI calls */
    bool calls_program;      /* poll() may call functions of the program, in its threads only */
    unsigned bit;            /* set by progress_source_add() */
};

enum { PROGRESS_SOURCES_MAX = 20 };

/* Adds a row; does nothing when the row is there already.
 * Errors: MPI_ERR_INTERN when another row has this name, or all places are taken. */
int progress_source_add(struct progress_source *s);

extern unsigned progress_wanted; /* the bits of the sources whose poll() is wanted */
/* Starts and stops the calls of poll(). The source must have been added. */
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

/* ---- share sockets (fetch_shared.c) ---------------------------------------------------------- */

/* Answers at this process's share socket, where others ask for shared memory. Its users add it and
 * want it while they expose something. */
extern struct progress_source progress_share_socket;
/* After share_socket_remove(): unwants it if nothing is left. */
void progress_share_socket_closed(void);
/* Asks at the share socket of another process for what has this number, and moves messages until
 * there is an answer. Returns the descriptor, or a negative errno: -ECONNREFUSED when no process of
 * this node has such a share socket. */
int progress_fetch_shared(uint64_t share_socket, uint64_t number);
void progress_pause(void); /* moves messages; pauses when none has moved */
/* The same in a wait that may be long: from 20 us on, at last 1.3 ms. *pauses begins with 0. */
void progress_pause_longer(unsigned *pauses);

/* ---- life ------------------------------------------------------------------------------------ */

int progress_init(void);   /* before devices are opened: from then on they can wake sleepers */
void progress_begin(void); /* once the node is known: processes that share a core separate */
void progress_finalize(void);

/* ---- threads (threads.c) --------------------------------------------------------------------- */

extern unsigned thread_sleepers; /* how many threads thread_signal() may have to wake */
/* Wakes the threads that wait for object, which is done; NULL: an unexpected message has come. */
void thread_signal(const void *object);
void thread_wake_waiter(struct adi3_wait *w); /* wakes the thread of w, if it sleeps */
void thread_wake_all(void);                   /* wakes all threads that wait, the leader included */

static inline void thread_signal_waiters(const void *object)
{
    if (__builtin_expect(thread_sleepers != 0, 0))
        thread_signal(object);
}

/* ---- asynchronous progress (async.c) --------------------------------------------------------- */

extern bool adi3_async; /* the setting ASYNC_PROGRESS is on */
/* Sets whether calls take the lock, and starts the thread of asynchronous progress where the
 * setting is on. several: several threads of the program may call at once. Errors:
 * MPI_ERR_OTHER. */
int thread_init(bool several);
void thread_finalize(void); /* ends that thread */
/* Something of this process is from now on served while the program computes, and no longer.
 * Counted: the thread runs while anything is. Where the setting is off they do nothing. */
void async_need(void);
void async_unneed(void);
/* Around a time in which the memory and the descriptors that the thread uses may change. */
void async_hold(void);
void async_resume(void);

#endif /* PROGRESS_H */
