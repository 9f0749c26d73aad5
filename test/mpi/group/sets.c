/* sets.c — G01: union, intersection and difference keep the order of the first group, then that of
 * the second; empty results are MPI_GROUP_EMPTY. */
#include "group_test.h"

static int all[GROUP_MOST], reversed[GROUP_MOST];

static MPI_Group united(MPI_Group a, MPI_Group b)
{
    MPI_Group g = MPI_GROUP_NULL;

    CHECK(MPI_Group_union(a, b, &g) == MPI_SUCCESS);
    return g;
}

static MPI_Group common(MPI_Group a, MPI_Group b)
{
    MPI_Group g = MPI_GROUP_NULL;

    CHECK(MPI_Group_intersection(a, b, &g) == MPI_SUCCESS);
    return g;
}

static MPI_Group without(MPI_Group a, MPI_Group b)
{
    MPI_Group g = MPI_GROUP_NULL;

    CHECK(MPI_Group_difference(a, b, &g) == MPI_SUCCESS);
    return g;
}

static void with_empty(MPI_Group g, const int *members)
{
    group_is(united(g, MPI_GROUP_EMPTY), group_size, members);
    group_is(united(MPI_GROUP_EMPTY, g), group_size, members);
    group_is(common(g, MPI_GROUP_EMPTY), 0, NULL);
    group_is(common(MPI_GROUP_EMPTY, g), 0, NULL);
    group_is(without(g, MPI_GROUP_EMPTY), group_size, members);
    group_is(without(MPI_GROUP_EMPTY, g), 0, NULL);
    group_is(united(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY), 0, NULL);
    group_is(without(g, g), 0, NULL);
    group_is(united(g, g), group_size, members);
    group_is(common(g, g), group_size, members);
}

/* The first half of all in reverse, and the odd ranks. */
static void halves_and_odds(void)
{
    int odd[GROUP_MOST], expected[GROUP_MOST] = { 0 }, odds = 0, n = 0, half = (group_size + 1) / 2;

    for (int i = 1; i < group_size; i += 2)
        odd[odds++] = i;
    MPI_Group a = group_of(half, reversed + group_size - half), b = group_of(odds, odd);
    for (int i = half - 1; i >= 0; i--)
        expected[n++] = i;
    for (int i = half; i < group_size; i++)
        if (i % 2)
            expected[n++] = i;
    group_is(united(a, b), n, expected);
    n = 0;
    for (int i = half - 1; i >= 0; i--)
        if (i % 2)
            expected[n++] = i;
    group_is(common(a, b), n, expected);
    n = 0;
    for (int i = half - 1; i >= 0; i--)
        if (i % 2 == 0)
            expected[n++] = i;
    group_is(without(a, b), n, expected);
    n = 0;
    for (int i = half; i < group_size; i++)
        if (i % 2)
            expected[n++] = i;
    group_is(without(b, a), n, expected);
    MPI_Group_free(&a);
    MPI_Group_free(&b);
}

/* A group outlives the groups, and the communicator, that it was made of. */
static void outlive_their_sources(void)
{
    MPI_Comm comm;
    MPI_Group a, b;

    MPI_Comm_split(MPI_COMM_WORLD, 0, -group_rank, &comm);
    MPI_Comm_group(comm, &a);
    MPI_Comm_free(&comm);
    b = common(a, group_world);
    MPI_Group_free(&a);
    group_is(b, group_size, reversed);
}

int main(int argc, char **argv)
{
    group_begin(&argc, &argv);
    for (int i = 0; i < group_size; i++) {
        all[i] = i;
        reversed[i] = group_size - 1 - i;
    }
    MPI_Group backwards = group_of(group_size, reversed);
    with_empty(group_world, all);
    with_empty(backwards, reversed);
    group_is(united(backwards, group_world), group_size, reversed);
    group_is(united(group_world, backwards), group_size, all);
    group_is(common(backwards, group_world), group_size, reversed);
    group_is(without(backwards, group_world), 0, NULL);
    MPI_Group_free(&backwards);
    halves_and_odds();
    outlive_their_sources();
    group_end();
    return 0;
}
