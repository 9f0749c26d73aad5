/* compare.c — G02: identical, congruent, similar and unequal communicators; their groups. */
#include "mpitest.h"

static int rank, size;

static int compared(MPI_Comm a, MPI_Comm b)
{
    int result = -1, reverse = -1;

    MPI_Comm_compare(a, b, &result);
    MPI_Comm_compare(b, a, &reverse);
    CHECK_INT(result, reverse);
    return result;
}

static int compared_groups(MPI_Comm a, MPI_Comm b)
{
    MPI_Group x, y;
    int result = -1;

    MPI_Comm_group(a, &x);
    MPI_Comm_group(b, &y);
    MPI_Group_compare(x, y, &result);
    MPI_Group_free(&x);
    MPI_Group_free(&y);
    CHECK(x == MPI_GROUP_NULL && y == MPI_GROUP_NULL);
    return result;
}

static void groups(MPI_Comm reversed)
{
    MPI_Group group;
    int s = -1, r = -1;

    MPI_Comm_group(reversed, &group);
    MPI_Group_size(group, &s);
    MPI_Group_rank(group, &r);
    CHECK_INT(s, size);
    CHECK_INT(r, size - 1 - rank);
    MPI_Group_free(&group);
    MPI_Group_size(MPI_GROUP_EMPTY, &s);
    MPI_Group_rank(MPI_GROUP_EMPTY, &r);
    CHECK_INT(s, 0);
    CHECK_INT(r, MPI_UNDEFINED);
}

int main(int argc, char **argv)
{
    MPI_Comm dup, reversed, most;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Comm_split(MPI_COMM_WORLD, rank == size - 1, 0, &most);
    CHECK_INT(compared(MPI_COMM_WORLD, MPI_COMM_WORLD), MPI_IDENT);
    CHECK_INT(compared(dup, dup), MPI_IDENT);
    CHECK_INT(compared(MPI_COMM_WORLD, dup), MPI_CONGRUENT);
    CHECK_INT(compared(MPI_COMM_WORLD, reversed), size > 1 ? MPI_SIMILAR : MPI_CONGRUENT);
    CHECK_INT(compared(dup, most), size > 1 ? MPI_UNEQUAL : MPI_CONGRUENT);
    CHECK_INT(compared(MPI_COMM_WORLD, MPI_COMM_SELF), size > 1 ? MPI_UNEQUAL : MPI_CONGRUENT);
    if (size > 2 && rank == size - 1)
        CHECK_INT(compared(most, MPI_COMM_SELF), MPI_CONGRUENT);
    CHECK_INT(compared_groups(MPI_COMM_WORLD, dup), MPI_IDENT);
    CHECK_INT(compared_groups(dup, reversed), size > 1 ? MPI_SIMILAR : MPI_IDENT);
    CHECK_INT(compared_groups(dup, most), size > 1 ? MPI_UNEQUAL : MPI_IDENT);
    groups(reversed);
    MPI_Comm_free(&most);
    MPI_Comm_free(&reversed);
    MPI_Comm_free(&dup);
    MPI_Finalize();
    return 0;
}
