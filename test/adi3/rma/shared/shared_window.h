/* shared_window.h — the memory of a window that processes of a test share, made by hand.
 *
 * Process 0 makes it and forks the others, which map it at addresses of their own. */
#ifndef SHARED_WINDOW_H
#define SHARED_WINDOW_H

#include "adi3/rma/shared/atomic.h"
#include "unit.h"

enum {
    WINDOW_BYTES = 1 << 16,  /* of each process's part */
    WINDOW_PROCESSES = 4,    /* at most */
    WINDOW_COUNTS = 1 << 19, /* bytes for the test's own use */
};

struct shared_window {
    struct rma_memory memory;
    char *counts; /* WINDOW_COUNTS bytes that are shared, at first 0 */
};
extern struct shared_window window;
extern _Alignas(4096) char window_private[WINDOW_BYTES]; /* of process 0, for CMA */

void window_make(int count); /* this is process 0 */
void window_drop(void);
/* The same for cmocka_unit_test_setup_teardown(), with all processes. */
int window_set_up(void **state);
int window_tear_down(void **state);
/* Forks the process with this index, which calls body. */
pid_t window_fork(int index, void (*body)(void *arg), void *arg);
/* Forks all but process 0, which calls body itself; true when all ended well. */
bool window_run(void (*body)(void *arg), void *arg);
void window_start_together(void); /* called by each of them: waits for all */

/* The shared part of a process, for this one; and where it is in this process's memory. */
struct rma_place window_place(int owner);
char *window_part(int owner);
/* The owner's memory is private now: for process 0 here, for others by CMA. */
void window_make_private(int owner, const void *base);

bool window_has_cma(void); /* an emulator may not have it */

/* Does op with n elements of a predefined type. */
int window_do(const struct rma_place *p, void *at, struct adi3_type *t, size_t n, MPI_Op op,
              const void *in, void *old);

#endif /* SHARED_WINDOW_H */
