/* adi3_shmcoll.h — the part of adi3.h that is about areas: memory that the processes of a
 * communicator share when all of them are on one node, for blocking collective operations.
 *
 * An operation is a row of steps, which all processes take alike: also in which of them they
 * meet. In a step each has room for as many bytes as all have agreed on; it fills that and shows
 * it, and others look at it once they see it shown. Room is used again when all have met since,
 * so that nobody has to tell that he has read it; adi3_shmcoll_begin() lets them meet where that
 * is needed.
 *
 * What is shown carries the operation's tag. Who sees another one than his own, or finds that a
 * process has died, ends his operation with an error, as do all others then: the area is broken,
 * and later operations there end with an error as well. After an error a step does not go on. */
#ifndef ADI3_SHMCOLL_H
#define ADI3_SHMCOLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "adi3_base.h"
#include "adi3_datatype.h"
#include "adi3_op.h"

struct adi3_shmcoll;
/* Its area, which the first call makes, in all processes together, by messages with this tag; NULL:
 * it has none, in none. */
struct adi3_shmcoll *adi3_shmcoll(struct adi3_comm *c, int tag);
size_t adi3_shmcoll_room(const struct adi3_shmcoll *a); /* bytes of a process's room, all steps' */
/* The last one to come to a meeting works for all, and wakes the others: where processes wait for
 * cores. Else each does it for itself. */
bool adi3_shmcoll_last_works(const struct adi3_shmcoll *a);

/* The next step, with so many bytes of room; meets: all will show, and wait for all. */
int adi3_shmcoll_begin(struct adi3_shmcoll *a, int tag, size_t len, bool meets);
/* The room of a process; that of number size is for whoever works for all. Aligned to 16 bytes. */
void *adi3_shmcoll_at(const struct adi3_shmcoll *a, int rank);

void adi3_shmcoll_publish(struct adi3_shmcoll *a);          /* for all, and does not wait; or ... */
void adi3_shmcoll_signal(struct adi3_shmcoll *a, int root); /* ... for one of them, ... */
int adi3_shmcoll_collect(struct adi3_shmcoll *a);           /* ... who waits for all the others */
int adi3_shmcoll_await(struct adi3_shmcoll *a, int rank);   /* waits until it has shown */

/* Likewise, and takes over how much room it says there is. */
int adi3_shmcoll_await_length(struct adi3_shmcoll *a, int rank, size_t *len);

/* A meeting in two parts. If it sets last, adi3_shmcoll_release() must follow, when the work is
 * done; else that has been done. */
int adi3_shmcoll_arrive(struct adi3_shmcoll *a, bool *last);
void adi3_shmcoll_release(struct adi3_shmcoll *a);
int adi3_shmcoll_barrier(struct adi3_shmcoll *a); /* both at once, without work between */

/* Can every process read every other one's memory? The first to ask do so together. */
int adi3_shmcoll_direct(struct adi3_shmcoll *a, int tag, bool *direct);
/* busy: that process reads as well, and will not help. */
int adi3_shmcoll_read(struct adi3_shmcoll *a, int rank, uint64_t from, void *to, size_t len,
                      bool busy);

/* An error of ours, which it returns: the others are not left waiting. */
int adi3_shmcoll_fail(struct adi3_shmcoll *a, int err);

/* ---- offload of persistent operations (flag_block.c)
 * ------------------------------------------ */

/* An operation in which each process shows something, and takes a result when all have done so. */
struct adi3_offload {
    size_t len;           /* bytes that each shows, the same for all */
    struct adi3_data out; /* those; type NULL: we show nothing, whatever len is */
    struct adi3_data in;  /* the result, of as many bytes; type NULL: it is nothing to us */
    struct adi3_op *op;   /* it is all combined, from the last one's down ... */
    int root;             /* ... or, if op is NULL, what this process shows */
};

#endif /* ADI3_SHMCOLL_H */
