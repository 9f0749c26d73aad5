/* ranks.c — G01: groups by the ranks that they include or exclude: none, all, and ranks of groups
 * that are themselves reordered. */
#include "group_test.h"

static MPI_Group excluding(MPI_Group g, int n, const int *ranks)
{
    MPI_Group made = MPI_GROUP_NULL;

    CHECK(MPI_Group_excl(g, n, ranks, &made) == MPI_SUCCESS);
    return made;
}

static MPI_Group including(MPI_Group g, int n, const int *ranks)
{
    MPI_Group made = MPI_GROUP_NULL;

    CHECK(MPI_Group_incl(g, n, ranks, &made) == MPI_SUCCESS);
    return made;
}

static void none(void)
{
    int all[GROUP_MOST];

    for (int i = 0; i < group_size; i++)
        all[i] = i;
    group_is(including(group_world, 0, all), 0, NULL);
    group_is(including(MPI_GROUP_EMPTY, 0, all), 0, NULL);
    group_is(excluding(group_world, 0, all), group_size, all);
    group_is(excluding(MPI_GROUP_EMPTY, 0, all), 0, NULL);
    group_is(excluding(group_world, group_size, all), 0, NULL);
    group_is(including(group_world, group_size, all), group_size, all);
}

/* All ranks from each start on, cyclically: the order is that of the list. */
static void rotated(void)
{
    int ranks[GROUP_MOST], twice[GROUP_MOST], rest[GROUP_MOST];

    for (int first = 0; first < group_size; first++) {
        for (int i = 0; i < group_size; i++) {
            ranks[i] = (first + i) % group_size;
            twice[i] = (2 * first + i) % group_size;
        }
        MPI_Group g = including(group_world, group_size, ranks);
        group_is(including(g, group_size, ranks), group_size, twice);
        for (int n = 0; n <= group_size; n++) {
            group_is(including(g, n, ranks), n, twice);
            /* without the ranks from first on, the rest of g keeps its order */
            int left = 0;
            for (int i = 0; i < group_size; i++)
                if ((i - first + group_size) % group_size >= n)
                    rest[left++] = (first + i) % group_size;
            group_is(excluding(g, n, ranks), left, rest);
        }
        MPI_Group_free(&g);
    }
}

/* A process may make groups without itself, and different groups than other processes. */
static void different_everywhere(void)
{
    int others[GROUP_MOST], n = 0;

    for (int i = group_size - 1; i >= 0; i--)
        if (i != group_rank)
            others[n++] = i;
    group_is(including(group_world, n, others), n, others);
    group_is(excluding(group_world, n, others), 1, &group_rank);
    MPI_Group g = including(group_world, 1, &group_rank);
    group_is(including(g, 1, &(int) { 0 }), 1, &group_rank);
    group_is(excluding(g, 1, &(int) { 0 }), 0, NULL);
    MPI_Group_free(&g);
}

int main(int argc, char **argv)
{
    group_begin(&argc, &argv);
    none();
    rotated();
    different_everywhere();
    group_end();
    return 0;
}
