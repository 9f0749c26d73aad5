/* inter_reduce.c — C02, C07: MPI_Reduce and MPI_Allreduce between two groups: the operands of
 * one group, in rank order, become the result of the other. */
#include "holes.h"
#include "inter_operands.h"

static int n; /* elements */
static enum form form;
static MPI_Op then, add;
static MPI_Datatype pair;

/* The result of holes_function() of all operands of a group. */
static void check_holes(const struct inter *in, const struct holes *v, int side)
{
    for (int i = 0; i < n; i++) {
        int first = 0, last = 0;
        for (int r = 0; r < inter_size(in, side); r++) {
            first += value(inter_who(side, r), i, 1);
            last += value(inter_who(side, r), i, 2);
        }
        CHECK_INT(v[i].first, first);
        CHECK_INT(v[i].last, last);
        CHECK_INT(v[i].hole, HOLE);
    }
}

/* ---- to a root ------------------------------------------------------------------------------- */

static void reduce(const struct inter *in, struct root r)
{
    int *v = values(inter_me(in), n, n), *result = ints(n), me = inter_root(in, r) == MPI_ROOT;

    IN_FORM(form, Reduce, Ireduce, v, result, n, MPI_INT, MPI_SUM, inter_root(in, r), in->comm);
    check_values(v, inter_me(in), n, n);
    for (int i = 0; i < n && me; i++)
        CHECK_INT(result[i], inter_sum(in, !in->side, i, n));
    if (!me)
        check_untouched(result, n);
    free(result);
    free(v);
}

static void reduce_ordered(const struct inter *in, struct root r)
{
    struct affine *v = affine_values(inter_me(in), n), *result = affine_values(99, n);

    IN_FORM(form, Reduce, Ireduce, v, result, n, pair, then, inter_root(in, r), in->comm);
    for (int i = 0; i < n && inter_root(in, r) == MPI_ROOT; i++)
        inter_check_composed(in, result[i], !in->side, i);
    free(result);
    free(v);
}

static void reduce_holes(const struct inter *in, struct root r)
{
    struct holes *v = holes_values(inter_me(in), n), *result = holes_values(99, n);

    IN_FORM(form, Reduce, Ireduce, v, result, n, holes_seen, add, inter_root(in, r), in->comm);
    if (inter_root(in, r) == MPI_ROOT)
        check_holes(in, result, !in->side);
    free(result);
    free(v);
}

/* ---- to all ---------------------------------------------------------------------------------- */

static void allreduce(const struct inter *in)
{
    int *v = values(inter_me(in), n, n), *result = ints(n);

    IN_FORM(form, Allreduce, Iallreduce, v, result, n, MPI_INT, MPI_SUM, in->comm);
    check_values(v, inter_me(in), n, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(result[i], inter_sum(in, !in->side, i, n));
    free(result);
    free(v);
}

static void allreduce_ordered(const struct inter *in)
{
    struct affine *v = affine_values(inter_me(in), n), *result = affine_values(99, n);

    IN_FORM(form, Allreduce, Iallreduce, v, result, n, pair, then, in->comm);
    for (int i = 0; i < n; i++)
        inter_check_composed(in, result[i], !in->side, i);
    free(result);
    free(v);
}

static void allreduce_holes(const struct inter *in)
{
    struct holes *v = holes_values(inter_me(in), n), *result = holes_values(99, n);

    IN_FORM(form, Allreduce, Iallreduce, v, result, n, holes_seen, add, in->comm);
    check_holes(in, result, !in->side);
    free(result);
    free(v);
}

static void test(const struct inter *in)
{
    static const int lens[] = { 0, 1, 257, 9001 };

    for (int c = 0; c < 4; c++)
        for (form = 0; form < FORMS; form++) {
            n = lens[c];
            inter_each_root(in, reduce);
            inter_each_root(in, reduce_ordered);
            inter_each_root(in, reduce_holes);
            allreduce(in);
            allreduce_ordered(in);
            allreduce_holes(in);
        }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    pair = affine_type();
    holes_seen = holes_type();
    MPI_Op_create(affine_function, 0, &then);
    MPI_Op_create(holes_function, 1, &add);
    inter_each(test);
    MPI_Op_free(&then);
    MPI_Op_free(&add);
    MPI_Type_free(&holes_seen);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
