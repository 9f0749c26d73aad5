/* hosts.c — F01: a path on a file system that each host has for itself is another file on each:
 * with MPI_File_open for writing one process says so, once. Only for Starling.
 *
 * The second process gives itself another number of its host, in a mount namespace of its own; exit
 * code 77 when that is forbidden. Arguments: a path on such a file system, another path
 * of the same file, and one on a file system that is not known to be of one host. */
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>
#include "mpitest.h"

/* Whether it has one now. */
static int move_elsewhere(const char *path)
{
    char name[4096];

    (void) snprintf(name, sizeof name, "%s.boot", path);
    FILE *f = fopen(name, "w");
    CHECK(f && fputs("another host\n", f) > 0 && !fclose(f));
    int moved = !unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)
                && !mount(name, "/proc/sys/kernel/random/boot_id", NULL, MS_BIND, NULL);
    (void) unlink(name);
    return moved;
}

static void open_by(const char *path, int amode)
{
    MPI_File f;

    CHECK_INT(MPI_File_open(MPI_COMM_WORLD, path, amode, MPI_INFO_NULL, &f), MPI_SUCCESS);
    CHECK_INT(MPI_File_close(&f), MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    int rank, moved = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    open_by(argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR); /* one file so far */
    if (rank == 1)
        moved = move_elsewhere(argv[1]);
    MPI_Bcast(&moved, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (moved) {
        open_by(argv[2], MPI_MODE_RDONLY); /* each host may have a copy */
        if (argc > 3)
            open_by(argv[3], MPI_MODE_CREATE | MPI_MODE_WRONLY);
        open_by(argv[1], MPI_MODE_WRONLY);
        open_by(argv[1], MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE);
    }
    MPI_Finalize();
    return moved ? 0 : 77;
}
