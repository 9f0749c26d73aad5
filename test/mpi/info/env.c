/* env.c — E11: MPI_INFO_ENV can be read and copied; its values for the standard's keys describe
 * this process. */
#include "../env/starling.h"
#include "info_test.h"

static int get(const char *key, char value[MPI_MAX_INFO_VAL + 1])
{
    int flag = -1;

    CHECK_INT(MPI_Info_get(MPI_INFO_ENV, key, MPI_MAX_INFO_VAL, value, &flag), MPI_SUCCESS);
    CHECK(!flag || strlen(value) < MPI_MAX_INFO_VAL);
    return flag;
}

/* The keys that a process can check itself, however it is started. */
static void ours(const char *program)
{
    static const char *const keys[] = { "command", "argv", "host", "arch", "wdir", "thread_level" };
    char value[MPI_MAX_INFO_VAL + 1];

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        CHECK(get(keys[i], value));
    CHECK(get("command", value) && !strcmp(value, program));
    CHECK(get("wdir", value) && value[0] == '/');
}

int main(int argc, char **argv)
{
    char value[MPI_MAX_INFO_VAL + 1], key[MPI_MAX_INFO_KEY];
    MPI_Info dup;
    int provided, n, flag;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    n = nkeys(MPI_INFO_ENV);
    has_not(MPI_INFO_ENV, "no such key");
    if (starling())
        ours(argv[0]);
    if (get("thread_level", value))
        CHECK(!strcmp(value, "MPI_THREAD_FUNNELED"));
    if (get("maxprocs", value))
        CHECK(atoi(value) >= 1);
    CHECK_INT(MPI_Info_dup(MPI_INFO_ENV, &dup), MPI_SUCCESS);
    CHECK_INT(nkeys(dup), n);
    for (int i = 0; i < n; i++) {
        MPI_Info_get_nthkey(MPI_INFO_ENV, i, key);
        nth(dup, i, key);
        MPI_Info_get(MPI_INFO_ENV, key, MPI_MAX_INFO_VAL, value, &flag);
        has(dup, key, value);
    }
    CHECK_INT(MPI_Info_set(dup, "command", "mine"), MPI_SUCCESS);
    has(dup, "command", "mine");
    CHECK(!get("command", value) || strcmp(value, "mine"));
    CHECK_INT(MPI_Info_free(&dup), MPI_SUCCESS);
    CHECK_INT(nkeys(MPI_INFO_ENV), n);
    MPI_Finalize();
    return 0;
}
