/* adi3_collchk.h — the part of adi3.h that finds out when processes make different collective
 * calls.
 *
 * Each message of a call has the call's number and signature in its tag. Messages are matched by
 * the number; then the signatures are compared. A process that waits asks those it waits for. */
#ifndef ADI3_COLLCHK_H
#define ADI3_COLLCHK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "adi3_base.h"
#include "adi3_calls.h"
#include "adi3_datatype.h"

struct adi3_call_history *adi3_collchk_history(struct adi3_comm *c,
                                               bool init); /* new; NULL without memory */
/* A call has begun, the newest: it is compared with what others have sent of theirs. */
void adi3_collchk_begin(struct adi3_comm *c, struct adi3_call_record *call);

/* The call with this tag has ended in an error: where others would wait for what it has not sent,
 * because it has stopped or a process is gone, theirs end in it, too. Returns err. */
int adi3_collchk_failed(struct adi3_comm *c, int tag, int err, bool stopped);

/* Ends one, if c->differs: the error of a call of which it is known that it differed. */
int adi3_collchk_end(struct adi3_comm *c, int err);

/* Instead of a call with this tag, when c->failed: after calls that differed not all processes are
 * at the same place. The error; others that wait for this call get it, too. */
int adi3_collchk_refuse(struct adi3_comm *c, int tag);

/* Another has sent or shown so many bytes, and our call with this tag expects another number, which
 * the signature does not always show: the error that the call ends in, also when calls are not
 * compared. */
int adi3_collchk_unequal(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours);
/* The part of a signature that stands for the type of so many elements. */
static inline unsigned adi3_collchk_type(const struct adi3_type *t, size_t count)
{
    bool plain = t->repr - 1u < ADI3_C128 && t->class != ADI3_BYTE && count;

    return __builtin_expect(plain, 1) ? t->repr : adi3_type_signature(t, count);
}

/* src/mpi's: writes a call with its arguments, as in MPI_Bcast(count=4, ...). */
extern void (*adi3_collchk_describe)(const struct adi3_call_record *call, char *text, size_t len);

#endif /* ADI3_COLLCHK_H */
