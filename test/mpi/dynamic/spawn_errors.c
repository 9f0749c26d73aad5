/* spawn_errors.c — Y06: a spawn that fails is the same error in all processes, leaves
 * MPI_COMM_NULL and an error code for each process, and the next one works.
 *
 * MPICH 4.0 ends the job. */
#include <sys/stat.h>
#include <unistd.h>
#include "spawn.h"

enum { N = 2, PATH = 200 };

static MPI_Comm comm;
static int rank;

static void expect(int code, int wanted, const char *text)
{
    char got[MPI_MAX_ERROR_STRING];
    int len;

    MPI_Error_string(code, got, &len);
    if (error_class(code) != wanted || !strstr(got, text)) {
        fprintf(stderr, "not class %d with '%s': %s\n", wanted, text, got);
        CHECK(!"the right error");
    }
}

static void fails_with_codes(char *command, int n, MPI_Info info, int wanted, const char *text,
                             int code)
{
    int codes[N + 1] = { 7, 7, 7 };
    MPI_Comm inter = MPI_COMM_WORLD;

    expect(MPI_Comm_spawn(command, MPI_ARGV_NULL, n, info, 0, comm, &inter, codes), wanted, text);
    CHECK(inter == MPI_COMM_NULL);
    for (int i = 0; i < N; i++)
        CHECK_INT(codes[i], code);
    CHECK_INT(codes[N], 7);
}

/* Wrong arguments set no codes. */
static void fails(char *command, int n, MPI_Info info, int wanted, const char *text)
{
    fails_with_codes(command, n, info, wanted, text, wanted == MPI_ERR_SPAWN ? MPI_ERR_SPAWN : 7);
}

static void fails_by_key(char *program, const char *key, const char *value)
{
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    fails(program, N, info, MPI_ERR_INFO_VALUE, value);
    MPI_Info_free(&info);
}

static void wrong_arguments(char *program)
{
    char empty[] = "", *commands[] = { program, empty };
    const int maxprocs[] = { 1, 1 };
    const MPI_Info info[] = { MPI_INFO_NULL, MPI_INFO_NULL };
    MPI_Comm inter = MPI_COMM_WORLD;

    fails(NULL, N, MPI_INFO_NULL, MPI_ERR_ARG, "NULL");
    fails(empty, N, MPI_INFO_NULL, MPI_ERR_ARG, "empty");
    fails(program, 0, MPI_INFO_NULL, MPI_ERR_ARG, "maxprocs 0");
    fails(program, -5, MPI_INFO_NULL, MPI_ERR_ARG, "maxprocs -5");
    fails_by_key(program, "soft", "1:");
    fails_by_key(program, "soft", "3:9");
    fails_by_key(program, "soft", "0");
    fails_by_key(program, "timeout", "0");
    fails_by_key(program, "timeout", "-1");
    fails_by_key(program, "timeout", "soon");
    expect(MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, maxprocs, info, 0, comm, &inter,
                                   MPI_ERRCODES_IGNORE),
           MPI_ERR_ARG, "command 1");
    expect(MPI_Comm_spawn_multiple(0, commands, MPI_ARGVS_NULL, maxprocs, info, 0, comm, &inter,
                                   MPI_ERRCODES_IGNORE),
           MPI_ERR_COUNT, "count 0");
}

/* Values that only mpiexec reads. */
static void refused_by_mpiexec(char *program)
{
    static const char *const rows[][3] = {
        { "host", "node[1-", "node[1-" },
        { "hosts", "a:x", "slots 'x'" },
        { "hostfile", "/no-such-file", "'hostfile /no-such-file'" },
        { "file", "/no-such-file", "'file /no-such-file': No such file" },
        { "map_by", "moon", "'map_by moon'" },
        { "bind_to", "moon", "'bind_to moon'" },
        { "npernode", "0", "'npernode 0'" },
        { "env", "no assignment", "'env no assignment': not NAME=VALUE" },
        { "appnum", "-1", "'appnum -1'" },
    };

    for (size_t i = 0; starling() && i < sizeof rows / sizeof *rows; i++) {
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, rows[i][0], rows[i][1]);
        fails_with_codes(program, N, info, MPI_ERR_INFO_VALUE, rows[i][2], MPI_ERR_SPAWN);
        MPI_Info_free(&info);
    }
}

/* A path that is the same in all processes. */
static char *make_path(char path[PATH], const char *name)
{
    char here[PATH / 2] = "";

    CHECK(getcwd(here, sizeof here));
    snprintf(path, PATH, "%s/%s.%d", here, name, (int) getpid());
    return path;
}

static void wrong_programs(void)
{
    char path[PATH], missing[] = "/no-such-directory/program",
                     simple[] = "no-such-program-anywhere";

    fails(missing, N, MPI_INFO_NULL, MPI_ERR_SPAWN, missing);
    fails(simple, N, MPI_INFO_NULL, MPI_ERR_SPAWN, simple);
    make_path(path, "spawn_errors");
    CHECK(rank != 0 || !mkdir(path, 0700));
    fails(path, N, MPI_INFO_NULL, MPI_ERR_SPAWN, "");
    CHECK(rank != 0 || !rmdir(path));
    if (rank == 0) {
        FILE *f = fopen(path, "w");
        CHECK(f && !fclose(f) && !chmod(path, 0600));
    }
    fails(path, N, MPI_INFO_NULL, MPI_ERR_SPAWN, "");
    CHECK(rank != 0 || !unlink(path));
}

static void one_of_two_is_wrong(char *program)
{
    char missing[] = "/no-such-directory/program", *commands[] = { program, missing };
    const int maxprocs[] = { 1, 1 };
    const MPI_Info info[] = { MPI_INFO_NULL, MPI_INFO_NULL };
    int codes[] = { 7, 7 };
    MPI_Comm inter = MPI_COMM_WORLD;

    expect(MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, maxprocs, info, 0, comm, &inter,
                                   codes),
           MPI_ERR_SPAWN, missing);
    CHECK(inter == MPI_COMM_NULL);
    CHECK(codes[0] == MPI_ERR_SPAWN && codes[1] == MPI_ERR_SPAWN);
}

/* soft: the largest number of them, and the rest is left out. */
static void chooses(char *program)
{
    char role[] = "child", *args[] = { role, NULL };
    int codes[] = { 7, 7, 7 }, remote;
    MPI_Comm inter;
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "soft", "1:2,5:9");
    CHECK_INT(MPI_Comm_spawn(program, args, 3, info, 0, comm, &inter, codes), MPI_SUCCESS);
    MPI_Comm_remote_size(inter, &remote);
    CHECK_INT(remote, 2);
    CHECK(codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS);
    CHECK_INT(error_class(codes[2]), MPI_ERR_SPAWN);
    spawn_leave(&inter);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm parent = spawn_parent(), inter;
    if (parent != MPI_COMM_NULL) {
        spawn_leave(&parent);
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    wrong_arguments(argv[0]);
    refused_by_mpiexec(argv[0]);
    wrong_programs();
    one_of_two_is_wrong(argv[0]);
    chooses(argv[0]);
    inter = spawn_role(argv[0], "child", N, comm);
    spawn_leave(&inter);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
