/* translate.c — G01: ranks in one group become ranks in another. MPI_PROC_NULL stays unchanged, and
 * a process that is not in the other group is MPI_UNDEFINED. A rank may be listed twice. */
#include "group_test.h"

enum { NOTHING = 12345, MOST = 2 * GROUP_MOST + 1 };

static void translated(MPI_Group from, int n, const int *ranks, MPI_Group to, const int *expected)
{
    int result[MOST + 1];

    for (int i = 0; i <= MOST; i++)
        result[i] = NOTHING;
    CHECK(MPI_Group_translate_ranks(from, n, ranks, to, result) == MPI_SUCCESS);
    for (int i = 0; i < n; i++)
        CHECK_INT(result[i], expected[i]);
    CHECK_INT(result[n], NOTHING);
    for (int i = 0; i < n; i++) { /* the same ranks one by one */
        CHECK(MPI_Group_translate_ranks(from, 1, &ranks[i], to, result) == MPI_SUCCESS);
        CHECK_INT(result[0], expected[i]);
    }
}

/* Every rank twice, with MPI_PROC_NULL between. from and to have at rank i the processes f[i] and
 * t[i]. */
static void all_ranks(int nf, const int *f, int nt, const int *t)
{
    MPI_Group from = group_of(nf, f), to = group_of(nt, t);
    int ranks[MOST], expected[MOST], n = 2 * nf + 1;

    for (int i = 0; i < n; i++) {
        ranks[i] = i == nf ? MPI_PROC_NULL : i % (nf + 1);
        expected[i] = i == nf ? MPI_PROC_NULL : MPI_UNDEFINED;
        for (int k = 0; i != nf && k < nt; k++)
            if (t[k] == f[ranks[i]])
                expected[i] = k;
    }
    translated(from, n, ranks, to, expected);
    MPI_Group_free(&from);
    MPI_Group_free(&to);
}

/* The usual use: ranks of a subgroup in the whole. */
static void of_communicators(void)
{
    MPI_Comm half;
    MPI_Group g;
    int rank, size, zero = 0, leader = -1, me = -1;

    MPI_Comm_split(MPI_COMM_WORLD, group_rank % 2, -group_rank, &half);
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &size);
    MPI_Comm_group(half, &g);
    MPI_Group_translate_ranks(g, 1, &zero, group_world, &leader);
    CHECK_INT(leader, group_rank + 2 * rank);
    MPI_Group_translate_ranks(group_world, 1, &group_rank, g, &me);
    CHECK_INT(me, rank);
    MPI_Group_free(&g);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    int list[5][GROUP_MOST];

    group_begin(&argc, &argv);
    for (int i = 0; i < group_size; i++) {
        list[0][i] = i;
        list[1][i] = group_size - 1 - i;
        list[2][i] = (i + group_size / 2) % group_size;
        list[3][i] = i % 2 ? i / 2 : group_size - 1 - i / 2; /* from both ends in turn */
        list[4][i] = (2 * i) % group_size + (group_size % 2 == 0 && 2 * i >= group_size);
    }
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
            for (int n = 1; n <= group_size; n++) {
                all_ranks(n, list[a], group_size, list[b]);
                all_ranks(group_size, list[a], n, list[b]);
                all_ranks(n, list[a], n, list[b]);
            }
    of_communicators();
    group_end();
    return 0;
}
