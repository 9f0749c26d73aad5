/* spawn_early.c — Y06: a child that ends before MPI_Init, or never calls it, is an error of the
 * spawn, which says so, and not the end of the job.
 *
 * MPICH 4.0 waits. */
#include <signal.h>
#include <unistd.h>
#include "spawn.h"

enum { EXITS = 3, N = 2 };

static void fails(char *program, char *role, const char *timeout, const char *text)
{
    char *args[] = { role, NULL }, got[MPI_MAX_ERROR_STRING];
    int codes[N] = { 7, 7 }, len;
    MPI_Comm inter = MPI_COMM_WORLD;
    MPI_Info info;

    MPI_Info_create(&info);
    if (timeout)
        MPI_Info_set(info, "timeout", timeout);
    int err = MPI_Comm_spawn(program, args, N, info, 0, MPI_COMM_WORLD, &inter, codes);
    MPI_Info_free(&info);
    CHECK_INT(error_class(err), MPI_ERR_SPAWN);
    CHECK(inter == MPI_COMM_NULL && codes[0] == MPI_ERR_SPAWN && codes[1] == MPI_ERR_SPAWN);
    MPI_Error_string(err, got, &len);
    if (!strstr(got, text)) {
        fprintf(stderr, "without '%s': %s\n", text, got);
        CHECK(!"the right text");
    }
}

static int without_init(const char *role)
{
    if (!strcmp(role, "exits"))
        return EXITS;
    if (!strcmp(role, "killed"))
        (void) raise(SIGKILL);
    for (;;)
        (void) pause();
}

int main(int argc, char **argv)
{
    static char roles[][8] = { "exits", "killed", "sleeps" };

    if (argc > 1 && strcmp(argv[1], "child"))
        return without_init(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm inter = spawn_parent();
    if (inter == MPI_COMM_NULL) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        fails(argv[0], roles[0], NULL, "3");
        fails(argv[0], roles[1], NULL, "SIGKILL");
        fails(argv[0], roles[2], "1", "1 s");
        inter = spawn_role(argv[0], "child", N, MPI_COMM_WORLD);
    }
    spawn_exchange(inter);
    spawn_leave(&inter);
    MPI_Finalize();
    return 0;
}
