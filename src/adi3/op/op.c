/* op.c — reduction operations: the table of predefined ones, the datatypes that each takes, and
 * applying an operation. */
#include <assert.h>
#include <limits.h>
#include "adi3/op/op_impl.h"

struct adi3_pool adi3_ops = ADI3_POOL(ADI3_OP, struct adi3_op);

/* Sets of classes of datatypes: the standard's table (§5.9.2), and what it leaves out there. */
#define CLASS(c) (1u << (c))
enum {
    C_INTEGERS = CLASS(ADI3_C_INTEGER),
    BITS = C_INTEGERS | CLASS(ADI3_F_INTEGER) | CLASS(ADI3_BYTE) | CLASS(ADI3_MULTI_LANGUAGE),
    ORDERED =
        C_INTEGERS | CLASS(ADI3_F_INTEGER) | CLASS(ADI3_FLOATING) | CLASS(ADI3_MULTI_LANGUAGE),
    NUMBERS = ORDERED | CLASS(ADI3_COMPLEX),
    TRUTHS = C_INTEGERS | CLASS(ADI3_LOGICAL),
    PAIRS = CLASS(ADI3_PAIR),
    CHARS = CLASS(ADI3_CHARACTER),
    TRUTHS_TOO = CHARS | CLASS(ADI3_F_INTEGER) | CLASS(ADI3_FLOATING) | CLASS(ADI3_MULTI_LANGUAGE),
};

/* `more` is what MPICH also takes, and Open MPI most of it; programs rely on it. */
static struct predefined {
    struct adi3_op op;
    unsigned classes, more; /* none for MPI_REPLACE and MPI_NO_OP: those are for windows only */
    op_kernel *const *kernel;
} predefined[] = {
    { { MPI_MAX, 1, true, NULL, NULL }, ORDERED, CHARS, op_max },
    { { MPI_MIN, 1, true, NULL, NULL }, ORDERED, CHARS, op_min },
    { { MPI_SUM, 1, true, NULL, NULL }, NUMBERS, CHARS, op_sum },
    { { MPI_PROD, 1, true, NULL, NULL }, NUMBERS, CHARS, op_prod },
    { { MPI_LAND, 1, true, NULL, NULL }, TRUTHS, TRUTHS_TOO, op_land },
    { { MPI_BAND, 1, true, NULL, NULL }, BITS, CHARS, op_band },
    { { MPI_LOR, 1, true, NULL, NULL }, TRUTHS, TRUTHS_TOO, op_lor },
    { { MPI_BOR, 1, true, NULL, NULL }, BITS, CHARS, op_bor },
    { { MPI_LXOR, 1, true, NULL, NULL }, TRUTHS, TRUTHS_TOO, op_lxor },
    { { MPI_BXOR, 1, true, NULL, NULL }, BITS, CHARS, op_bxor },
    { { MPI_MINLOC, 1, true, NULL, NULL }, PAIRS, 0, op_minloc },
    { { MPI_MAXLOC, 1, true, NULL, NULL }, PAIRS, 0, op_maxloc },
    { { MPI_REPLACE, 1, false, NULL, NULL }, 0, 0, NULL },
    { { MPI_NO_OP, 1, false, NULL, NULL }, 0, 0, NULL },
};

/* The handles are consecutive from MPI_MAX on, in the order of the table. */
struct adi3_op *adi3_op_builtin(MPI_Op h)
{
    unsigned i = (unsigned) h - (unsigned) MPI_MAX;

    return i < sizeof predefined / sizeof *predefined ? &predefined[i].op : NULL;
}

static const struct predefined *row_of(const struct adi3_op *op)
{
    const struct predefined *row = &predefined[(unsigned) op->handle - (unsigned) MPI_MAX];

    assert(&row->op == op);
    return row;
}

void adi3_op_release(struct adi3_op *op)
{
    assert(adi3_lock_held());
    assert(op->refs > 0);
    if (--op->refs == 0)
        adi3_free(&adi3_ops, op);
}

bool adi3_op_takes(const struct adi3_op *op, const struct adi3_type *t)
{
    if (op->function)
        return true;
    const struct predefined *row = row_of(op);
    return (row->classes | row->more) & CLASS(t->class) && row->kernel[t->repr];
}

bool adi3_op_accumulates(const struct adi3_op *op, const struct adi3_type *t)
{
    return !op->function && (!row_of(op)->kernel || adi3_op_takes(op, t));
}

bool adi3_op_is_standard(const struct adi3_op *op, const struct adi3_type *t)
{
    return op->function || row_of(op)->classes & CLASS(t->class);
}

_Thread_local const struct adi3_type *adi3_op_type;

/* Calls the user's function, whose count is an int, as often as count elements need. */
static void call_user(const struct adi3_op *op, const char *in, char *inout, size_t count,
                      const struct adi3_type *t)
{
    const struct adi3_type *before = adi3_op_type; /* the function may call MPI_Reduce_local */

    adi3_op_type = t;
    while (count > 0) {
        int len = count < INT_MAX ? (int) count : INT_MAX;
        MPI_Aint bytes = t->extent * len;
        MPI_Datatype handle = t->handle;

        count -= (size_t) len;
        op->language->reduce(op->function, in, inout, &len, &handle);
        in += bytes;
        inout += bytes;
    }
    adi3_op_type = before;
}

void adi3_reduce(const struct adi3_op *op, const void *in, void *inout, size_t count,
                 const struct adi3_type *t)
{
    if (op->function) {
        call_user(op, in, inout, count, t);
        return;
    }
    assert(row_of(op)->kernel && row_of(op)->kernel[t->repr]);
    row_of(op)->kernel[t->repr](in, inout, count);
}
