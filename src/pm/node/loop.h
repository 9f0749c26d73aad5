/* loop.h — the event loop of mpiexec: descriptors and timers. */
#ifndef LOOP_H
#define LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct pm_source { /* embedded in the object that handles the event; OS_OWNER finds that */
    void (*ready)(struct pm_source *s);
};

struct pm_timer { /* a zeroed struct is a timer that is not set */
    void (*fire)(struct pm_timer *t);
    uint64_t due_ns;
    struct pm_timer *next;
};

int pm_loop_open(void);
/* Calls s->ready while fd is readable or writable; a second call for fd replaces the first. */
int pm_loop_watch(int fd, bool readable, bool writable, struct pm_source *s);
void pm_loop_drop(int fd);
/* s may be freed: it is not called any more, also when it is ready already. */
void pm_loop_forget(const struct pm_source *s);

/* Of all sources that are ready at once, s is handled first. */
void pm_loop_prioritize(struct pm_source *s);

void pm_timer_set(struct pm_timer *t, int ms, void (*fire)(struct pm_timer *t));
void pm_timer_clear(struct pm_timer *t);
bool pm_timer_is_set(const struct pm_timer *t);

/* Handles all events that are ready; with wait, waits for the first one. */
void pm_loop_once(bool wait);

#endif /* LOOP_H */
