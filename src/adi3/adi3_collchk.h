/* adi3_collchk.h — the collective check: finds out when processes make different collective
 * calls, so that they get an error instead of a hang or a wrong result.
 *
 * For src/mpi/coll. Each message of a call has the call's number and signature in its tag (see
 * adi3_calls.h). Messages are matched by the number; then the signatures are compared. A process
 * that waits long asks the processes that it waits for which call they have made.
 * doc/collectives.md, section 6, says what is found. */
#ifndef ADI3_COLLCHK_H
#define ADI3_COLLCHK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "adi3/adi3_base.h"
#include "adi3/adi3_calls.h"
#include "adi3/adi3_datatype.h"

/* Makes the history of a communicator's calls of one form. NULL without memory. */
struct adi3_call_history *adi3_collchk_history(struct adi3_comm *c, int form);
/* Compares a call that has begun, the newest in its history, with the messages and queries that
 * have come from other processes. */
void adi3_collchk_begin(struct adi3_comm *c, struct adi3_call_record *call);

/* The call with this tag has ended in an error. If it has stopped between its messages, or if a
 * process is lost, other processes would wait for messages that will not come: then their calls end
 * in this error too. Returns err. */
int adi3_collchk_failed(struct adi3_comm *c, int tag, int err, bool stopped);

/* Ends a call, if c->differs or c->local. Returns err, or the error of a call that has been found
 * to differ without returning it. */
int adi3_collchk_end(struct adi3_comm *c, int err);

/* To be called instead of the call with this tag when c->failed: after calls that differed not all
 * processes are at the same place. Returns the error; processes that wait for this call get it
 * too. */
int adi3_collchk_refuse(struct adi3_comm *c, int tag);

/* Another process has sent or published `theirs` bytes, and our call with this tag expects `ours`,
 * which the signature does not always show. Returns the error that the call ends in, also when
 * calls are not compared. */
int adi3_collchk_unequal(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours);
/* What to add to a text about two lengths in a call of so many processes: that one of them may be
 * the total of all processes, or "". */
const char *adi3_collchk_total(int size, size_t a, size_t b);
/* The part of a signature that stands for the type of so many elements. */
static inline unsigned adi3_collchk_type(const struct adi3_type *t, size_t count)
{
    bool plain = t->repr - 1u < ADI3_C128 && t->class != ADI3_BYTE && count;

    return __builtin_expect(plain, 1) ? t->repr : adi3_type_signature(t, count);
}

/* src/mpi's: writes a call with its arguments, as in MPI_Bcast(count=4, ...). */
extern void (*adi3_collchk_describe)(const struct adi3_call_record *call, char *text, size_t len);

#endif /* ADI3_COLLCHK_H */
