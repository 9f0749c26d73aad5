/* adi3_op.h — reduction operations. */
#ifndef ADI3_OP_H
#define ADI3_OP_H

#include <stdbool.h>
#include <stddef.h>
#include "adi3_base.h"
#include "adi3_datatype.h"

struct adi3_op {
    MPI_Op handle;
    int refs;
    bool commutes;
    MPI_User_function *function; /* the user's; NULL for a predefined one */
};

extern struct adi3_pool adi3_ops;
void adi3_op_release(struct adi3_op *op);

struct adi3_op *adi3_op_builtin(MPI_Op h); /* NULL when h names no predefined operation */
bool adi3_op_takes(const struct adi3_op *op, const struct adi3_type *t);
/* Of what it takes: by the standard (§5.9.2), or because other libraries do? */
bool adi3_op_is_standard(const struct adi3_op *op, const struct adi3_type *t);
/* Whose handle a user's function that runs in this thread was given; NULL without one. To it that
 * is a type, also when the program has freed it since the operation began (§4.1.9). */
extern _Thread_local const struct adi3_type *adi3_shown;
/* inout[i] = in[i] op inout[i]; a user's function is called with its own handle of the type. */
void adi3_reduce(const struct adi3_op *op, const void *in, void *inout, size_t count,
                 const struct adi3_type *t);

#endif /* ADI3_OP_H */
