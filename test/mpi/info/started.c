/* started.c — E11: MPI_INFO_ENV describes how this process was started: the arguments list what
 * must be there, "key=value", and what must not, "key-". The program's name and all arguments are
 * there too. */
#include <unistd.h>
#include "info_test.h"

static void look(const char *argument)
{
    size_t len = strcspn(argument, "=-");
    char key[64] = "";

    memcpy(key, argument, len);
    if (argument[len] == '=')
        has(MPI_INFO_ENV, key, argument + len + 1);
    else
        has_not(MPI_INFO_ENV, key);
}

int main(int argc, char **argv)
{
    char all[MPI_MAX_INFO_VAL] = "", dir[MPI_MAX_INFO_VAL];
    size_t at = 0;

    CHECK(getcwd(dir, sizeof dir));
    MPI_Init(&argc, &argv);
    CHECK(!chdir("/tmp")); /* changed after MPI_Init: it has no effect */
    for (int i = 1; i < argc; i++) {
        look(argv[i]);
        at += (size_t) snprintf(all + at, sizeof all - at, "%s%s", i > 1 ? " " : "", argv[i]);
    }
    has(MPI_INFO_ENV, "command", argv[0]);
    has(MPI_INFO_ENV, "argv", all);
    has(MPI_INFO_ENV, "wdir", dir);
    has(MPI_INFO_ENV, "thread_level", "MPI_THREAD_SINGLE");
    MPI_Finalize();
    return 0;
}
