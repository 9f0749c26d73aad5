/* adi3_shmcoll.h — shared-memory collective segments: how the blocking collective operations of a
 * communicator exchange data when all its processes are on one node, or those of each node in a
 * phase of the operation.
 *
 * For src/mpi/coll. doc/collectives.md, section 2, has the drawings. The room stands above
 * messages and the collective check: it needs both to make a segment and to explain an error.
 *
 * A segment is a block of the node's memory. Each rank has a control block in it, which only that
 * rank writes: 16 lines of a cache line each, and a ring of bytes for data that is too long for a
 * line. An operation is a sequence of steps, the same in all processes, numbered through the life
 * of the segment:
 *
 *   adi3_shmcoll_begin()      begins step s. All ranks get room for the same number of bytes at
 *                             the same offset in their control blocks; adi3_shmcoll_at() is where.
 *   adi3_shmcoll_publish()    the owner has written its data there: its flag becomes s.
 *   adi3_shmcoll_await()      waits until the flag of another rank is s; its data may be read.
 *   adi3_shmcoll_barrier()    publishes, and awaits all others.
 *
 * No reader acknowledges. A process that has come to a barrier has done all steps before it, so
 * after a barrier the lines and bytes of those steps are free. adi3_shmcoll_begin() makes an extra
 * barrier when there is no free line or no room.
 *
 * With its data a rank publishes the tag of its operation. A process that finds another tag, or
 * that a process has died, marks the segment as broken. Then the operation under way and all later
 * ones on this communicator end with an error in all processes. After an error the caller must not
 * go on with the step. */
#ifndef ADI3_SHMCOLL_H
#define ADI3_SHMCOLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "adi3/adi3_base.h"
#include "adi3/adi3_datatype.h"
#include "adi3/adi3_op.h"

struct adi3_shmcoll;
/* The segment of c, whose processes are together; NULL when c has none, which then holds in all its
 * processes. The first call makes it, with messages of this tag, so all processes of c must make
 * that call together. */
struct adi3_shmcoll *adi3_shmcoll(struct adi3_comm *c, int tag);
/* Likewise the segment of those processes of c that are on this node, when others are not: n ranks,
 * of which this process's is number me. They are the ranks 0 to n - 1 of the segment. */
struct adi3_shmcoll *adi3_shmcoll_on_node(struct adi3_comm *c, int tag, const int *ranks, int n,
                                          int me);
/* Bytes of a rank's ring, which the steps share that no barrier has freed yet. */
size_t adi3_shmcoll_room(const struct adi3_shmcoll *s);
/* True: the last process to arrive at a barrier does the work of all and wakes the others. This is
 * so where processes have too few cores, and where there are many. False: each process awaits all
 * others and works for itself. */
bool adi3_shmcoll_last_works(const struct adi3_shmcoll *s);

/* Begins the next step, with room for len bytes in each control block. barrier: this step is a
 * barrier, with adi3_shmcoll_arrive() or adi3_shmcoll_barrier(); all processes must say the
 * same. */
int adi3_shmcoll_begin(struct adi3_shmcoll *s, int tag, size_t len, bool barrier);
/* The room of a rank in this step, aligned to 16 bytes. The room of number size (one more than the
 * last rank) is for the results of the last process to arrive. */
void *adi3_shmcoll_at(const struct adi3_shmcoll *s, int rank);

/* Publishes the room of this process to the other ranks. Does not wait. */
void adi3_shmcoll_publish(struct adi3_shmcoll *s);
/* Publishes the room to root alone, which calls adi3_shmcoll_collect(). Does not wait. */
void adi3_shmcoll_signal(struct adi3_shmcoll *s, int root);
int adi3_shmcoll_collect(struct adi3_shmcoll *s); /* waits until all others have signalled */
int adi3_shmcoll_await(struct adi3_shmcoll *s, int rank); /* waits until rank has published */

/* Waits until rank has published, and takes the length of this step's room from it instead of the
 * one given to adi3_shmcoll_begin(). Sets *len to it. */
int adi3_shmcoll_await_length(struct adi3_shmcoll *s, int rank, size_t *len);

/* A barrier in two parts, with work between. Sets *last in the process that has to do the work of
 * all: adi3_shmcoll_release() must follow there, when the work is done. In all others *last is
 * false, and the work is done when this returns if adi3_shmcoll_last_works(). */
int adi3_shmcoll_arrive(struct adi3_shmcoll *s, bool *last);
void adi3_shmcoll_release(struct adi3_shmcoll *s);
int adi3_shmcoll_barrier(struct adi3_shmcoll *s); /* both parts, without work between */

/* Sets *direct when every process can read and write every other one's memory. The first call finds
 * that out, with a barrier: all processes must make it together. */
int adi3_shmcoll_direct(struct adi3_shmcoll *s, int tag, bool *direct);
/* Reads len bytes at address `from` of rank's memory, and waits for them. busy: that process reads
 * as well, and will not help to copy. */
int adi3_shmcoll_read(struct adi3_shmcoll *s, int rank, uint64_t from, void *to, size_t len,
                      bool busy);

/* Writes len bytes to address `to` of rank's memory, and waits for that. */
int adi3_shmcoll_write(struct adi3_shmcoll *s, int rank, uint64_t to, const void *from, size_t len);

/* Breaks the segment because of an error of this process, which it returns. The other processes
 * get errors instead of waiting. */
int adi3_shmcoll_fail(struct adi3_shmcoll *s, int err);

/* ---- offload of persistent operations (flag_block.c) ----------------------------------------- */

/* An operation in which each process publishes some bytes, and takes a result when all have. */
struct adi3_offload {
    size_t len;           /* bytes that a process publishes; equal in all processes */
    struct adi3_data out; /* the published bytes; type NULL: this process publishes only its flag */
    struct adi3_data in;  /* where the result goes, len bytes; type NULL: not wanted here */
    struct adi3_op *op;   /* the result is all data combined, from the last rank's down; or ... */
    int root;             /* ... if op is NULL, the data of this rank */
};

#endif /* ADI3_SHMCOLL_H */
