/* spawn_info.c — Y05: where a spawn looks for the program, where its processes run, what they get
 * of the environment, and what they know of that by MPI_INFO_ENV. */
#include <libgen.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>
#include "spawn.h"

#define LINES "two\nlines"

static void env_is(const char *key, const char *wanted)
{
    char value[MPI_MAX_INFO_VAL] = "";
    int flag = 0;

    MPI_Info_get(MPI_INFO_ENV, key, MPI_MAX_INFO_VAL - 1, value, &flag);
    if (!flag || strcmp(value, wanted)) {
        fprintf(stderr, "%s is '%s', not '%s'\n", key, value, wanted);
        CHECK(!"the right key");
    }
}

static void variable_is(const char *name, const char *wanted)
{
    const char *value = getenv(name);

    if (!value || strcmp(value, wanted) != 0) {
        fprintf(stderr, "%s is '%s', not '%s'\n", name, value ? value : "(not set)", wanted);
        CHECK(!"the right variable");
    }
}

/* Arguments: two lines, the working directory, how many there are. */
static void child(MPI_Comm parent, int argc, char **argv)
{
    char here[PATH_MAX], args[PATH_MAX + 32];

    CHECK_INT(argc, 4);
    CHECK(getcwd(here, sizeof here) && !strcmp(here, argv[2]));
    env_is("wdir", argv[2]);
    if (starling()) {
        CHECK(!strcmp(argv[1], LINES));
        variable_is("SPAWN_INHERITED", "of the spawner");
        variable_is("SPAWN_CHANGED", "a = b");
        env_is("maxprocs", argv[3]);
        env_is("thread_level", "MPI_THREAD_SINGLE");
        snprintf(args, sizeof args, LINES " %s %s", argv[2], argv[3]);
        env_is("argv", args);
    }
    spawn_leave(&parent);
}

static void spawn_with(char *command, const char *const pairs[][2], int n, char *wdir)
{
    char count[16], lines[] = LINES, *args[] = { lines, wdir, count, NULL };
    MPI_Comm inter;
    MPI_Info info;

    snprintf(count, sizeof count, "%d", n);
    MPI_Info_create(&info);
    for (; (*pairs)[0]; pairs++)
        MPI_Info_set(info, (*pairs)[0], (*pairs)[1]);
    MPI_Info_set(info, "env", "SPAWN_CHANGED=a = b\nSPAWN_OTHER=");
    MPI_Info_set(info, "a key of another implementation", "is ignored");
    CHECK_INT(
        MPI_Comm_spawn(command, args, n, info, 0, MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE),
        MPI_SUCCESS);
    MPI_Info_free(&info);
    spawn_leave(&inter);
}

static void parent_of(char *program)
{
    char here[PATH_MAX], host[MPI_MAX_PROCESSOR_NAME], full[PATH_MAX], directory[PATH_MAX],
        root[] = "/";
    int len;

    CHECK(getcwd(here, sizeof here) && realpath(program, full));
    strcpy(directory, full);
    char *name = basename(full), *path = dirname(directory);
    MPI_Get_processor_name(host, &len);
    CHECK(!setenv("SPAWN_INHERITED", "of the spawner", 1) && !setenv("SPAWN_CHANGED", "before", 1));
    spawn_with(program, (const char *const[][2]) { { NULL } }, 1, here);
    spawn_with(program, (const char *const[][2]) { { "wdir", "/" }, { NULL } }, 1, root);
    spawn_with(program, (const char *const[][2]) { { "host", host }, { NULL } }, 2, here);
    spawn_with(name, (const char *const[][2]) { { "path", path }, { "wdir", "/" }, { NULL } }, 2,
               root);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm parent = spawn_parent();
    if (parent == MPI_COMM_NULL)
        parent_of(argv[0]);
    else
        child(parent, argc, argv);
    MPI_Finalize();
    return 0;
}
