/* darray.c — D05: distributed arrays. Each rank's type takes the elements that the distribution
 * gives it, all of them together each element once; ranks are in row-major order in the process
 * grid whatever the order of the array. */
#include "arrays.h"

struct dist {
    int dims, size, gsizes[ARRAY_DIMS], distribs[ARRAY_DIMS], dargs[ARRAY_DIMS], psizes[ARRAY_DIMS];
    int rank; /* the process whose elements are checked */
};

/* The process of dimension d that has index i there. */
static int owner(const struct dist *x, int d, int i)
{
    int g = x->gsizes[d], p = x->psizes[d], darg = x->dargs[d];

    if (x->distribs[d] == MPI_DISTRIBUTE_NONE)
        return 0;
    if (x->distribs[d] == MPI_DISTRIBUTE_BLOCK)
        return i / (darg == MPI_DISTRIBUTE_DFLT_DARG ? (g + p - 1) / p : darg);
    return i / (darg == MPI_DISTRIBUTE_DFLT_DARG ? 1 : darg) % p;
}

static int mine(const int *coordinate, void *arg)
{
    const struct dist *x = arg;
    int rank = 0;

    for (int d = 0; d < x->dims; d++)
        rank = rank * x->psizes[d] + owner(x, d, coordinate[d]);
    return rank == x->rank;
}

static void check(struct dist *x, int order)
{
    static int number[ARRAY_MAX], times[ARRAY_MAX];
    int total = 1;

    for (int d = 0; d < x->dims; d++)
        total *= x->gsizes[d];
    memset(times, 0, sizeof times);
    for (x->rank = 0; x->rank < x->size; x->rank++) {
        int n = array_numbers(x->dims, x->gsizes, order, mine, x, number);
        MPI_Datatype type;

        MPI_Type_create_darray(x->size, x->rank, x->dims, x->gsizes, x->distribs, x->dargs,
                               x->psizes, order, MPI_INT, &type);
        array_check(type, total, n, number);
        MPI_Type_free(&type);
        for (int i = 0; i < n; i++)
            times[number[i]]++;
    }
    for (int i = 0; i < total; i++)
        CHECK_INT(times[i], 1);
}

/* One dimension of each kind on 1 to 4 processes, whether they divide the size or not. */
static void one_dimension(int distrib, int darg)
{
    for (int size = 1; size <= 13; size++)
        for (int procs = 1; procs <= 4; procs++) {
            struct dist x = { 1, procs, { size }, { distrib }, { darg }, { procs }, 0 };

            if (distrib == MPI_DISTRIBUTE_BLOCK && darg > 0 && darg * procs < size)
                continue;
            check(&x, MPI_ORDER_C);
            check(&x, MPI_ORDER_FORTRAN);
        }
}

int main(int argc, char **argv)
{
    enum {
        B = MPI_DISTRIBUTE_BLOCK,
        C = MPI_DISTRIBUTE_CYCLIC,
        N = MPI_DISTRIBUTE_NONE,
        DFLT = MPI_DISTRIBUTE_DFLT_DARG
    };
    static struct dist some[] = {
        { 2, 6, { 10, 7 }, { B, B }, { DFLT, DFLT }, { 2, 3 }, 0 },
        { 2, 6, { 10, 7 }, { C, B }, { 3, 4 }, { 3, 2 }, 0 },
        { 2, 6, { 10, 7 }, { C, C }, { DFLT, 2 }, { 2, 3 }, 0 },
        { 2, 4, { 9, 5 }, { C, N }, { 2, DFLT }, { 4, 1 }, 0 },
        { 3, 6, { 20, 4, 31 }, { C, N, B }, { 3, DFLT, DFLT }, { 2, 1, 3 }, 0 }, /* example 4.7 */
        { 3, 24, { 5, 7, 9 }, { B, C, C }, { 3, 2, 1 }, { 2, 3, 4 }, 0 },
        { 4, 8, { 3, 4, 5, 6 }, { C, B, N, C }, { 1, 2, 77, 2 }, { 2, 2, 1, 2 }, 0 },
    };

    MPI_Init(&argc, &argv);
    for (int darg = 1; darg <= 5; darg++) {
        one_dimension(B, darg);
        one_dimension(C, darg);
    }
    one_dimension(B, DFLT);
    one_dimension(C, DFLT);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        check(&some[i], MPI_ORDER_C);
        check(&some[i], MPI_ORDER_FORTRAN);
    }
    MPI_Finalize();
    return 0;
}
