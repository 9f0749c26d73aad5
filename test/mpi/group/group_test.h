/* group_test.h — groups by the ranks of their members in MPI_COMM_WORLD. */
#ifndef GROUP_TEST_H
#define GROUP_TEST_H

#include "mpitest.h"

enum { GROUP_MOST = 64 }; /* processes that the tests need */

static int group_rank, group_size; /* of MPI_COMM_WORLD */
static MPI_Group group_world;

static inline void group_begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &group_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &group_size);
    CHECK(group_size <= GROUP_MOST);
    CHECK(MPI_Comm_group(MPI_COMM_WORLD, &group_world) == MPI_SUCCESS);
}

static inline void group_end(void)
{
    CHECK(MPI_Group_free(&group_world) == MPI_SUCCESS);
    MPI_Finalize();
}

static inline MPI_Group group_of(int n, const int *members)
{
    MPI_Group g = MPI_GROUP_NULL;

    CHECK(MPI_Group_incl(group_world, n, members, &g) == MPI_SUCCESS);
    return g;
}

/* Writes the members of g in order; returns their number. */
static inline int group_members(MPI_Group g, int *members)
{
    int n = -1, ranks[GROUP_MOST];

    CHECK(MPI_Group_size(g, &n) == MPI_SUCCESS);
    CHECK(n >= 0 && n <= group_size);
    for (int i = 0; i < n; i++)
        ranks[i] = i;
    CHECK(MPI_Group_translate_ranks(g, n, ranks, group_world, members) == MPI_SUCCESS);
    return n;
}

/* Checks that g has exactly these members in this order, and frees it. */
static inline void group_is(MPI_Group g, int n, const int *members)
{
    int got[GROUP_MOST], rank = -1, expected = MPI_UNDEFINED;

    CHECK(g != MPI_GROUP_NULL);
    CHECK_INT(group_members(g, got), n);
    CHECK_INT(g == MPI_GROUP_EMPTY, n == 0);
    for (int i = 0; i < n; i++) {
        CHECK_INT(got[i], members[i]);
        if (members[i] == group_rank)
            expected = i;
    }
    CHECK(MPI_Group_rank(g, &rank) == MPI_SUCCESS);
    CHECK_INT(rank, expected);
    CHECK(MPI_Group_free(&g) == MPI_SUCCESS);
    CHECK(g == MPI_GROUP_NULL);
}

#endif /* GROUP_TEST_H */
