/* adi3_op.h — reduction operations, predefined and of the user.
 *
 * Uses base and datatype; used by shmcoll, sched, rma and src/mpi. MPICH's MPIR_Op. */
#ifndef ADI3_OP_H
#define ADI3_OP_H

#include <stdbool.h>
#include <stddef.h>
#include "adi3/adi3_base.h"
#include "adi3/adi3_datatype.h"
#include "adi3/adi3_language.h"

struct adi3_op {
    MPI_Op handle;
    int refs;
    bool commutes;
    bool large; /* the count of its function is MPI_Count */
    union {     /* the user's; NULL for a predefined one */
        MPI_User_function *function;
        adi3_large_function *large_function;
    };
    const struct adi3_language *language; /* of the function */
};

extern struct adi3_pool adi3_ops;
void adi3_op_release(struct adi3_op *op);

struct adi3_op *adi3_op_builtin(MPI_Op h); /* NULL when h names no predefined operation */
/* Whether op can be applied to elements of t: all that the standard allows and some more. */
bool adi3_op_takes(const struct adi3_op *op, const struct adi3_type *t);
/* Whether op can be used on elements of a window of the predefined type t: as adi3_op_takes(), but
 * no operation of the user's, and MPI_REPLACE and MPI_NO_OP with all types (§11.3.4). */
bool adi3_op_accumulates(const struct adi3_op *op, const struct adi3_type *t);
/* Whether the standard allows this pair (§5.9.2), or only MPICH and Open MPI do. */
bool adi3_op_is_standard(const struct adi3_op *op, const struct adi3_type *t);
/* The datatype whose handle was passed to the user's function that runs in this thread; NULL while
 * none runs. The handle is valid there, also when the program has freed it since the operation
 * began (§4.1.9). */
extern _Thread_local const struct adi3_type *adi3_op_type;
/* Does inout[i] = in[i] op inout[i] for count elements; op must take t. A user's function is called
 * with the handle of t. May be called without the lock. */
void adi3_reduce(const struct adi3_op *op, const void *in, void *inout, size_t count,
                 const struct adi3_type *t);

#endif /* ADI3_OP_H */
