/* ranges_far.c — G01: strides and last ranks up to the largest integers, when the ranks in the
 * range are those of members. MPICH 4.0 fails: it computes the rank behind the last one, which
 * overflows, and takes no last rank below 0. */
#include <limits.h>
#include "group_test.h"

/* The range has one rank. */
static void only(int first, int last, int stride)
{
    int range[1][3] = { { first, last, stride } }, rest[GROUP_MOST], n = 0;
    MPI_Group one = MPI_GROUP_NULL, others = MPI_GROUP_NULL;

    for (int i = 0; i < group_size; i++)
        if (i != first)
            rest[n++] = i;
    CHECK(MPI_Group_range_incl(group_world, 1, range, &one) == MPI_SUCCESS);
    CHECK(MPI_Group_range_excl(group_world, 1, range, &others) == MPI_SUCCESS);
    group_is(one, 1, &first);
    group_is(others, n, rest);
}

/* The same range with a second rank, which is not in the group. */
static void one_more(int first, int last, int stride)
{
    int range[1][3] = { { first, last, stride } };
    MPI_Group made = MPI_GROUP_NULL;

    CHECK(MPI_Group_range_incl(group_world, 1, range, &made) != MPI_SUCCESS);
    CHECK(MPI_Group_range_excl(group_world, 1, range, &made) != MPI_SUCCESS);
    CHECK(made == MPI_GROUP_NULL);
}

int main(int argc, char **argv)
{
    group_begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int first = 0; first < group_size; first++) {
        for (int last = 0; last < group_size; last++)
            only(first, last, last < first ? INT_MIN : INT_MAX);
        only(first, first, INT_MIN);
        only(first, INT_MAX - 1, INT_MAX);
        only(first, INT_MIN + first + 1, INT_MIN);
        only(first, -1, -first - 2);
        only(first, group_size, group_size + 1);
        one_more(first, INT_MAX, INT_MAX - first);
        one_more(first, INT_MIN + first, INT_MIN);
        one_more(first, -1, -first - 1);
        one_more(first, group_size, group_size - first);
    }
    group_end();
    return 0;
}
