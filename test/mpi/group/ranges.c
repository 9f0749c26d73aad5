/* ranges.c — G01: ranges up and down, which need not end at their last rank, equal the list of
 * their ranks. */
#include "group_test.h"

static MPI_Group chosen(MPI_Group g, int n, int ranges[][3], int in)
{
    MPI_Group made = MPI_GROUP_NULL;

    if (in)
        CHECK(MPI_Group_range_incl(g, n, ranges, &made) == MPI_SUCCESS);
    else
        CHECK(MPI_Group_range_excl(g, n, ranges, &made) == MPI_SUCCESS);
    return made;
}

/* Writes the ranks of the ranges in order; returns their number. */
static int listed(int n, int ranges[][3], int *ranks)
{
    int count = 0;

    for (int i = 0; i < n; i++)
        for (long long r = ranges[i][0]; ranges[i][2] > 0 ? r <= ranges[i][1] : r >= ranges[i][1];
             r += ranges[i][2])
            ranks[count++] = (int) r;
    return count;
}

/* Ranges of a group of all, and of one in another order. */
static void both_ways(int n, int ranges[][3])
{
    int ranks[GROUP_MOST], expected[GROUP_MOST], rest[GROUP_MOST], out[GROUP_MOST] = { 0 };
    int count = listed(n, ranges, ranks), left = 0;

    for (int shift = 0; shift < group_size; shift++) {
        int order[GROUP_MOST];
        for (int i = 0; i < group_size; i++)
            order[i] = (shift + i) % group_size;
        MPI_Group g = group_of(group_size, order);
        for (int i = 0; i < count; i++) {
            expected[i] = order[ranks[i]];
            out[ranks[i]] = 1;
        }
        left = 0;
        for (int i = 0; i < group_size; i++)
            if (!out[i])
                rest[left++] = order[i];
        group_is(chosen(g, n, ranges, 1), count, expected);
        group_is(chosen(g, n, ranges, 0), left, rest);
        MPI_Group_free(&g);
    }
}

static void one_range(void)
{
    for (int first = 0; first < group_size; first++)
        for (int last = 0; last < group_size; last++)
            for (int stride = 1; stride <= group_size + 1; stride++)
                both_ways(1, (int[][3]) { { first, last, first <= last ? stride : -stride } });
}

static void several(void)
{
    int evens_down_odds_up[][3] = { { (group_size - 1) / 2 * 2, 0, -2 }, { 1, group_size - 1, 2 } };
    int singles[GROUP_MOST][3];

    both_ways(group_size > 1 ? 2 : 1, evens_down_odds_up);
    for (int i = 0; i < group_size; i++) { /* (i, i, 1) is the rank i */
        singles[i][0] = singles[i][1] = group_size - 1 - i;
        singles[i][2] = i % 2 ? 1 : -1;
    }
    both_ways(group_size, singles);
    both_ways(0, singles);
}

static void of_none(void)
{
    int unused[1][3] = { { 7, 9, 0 } };

    group_is(chosen(MPI_GROUP_EMPTY, 0, unused, 1), 0, NULL);
    group_is(chosen(MPI_GROUP_EMPTY, 0, unused, 0), 0, NULL);
}

int main(int argc, char **argv)
{
    group_begin(&argc, &argv);
    one_range();
    several();
    of_none();
    group_end();
    return 0;
}
