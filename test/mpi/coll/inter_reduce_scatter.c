/* inter_reduce_scatter.c — C02, C10: MPI_Reduce_scatter(_block) between two groups: each group
 * divides the result of the other.
 *
 * MPICH 4.0 fails: MPI_Ireduce_scatter_block reports an invalid communicator. */
#include "inter_operands.h"

static int n; /* elements of each process for each process of the other group */
static enum form form;
static MPI_Op then;
static MPI_Datatype pair;

/* Both groups divide the same number of elements: the first process of a group gets fewer, the
 * last one more. */
static int part(const struct inter *in, int rank)
{
    return n * in->peers - (rank == 0 ? n : 0) + (rank == in->size - 1 ? n : 0);
}

static void reduce_scatter(const struct inter *in)
{
    int all = n * in->size * in->peers, *v = values(inter_me(in), all, n),
        *counts_ = ints(in->size);
    int first = 0, mine = part(in, in->rank), *result = ints(mine + 1);

    for (int r = 0; r < in->size; r++)
        counts_[r] = part(in, r);
    for (int r = 0; r < in->rank; r++)
        first += counts_[r];
    IN_FORM(form, Reduce_scatter, Ireduce_scatter, v, result, counts_, MPI_INT, MPI_SUM, in->comm);
    for (int i = 0; i < mine; i++)
        CHECK_INT(result[i], inter_sum(in, !in->side, first + i, n));
    check_untouched(result + mine, 1);
    free(result);
    free(counts_);
    free(v);
}

static void reduce_scatter_block(const struct inter *in)
{
    int mine = n * in->peers;
    struct affine *v = affine_values(inter_me(in), mine * in->size),
                  *result = affine_values(99, mine);

    IN_FORM(form, Reduce_scatter_block, Ireduce_scatter_block, v, result, mine, pair, then,
            in->comm);
    for (int i = 0; i < mine; i++)
        inter_check_composed(in, result[i], !in->side, in->rank * mine + i);
    free(result);
    free(v);
}

static void test(const struct inter *in)
{
    static const int lens[] = { 0, 1, 5, 1200 };

    for (int c = 0; c < 4; c++)
        for (form = 0; form < FORMS; form++) {
            n = lens[c];
            reduce_scatter(in);
            reduce_scatter_block(in);
        }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    pair = affine_type();
    MPI_Op_create(affine_function, 0, &then);
    inter_each(test);
    MPI_Op_free(&then);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
