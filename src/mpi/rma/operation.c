/* operation.c — checks the arguments of operations, and does them. */
#include <string.h>
#include "mpi/rma/rma.h"

int mpir_target_data_arg(struct adi3_rma *x, MPI_Count count, MPI_Datatype h)
{
    int err = mpir_count_arg(count, "target_count");

    if (!err)
        err = mpir_type_arg(h, &x->type);
    if (!err)
        err = mpir_span_arg(count, x->type);
    if (err)
        return err;
    x->count = (size_t) count;
    if (x->type->committed || !mpir_checking())
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_TYPE,
                      "the target datatype 0x%x is not committed: call MPI_Type_commit first",
                      (unsigned) h);
}

static const char *name_of(const struct adi3_type *t)
{
    return *t->name ? t->name : "a datatype of the program";
}

static int size_mismatch_error(const char *what, const struct adi3_data *d,
                               const struct adi3_rma *x)
{
    return mpir_error(MPI_ERR_TYPE,
                      "%s has %zu bytes, %zu of %s; the target has %zu bytes, %zu of %s", what,
                      d->count * d->type->size, d->count, name_of(d->type),
                      x->count * x->type->size, x->count, name_of(x->type));
}

/* Cuts count elements of t to len bytes, which are less. False: these are not whole elements. */
static bool count_cut_to_len(size_t *count, const struct adi3_type *t, size_t len)
{
    if (len % t->size)
        return false;
    *count = len / t->size;
    return true;
}

int mpir_fit_arg(struct adi3_rma *x)
{
    size_t here = x->origin.count * x->origin.type->size, there = x->count * x->type->size;

    if (__builtin_expect(here == there, 1) || x->target == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (x->kind == ADI3_GET
            ? there < here && count_cut_to_len(&x->origin.count, x->origin.type, there)
            : here < there && count_cut_to_len(&x->count, x->type, here))
        return MPI_SUCCESS;
    return size_mismatch_error("the origin", &x->origin, x);
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* Types are the same when an operation sees no difference: two names of one C type are. */
static bool same_basic(const struct adi3_type *a, const struct adi3_type *b)
{
    return a == b
           || (a && b && a->repr == b->repr && a->repr != ADI3_REPR_NONE && a->size == b->size);
}

/* One of the buffers here, of the same basic type as the target. */
static int basic_arg(const char *what, const struct adi3_data *d, const struct adi3_rma *x)
{
    if (!d->type || d->count * d->type->size == 0 || same_basic(d->type->basic, x->type->basic))
        return MPI_SUCCESS;
    if (!d->type->basic)
        return mpir_error(MPI_ERR_TYPE, "the datatype of %s has elements of several types", what);
    return mpir_error(MPI_ERR_TYPE, "%s has elements of %s, the target of %s", what,
                      name_of(d->type->basic), name_of(x->type->basic));
}

static int types_arg(const struct adi3_rma *x)
{
    const struct adi3_data *r = &x->result;

    if (!mpir_checking() || x->count * x->type->size == 0)
        return MPI_SUCCESS;
    if (!x->type->basic)
        return mpir_error(MPI_ERR_TYPE, "the target datatype has elements of several types");
    int err = basic_arg("the origin", &x->origin, x);
    if (!err)
        err = basic_arg("the result", r, x);
    if (!err && r->type && r->count * r->type->size != x->count * x->type->size)
        err = size_mismatch_error("the result", r, x);
    return err;
}

static int not_predefined(MPI_Op h)
{
    struct adi3_op *op;
    int err = mpir_op_arg(h, &op);

    if (err)
        return err;
    return mpir_error(MPI_ERR_OP,
                      "0x%x is an operation of the program; one-sided communication has the "
                      "predefined ones only",
                      (unsigned) h);
}

int mpir_rma_op_arg(struct adi3_rma *x, MPI_Op h)
{
    bool reduces = h != MPI_REPLACE && h != MPI_NO_OP;

    if (!(x->op = adi3_op_builtin(h)))
        return not_predefined(h);
    if (h == MPI_NO_OP && x->kind == ADI3_ACCUMULATE)
        return mpir_error(MPI_ERR_OP, "MPI_NO_OP is for calls that fetch, as MPI_Get_accumulate");
    if (x->target == MPI_PROC_NULL)
        return MPI_SUCCESS;
    int err = x->origin.type ? mpir_fit_arg(x) : MPI_SUCCESS;
    if (!err)
        err = types_arg(x);
    if (err)
        return err;
    return reduces && x->type->basic && x->count && x->type->size
               ? mpir_op_type_arg(x->op, x->type->basic)
               : MPI_SUCCESS;
}

int mpir_element_arg(const void *buf, MPI_Datatype h, struct adi3_data *d)
{
    int err = mpir_data_arg(buf, 1, h, d);

    if (err || !mpir_checking() || d->type->basic == d->type)
        return err;
    return mpir_error(MPI_ERR_TYPE, "the datatype is not a predefined one: 0x%x", (unsigned) h);
}

/* ---- what is reached by the fast path -------------------------------------------------------- */

/* A rank that is not of its place is of no target. */
#define NOTHING                                                                                    \
    {                                                                                              \
        { .target = 1 }, { .target = 2 }, { .target = 3 }, { .target = 4 }, { .target = 5 },       \
            { .target = 6 }, { .target = 7 },                                                      \
        {                                                                                          \
            .target = 0                                                                            \
        }                                                                                          \
    }
struct mpir_reached mpir_reached[MPIR_REACHED] = NOTHING;

void mpir_reached_forget(void)
{
    static const struct mpir_reached nothing[] = NOTHING;

    memcpy(mpir_reached, nothing, sizeof mpir_reached);
}

char *mpir_reach_first(const char *name, const struct mpir_reached *what, const void *buf,
                       MPI_Count count, MPI_Aint disp, size_t *len)
{
    struct adi3_win *w = mpir_quick_win(name, what->win);
    struct mpir_reached *place = &mpir_reached[(unsigned) what->target % MPIR_REACHED];
    const struct adi3_rma_quick *t;
    char *at;

    if (!w || !mpir_quick_data(buf, count, what->type, len)
        || !(t = (const void *) adi3_rma_touched(w, what->target)))
        return NULL;
    while (!(at = adi3_rma_place(w, t, disp, *len, true)))
        if (!adi3_rma_lock_first(w, what->target))
            return NULL;
    *place = *what;
    place->size = (uint32_t) adi3_type_builtin(what->type)->size;
    place->w = w;
    place->t = t;
    return at;
}

/* ---- one element by the fast path ------------------------------------------------------------ */

static bool is_buffer(const void *at) { return at && at != MPI_IN_PLACE; }

/* The last pair that was looked up. Both are predefined, so what was found stays true. */
static struct {
    MPI_Datatype type;
    MPI_Op op;
    struct adi3_rma_how how;
} last = { .type = MPI_DATATYPE_NULL };

/* The types that the standard allows: integers, truth values and bytes; and MPICH's characters. */
bool mpir_can_compare(const struct adi3_type *t)
{
    enum {
        ALLOWED = 1 << ADI3_C_INTEGER | 1 << ADI3_F_INTEGER | 1 << ADI3_LOGICAL
                  | 1 << ADI3_MULTI_LANGUAGE | 1 << ADI3_BYTE | 1 << ADI3_CHARACTER
    };

    return 1 << t->class & ALLOWED;
}

/* False when op does not take the type, or one of them is not predefined. */
__attribute__((noinline)) static bool look_up(MPI_Datatype h, MPI_Op op)
{
    const struct adi3_type *t = adi3_type_builtin(h);
    const struct adi3_op *o = adi3_op_builtin(op);

    if (!t || t->basic != t || t->size - 1 >= 8)
        return false;
    if (op == MPI_OP_NULL ? !mpir_can_compare(t) : !o || !adi3_op_accumulates(o, t))
        return false;
    last.type = h;
    last.op = op;
    last.how = adi3_rma_how(o, t);
    return true;
}

bool mpir_quick_element(struct adi3_win *w, int rank, MPI_Aint disp, MPI_Datatype h, MPI_Op op,
                        const struct adi3_rma_element *e)
{
    if ((h != last.type || op != last.op) && !look_up(h, op))
        return false;
    return (is_buffer(e->origin) || op == MPI_NO_OP)
           && adi3_rma_element(w, rank, disp, &last.how, e);
}

/* ---- doing them ------------------------------------------------------------------------------ */

int mpir_rma(struct adi3_win *w, const struct adi3_rma *x, MPI_Request *request)
{
    if (request)
        *request = ADI3_REQUEST_COMPLETE;
    if (x->target == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (request && w->access != ADI3_EPOCH_LOCK && w->access != ADI3_EPOCH_ALL)
        return mpir_error(MPI_ERR_RMA_SYNC,
                          "an operation with a request needs MPI_Win_lock or MPI_Win_lock_all "
                          "before it");
    return adi3_rma(w, x, request);
}
