/* loop.h — what mpiexec waits for: descriptors and times. */
#ifndef LOOP_H
#define LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct pm_source { /* lives in the object that is to hear of it */
    void (*ready)(struct pm_source *s);
};

struct pm_timer { /* all zero is one that is not set */
    void (*fire)(struct pm_timer *t);
    uint64_t due_ns;
    struct pm_timer *next;
};

int pm_loop_open(void);
int pm_loop_watch(int fd, bool readable, bool writable, struct pm_source *s);
void pm_loop_drop(int fd);

/* Of all that is ready at once, this source goes first. */
void pm_loop_prioritize(struct pm_source *s);

void pm_timer_set(struct pm_timer *t, int ms, void (*fire)(struct pm_timer *t));
void pm_timer_clear(struct pm_timer *t);
bool pm_timer_is_set(const struct pm_timer *t);

/* Handles what is ready now; with wait, waits until something is. */
void pm_loop_once(bool wait);

#endif /* LOOP_H */
