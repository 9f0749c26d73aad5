/* spawn.c — Y01: a job spawns another one, with any root: only root's arguments count, both groups
 * are in order, and messages and barriers pass. */
#include "spawn.h"

enum { CHILDREN = 2 };

static void child(MPI_Comm parent)
{
    MPI_Comm again = spawn_parent();
    char name[MPI_MAX_OBJECT_NAME] = "";
    int size, len, inter = 0;

    CHECK(again == parent);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK_INT(size, CHILDREN);
    CHECK_INT(MPI_Comm_test_inter(parent, &inter), MPI_SUCCESS);
    CHECK(inter);
    MPI_Comm_get_name(parent, name, &len);
    CHECK(!starling() || !strcmp(name, "MPI_COMM_PARENT"));
    spawn_exchange(parent);
    CHECK_INT(MPI_Barrier(parent), MPI_SUCCESS);
    spawn_leave(&parent);
    CHECK(spawn_parent() == MPI_COMM_NULL);
}

/* Other processes than root give arguments that would be wrong there. */
static MPI_Comm spawn_by(int root, char *program)
{
    static char role[] = "child";
    char *args[] = { role, NULL }, nothing[] = "";
    int me, codes[CHILDREN] = { 7, 7 };
    MPI_Comm inter;

    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == root)
        CHECK_INT(MPI_Comm_spawn(program, args, CHILDREN, MPI_INFO_NULL, root, MPI_COMM_WORLD,
                                 &inter, codes),
                  MPI_SUCCESS);
    else
        CHECK_INT(MPI_Comm_spawn(nothing, MPI_ARGV_NULL, -1, MPI_INFO_NULL, root, MPI_COMM_WORLD,
                                 &inter, MPI_ERRCODES_IGNORE),
                  MPI_SUCCESS);
    CHECK(me != root || (codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS));
    return inter;
}

static void parent_of(int root, char *program)
{
    MPI_Comm inter = spawn_by(root, program);
    int me, rank, size, remote, world;

    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_size(inter, &size);
    MPI_Comm_remote_size(inter, &remote);
    CHECK(rank == me && size == world && remote == CHILDREN);
    spawn_exchange(inter);
    CHECK_INT(MPI_Barrier(inter), MPI_SUCCESS);
    spawn_leave(&inter);
}

int main(int argc, char **argv)
{
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm parent = spawn_parent();
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (parent != MPI_COMM_NULL) {
        CHECK(argc == 2 && !strcmp(argv[1], "child"));
        child(parent);
    } else {
        parent_of(0, argv[0]);
        parent_of(size - 1, argv[0]);
    }
    MPI_Finalize();
    return 0;
}
