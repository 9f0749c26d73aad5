/* spawn_multiple.c — Y05: several commands become one job, in order: each has its arguments and its
 * MPI_APPNUM. MPI_UNIVERSE_SIZE is no less than the job, if the launcher says it. */
#include "spawn.h"

enum { FIRST = 2, SECOND = 1, ALL = FIRST + SECOND };

static int attribute(int key)
{
    int *value = NULL, flag = 0;

    CHECK_INT(MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag), MPI_SUCCESS);
    return flag ? *value : -1;
}

static void check_universe(void)
{
    int size, universe = attribute(MPI_UNIVERSE_SIZE);

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(universe == -1 || universe >= (starling() ? size : 1));
}

static void child(MPI_Comm parent, int argc, char **argv)
{
    int rank, size, wants_none = -1;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK_INT(size, ALL);
    CHECK_INT(attribute(MPI_APPNUM), rank < FIRST ? 0 : 1);
    MPI_Bcast(&wants_none, 1, MPI_INT, 0, parent);
    if (wants_none)
        CHECK_INT(argc, 1);
    else if (rank < FIRST)
        CHECK(argc == 4 && !strcmp(argv[1], "a b") && !strcmp(argv[2], "")
              && !strcmp(argv[3], "-n"));
    else
        CHECK(argc == 2 && !strcmp(argv[1], "other=\"x\" $HOME *"));
    spawn_exchange(parent);
    spawn_leave(&parent);
}

static void spawn_all(char *program, int wants_none)
{
    char *commands[] = { program, program };
    char *first[] = { "a b", "", "-n", NULL }, *second[] = { "other=\"x\" $HOME *", NULL };
    char **args[] = { first, second };
    const int maxprocs[] = { FIRST, SECOND };
    const MPI_Info info[] = { MPI_INFO_NULL, MPI_INFO_NULL };
    int codes[ALL] = { 7, 7, 7 }, remote, rank, root = MPI_PROC_NULL;
    MPI_Comm inter;

    CHECK_INT(MPI_Comm_spawn_multiple(2, commands, wants_none ? MPI_ARGVS_NULL : args, maxprocs,
                                      info, 0, MPI_COMM_WORLD, &inter, codes),
              MPI_SUCCESS);
    for (int i = 0; i < ALL; i++)
        CHECK_INT(codes[i], MPI_SUCCESS);
    MPI_Comm_remote_size(inter, &remote);
    CHECK_INT(remote, ALL);
    MPI_Comm_rank(inter, &rank);
    if (rank == 0)
        root = MPI_ROOT;
    MPI_Bcast(&wants_none, 1, MPI_INT, root, inter);
    spawn_exchange(inter);
    spawn_leave(&inter);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm parent = spawn_parent();
    check_universe();
    if (parent == MPI_COMM_NULL) {
        spawn_all(argv[0], 0);
        spawn_all(argv[0], 1);
    } else {
        child(parent, argc, argv);
    }
    MPI_Finalize();
    return 0;
}
