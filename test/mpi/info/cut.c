/* cut.c — I01: a value is cut to the room that the caller has. MPICH 4.0 fails: that is an error
 * there. */
#include "info_test.h"

/* valuelen characters, and the null character behind them. */
static void cut(void)
{
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "12345");
    for (int room = 0; room <= 7; room++) {
        char got[] = "xxxxxxxxxx", want[] = "xxxxxxxxxx";
        int flag = 0, len = room < 5 ? room : 5;

        memcpy(want, "12345", (size_t) len);
        want[len] = '\0';
        CHECK_INT(MPI_Info_get(info, "key", room, got, &flag), MPI_SUCCESS);
        CHECK(flag);
        CHECK(!strcmp(got, want));
        CHECK(got[room + 1] == 'x');
    }
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    cut();
    MPI_Finalize();
    return 0;
}
