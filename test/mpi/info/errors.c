/* errors.c — I01, E11: keys and values that are too long, keys that are not there, invalid objects;
 * MPI_INFO_ENV is read-only. MPICH 4.0 fails: its limits are one higher, it has MPI_ERR_ARG for
 * MPI_INFO_NULL, and MPI_INFO_ENV can be changed. */
#include "../env/starling.h"
#include "info_test.h"

static void explained(int code, int class, const char *word)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    CHECK_INT(error_class(code), class);
    MPI_Error_string(code, text, &len);
    CHECK(strstr(text, word));
}

static void keys(MPI_Info info)
{
    char key[MPI_MAX_INFO_KEY + 1], value[4] = "abc";
    int len, flag;

    memset(key, 'k', sizeof key);
    key[MPI_MAX_INFO_KEY] = '\0';
    explained(MPI_Info_set(info, key, "v"), MPI_ERR_INFO_KEY, "254");
    explained(MPI_Info_set(info, key, "v"), MPI_ERR_INFO_KEY, "kkkk");
    CHECK_INT(error_class(MPI_Info_get(info, key, 3, value, &flag)), MPI_ERR_INFO_KEY);
    CHECK_INT(error_class(MPI_Info_get_valuelen(info, key, &len, &flag)), MPI_ERR_INFO_KEY);
    CHECK_INT(error_class(MPI_Info_delete(info, key)), MPI_ERR_INFO_KEY);
    CHECK_INT(error_class(MPI_Info_set(info, "", "v")), MPI_ERR_INFO_KEY);
    CHECK_INT(error_class(MPI_Info_get(info, "", 3, value, &flag)), MPI_ERR_INFO_KEY);
    CHECK_INT(error_class(MPI_Info_set(info, NULL, "v")), MPI_ERR_INFO_KEY);
    explained(MPI_Info_delete(info, "missing"), MPI_ERR_INFO_NOKEY, "missing");
    explained(MPI_Info_get_nthkey(info, 1, key), MPI_ERR_ARG, "0..0");
    CHECK_INT(error_class(MPI_Info_get_nthkey(info, -1, key)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Info_get(info, "there", -1, value, &flag)), MPI_ERR_ARG);
    CHECK(!strcmp(value, "abc"));
}

static void values(MPI_Info info)
{
    char *value = mpitest_memory(MPI_MAX_INFO_VAL + 1);

    memset(value, 'v', MPI_MAX_INFO_VAL);
    value[MPI_MAX_INFO_VAL] = '\0';
    explained(MPI_Info_set(info, "long", value), MPI_ERR_INFO_VALUE, "1023");
    explained(MPI_Info_set(info, "there", value), MPI_ERR_INFO_VALUE, "there");
    CHECK_INT(error_class(MPI_Info_set(info, "there", NULL)), MPI_ERR_ARG);
    has_not(info, "long");
    has(info, "there", "v");
    CHECK_INT(MPI_Info_set(info, "empty", ""), MPI_SUCCESS); /* the standard does not forbid it */
    has(info, "empty", "");
    CHECK_INT(MPI_Info_delete(info, "empty"), MPI_SUCCESS);
    free(value);
}

static void no_objects(MPI_Info info)
{
    MPI_Info freed, made = MPI_INFO_NULL;
    int n;

    MPI_Info_create(&freed);
    MPI_Info copy = freed;
    MPI_Info_free(&copy);
    const MPI_Info wrong[] = { MPI_INFO_NULL, freed, (MPI_Info) MPI_COMM_WORLD, (MPI_Info) 0 };
    for (int i = 0; i < 4; i++) {
        copy = wrong[i];
        CHECK_INT(error_class(MPI_Info_set(copy, "k", "v")), MPI_ERR_INFO);
        CHECK_INT(error_class(MPI_Info_delete(copy, "k")), MPI_ERR_INFO);
        CHECK_INT(error_class(MPI_Info_get_nkeys(copy, &n)), MPI_ERR_INFO);
        CHECK_INT(error_class(MPI_Info_dup(copy, &made)), MPI_ERR_INFO);
        CHECK_INT(error_class(MPI_Info_free(&copy)), MPI_ERR_INFO);
        CHECK(made == MPI_INFO_NULL && copy == wrong[i]);
    }
    CHECK_INT(nkeys(info), 1);
}

static void env(void)
{
    MPI_Info copy = MPI_INFO_ENV;
    int n = nkeys(copy);

    CHECK_INT(error_class(MPI_Info_set(copy, "k", "v")), MPI_ERR_INFO);
    CHECK_INT(error_class(MPI_Info_delete(copy, "command")), MPI_ERR_INFO);
    CHECK_INT(error_class(MPI_Info_free(&copy)), MPI_ERR_INFO);
    CHECK(copy == MPI_INFO_ENV);
    CHECK_INT(nkeys(MPI_INFO_ENV), n);
    has_not(MPI_INFO_ENV, "k");
}

int main(int argc, char **argv)
{
    MPI_Info info;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Info_create(&info);
    MPI_Info_set(info, "there", "v");
    keys(info);
    values(info);
    no_objects(info);
    env();
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
