/* spawn_kept.c — Y02: what a spawn leaves: no process frees or disconnects the communicator. Groups
 * of jobs that are gone can be used, and the next spawn is another job. */
#include "spawn.h"

enum { CHILDREN = 2 };

static MPI_Group spawn_and_leave(char *program)
{
    MPI_Comm inter = spawn_role(program, "leaves", CHILDREN, MPI_COMM_WORLD);
    MPI_Group group;

    MPI_Comm_remote_group(inter, &group);
    spawn_exchange(inter);
    spawn_leave(&inter);
    return group;
}

static void compare(MPI_Group a, MPI_Group b)
{
    int size, result, from[CHILDREN] = { 0, 1 }, to[CHILDREN];
    MPI_Group both;

    MPI_Group_size(a, &size);
    CHECK_INT(size, CHILDREN);
    MPI_Group_compare(a, b, &result);
    CHECK_INT(result, MPI_UNEQUAL);
    MPI_Group_compare(a, a, &result);
    CHECK_INT(result, MPI_IDENT);
    MPI_Group_union(a, b, &both);
    MPI_Group_size(both, &size);
    CHECK_INT(size, 2 * CHILDREN);
    MPI_Group_translate_ranks(b, CHILDREN, from, both, to);
    CHECK(to[0] == CHILDREN && to[1] == CHILDREN + 1);
    MPI_Group_translate_ranks(a, CHILDREN, from, b, to);
    CHECK(to[0] == MPI_UNDEFINED && to[1] == MPI_UNDEFINED);
    MPI_Group_free(&both);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm inter = spawn_parent();
    if (inter == MPI_COMM_NULL) {
        MPI_Group first = spawn_and_leave(argv[0]), second = spawn_and_leave(argv[0]);
        compare(first, second);
        MPI_Group_free(&first);
        MPI_Group_free(&second);
        inter = spawn_role(argv[0], "stays", CHILDREN, MPI_COMM_WORLD);
        spawn_exchange(inter);
        MPI_Comm_free(&inter);
    } else {
        spawn_exchange(inter);
        if (!strcmp(argv[1], "leaves"))
            spawn_leave(&inter);
    }
    MPI_Finalize();
    return 0;
}
