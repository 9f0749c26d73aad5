/* split.c — G05: processes of the same color, ordered by key and then by rank; MPI_UNDEFINED gives
 * MPI_COMM_NULL, other negative colors are errors. */
#include <limits.h>
#include "../env/starling.h"

static int rank, size;

/* Each member computes its rank and those of all others, and checks them. */
static void check(MPI_Comm comm, int expected_rank, int expected_size)
{
    int r = -1, s = -1, *world;

    MPI_Comm_rank(comm, &r);
    MPI_Comm_size(comm, &s);
    CHECK_INT(r, expected_rank);
    CHECK_INT(s, expected_size);
    world = mpitest_memory((size_t) s * sizeof *world);
    MPI_Allgather(&rank, 1, MPI_INT, world, 1, MPI_INT, comm);
    CHECK_INT(world[r], rank);
    for (int i = 0; i < s; i++)
        for (int j = 0; j < i; j++)
            CHECK(world[i] != world[j]);
    free(world);
}

static void halves(void)
{
    MPI_Comm comm;

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
    check(comm, rank / 2, (size + 1 - rank % 2) / 2);
    MPI_Comm_free(&comm);
}

static void reversed(void)
{
    MPI_Comm comm;

    MPI_Comm_split(MPI_COMM_WORLD, 5, -rank, &comm);
    check(comm, size - 1 - rank, size);
    MPI_Comm_free(&comm);
}

/* Equal keys keep the order of the ranks; in a reversed communicator that is the reversed order. */
static void ties(void)
{
    MPI_Comm comm, again;

    MPI_Comm_split(MPI_COMM_WORLD, INT_MAX, 3, &comm);
    check(comm, rank, size);
    MPI_Comm_free(&comm);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &comm);
    MPI_Comm_split(comm, 0, 0, &again);
    check(again, size - 1 - rank, size);
    MPI_Comm_free(&again);
    MPI_Comm_free(&comm);
}

/* Keys at the ends of int, where a subtraction would overflow. */
static void extreme_keys(void)
{
    int key = rank % 2 ? INT_MIN : INT_MAX;
    MPI_Comm comm;

    MPI_Comm_split(MPI_COMM_WORLD, 0, key, &comm);
    check(comm, rank % 2 ? rank / 2 : size / 2 + rank / 2, size);
    MPI_Comm_free(&comm);
}

static void undefined(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;

    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, 0, &comm);
    if (rank == 0) {
        CHECK(comm == MPI_COMM_NULL);
    } else {
        check(comm, rank - 1, size - 1);
        MPI_Comm_free(&comm);
    }
    comm = MPI_COMM_WORLD;
    MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &comm);
    CHECK(comm == MPI_COMM_NULL);
}

/* Each process alone; then parts of parts, all with messages at once. */
static void nested(void)
{
    MPI_Comm alone, part = MPI_COMM_WORLD, parts[32];
    int levels = 0, s = size, sum, one = 1;

    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
    check(alone, 0, 1);
    MPI_Comm_free(&alone);
    while (s > 1) {
        int r;

        MPI_Comm_rank(part, &r);
        MPI_Comm_split(part, r < (s + 1) / 2, 0, &parts[levels]);
        part = parts[levels++];
        MPI_Comm_size(part, &s);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, part);
        CHECK_INT(sum, s);
    }
    while (levels > 0)
        MPI_Comm_free(&parts[--levels]);
}

static void wrong_color(void)
{
    MPI_Comm comm = MPI_COMM_SELF;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (starling()) /* other libraries need not find out */
        CHECK_INT(error_class(MPI_Comm_split(MPI_COMM_WORLD, -7, 0, &comm)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Comm_split(MPI_COMM_NULL, 0, 0, &comm)), MPI_ERR_COMM);
    halves();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    halves();
    reversed();
    ties();
    extreme_keys();
    undefined();
    nested();
    wrong_color();
    MPI_Finalize();
    return 0;
}
