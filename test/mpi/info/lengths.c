/* lengths.c — I01: keys and values may be as long as the limits say, with the null character. */
#include "info_test.h"

int main(int argc, char **argv)
{
    char key[MPI_MAX_INFO_KEY], *value = mpitest_memory(MPI_MAX_INFO_VAL), got[MPI_MAX_INFO_KEY];
    MPI_Info info;

    MPI_Init(&argc, &argv);
    CHECK(MPI_MAX_INFO_KEY >= 32 && MPI_MAX_INFO_KEY <= 255);
    memset(key, 'k', sizeof key);
    key[sizeof key - 1] = '\0';
    memset(value, 'v', MPI_MAX_INFO_VAL);
    value[MPI_MAX_INFO_VAL - 1] = '\0';
    MPI_Info_create(&info);
    CHECK_INT(MPI_Info_set(info, key, value), MPI_SUCCESS);
    has(info, key, value);
    CHECK_INT(MPI_Info_get_nthkey(info, 0, got), MPI_SUCCESS);
    CHECK(!strcmp(got, key));
    key[sizeof key - 2] = '\0';
    has_not(info, key);
    CHECK_INT(MPI_Info_set(info, "k", "v"), MPI_SUCCESS);
    has(info, "k", "v");
    MPI_Info_free(&info);
    free(value);
    MPI_Finalize();
    return 0;
}
