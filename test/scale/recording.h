/* recording.h — the steps that each rank of a communicator takes, as the library makes them.
 *
 * The library's own functions run for one rank after the other, in this process. What they add to a
 * schedule, and what they send and receive at once, is written down instead: the link of the
 * program wraps adi3_sched_send() and the like. Nothing is sent, and no data is read. */
#ifndef RECORDING_H
#define RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum step_kind {
    STEP_SEND,
    STEP_RECV,
    STEP_WORK,  /* copies or combines len bytes; consecutive ones are one step */
    STEP_AWAIT, /* waits for the messages before it that are awaited, and ... */
    STEP_FENCE, /* ... for all */
};

struct step {
    enum step_kind kind;
    bool awaited;
    int peer;
    uint64_t len;
};

struct recording {
    int ranks;     /* that have been recorded */
    size_t *first; /* where the steps of each rank begin in code; and where the last end */
    unsigned char *code;
    size_t used, room;
    uint64_t steps, sends; /* of all ranks, as the library makes them */
    uint64_t most_steps;   /* of a rank */
    uint64_t most_memory;  /* bytes that a rank's schedule takes for data, besides its steps */
};

/* Makes an empty one for so many ranks. Without memory the program ends. */
void recording_open(struct recording *r, int ranks);
void recording_close(struct recording *r);

/* What the library does from the first call to the second are steps of the next rank. */
void recording_begin_rank(struct recording *r);
void recording_end_rank(struct recording *r);

/* For tests: steps that no library makes. */
void recording_add(struct recording *r, struct step step);
/* Marks the last n steps, which are sends or receives, as awaited, and adds STEP_AWAIT. */
void recording_await(struct recording *r, unsigned n);

/* The step at *at, which becomes the place of the next. */
struct step recording_step(const struct recording *r, size_t *at);

#endif /* RECORDING_H */
