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
    { { .handle = MPI_MAX, .refs = 1, .commutes = true }, ORDERED, CHARS, op_max },
    { { .handle = MPI_MIN, .refs = 1, .commutes = true }, ORDERED, CHARS, op_min },
    { { .handle = MPI_SUM, .refs = 1, .commutes = true }, NUMBERS, CHARS, op_sum },
    { { .handle = MPI_PROD, .refs = 1, .commutes = true }, NUMBERS, CHARS, op_prod },
    { { .handle = MPI_LAND, .refs = 1, .commutes = true }, TRUTHS, TRUTHS_TOO, op_land },
    { { .handle = MPI_BAND, .refs = 1, .commutes = true }, BITS, CHARS, op_band },
    { { .handle = MPI_LOR, .refs = 1, .commutes = true }, TRUTHS, TRUTHS_TOO, op_lor },
    { { .handle = MPI_BOR, .refs = 1, .commutes = true }, BITS, CHARS, op_bor },
    { { .handle = MPI_LXOR, .refs = 1, .commutes = true }, TRUTHS, TRUTHS_TOO, op_lxor },
    { { .handle = MPI_BXOR, .refs = 1, .commutes = true }, BITS, CHARS, op_bxor },
    { { .handle = MPI_MINLOC, .refs = 1, .commutes = true }, PAIRS, 0, op_minloc },
    { { .handle = MPI_MAXLOC, .refs = 1, .commutes = true }, PAIRS, 0, op_maxloc },
    { { .handle = MPI_REPLACE, .refs = 1, .commutes = false }, 0, 0, NULL },
    { { .handle = MPI_NO_OP, .refs = 1, .commutes = false }, 0, 0, NULL },
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

/* Calls the user's function, with as many elements as its count can name: returns how many. */
static size_t call_once(const struct adi3_op *op, const char *in, char *inout, size_t count,
                        MPI_Datatype handle)
{
    MPI_Count large = (MPI_Count) count;
    int len = count < INT_MAX ? (int) count : INT_MAX;
    size_t done = op->large ? count : (size_t) len; /* the function may change its count */

    if (op->large)
        op->language->reduce_large(op->large_function, in, inout, &large, &handle);
    else
        op->language->reduce(op->function, in, inout, &len, &handle);
    return done;
}

/* Calls the user's function as often as count elements need. */
static void call_user(const struct adi3_op *op, const char *in, char *inout, size_t count,
                      const struct adi3_type *t)
{
    const struct adi3_type *before = adi3_op_type; /* the function may call MPI_Reduce_local */

    adi3_op_type = t;
    while (count > 0) {
        size_t done = call_once(op, in, inout, count, t->handle);
        MPI_Aint bytes = t->extent * (MPI_Aint) done;

        count -= done;
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
