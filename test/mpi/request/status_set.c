/* status_set.c — X02, P07: a status has the values that MPI_Status_set_elements(_x) and
 * MPI_Status_set_cancelled have set, and nothing else of it changes. */
#include "../env/starling.h"

static void check(const MPI_Status *status, MPI_Datatype type, MPI_Count elements, int count)
{
    MPI_Count x = -1;
    int n = -1, flag = -1;

    CHECK_INT(MPI_Get_elements_x(status, type, &x), MPI_SUCCESS);
    CHECK_INT(x, elements);
    CHECK_INT(MPI_Get_elements(status, type, &n), MPI_SUCCESS);
    CHECK_INT(n, elements > 0x7fffffff ? MPI_UNDEFINED : elements);
    CHECK_INT(MPI_Get_count(status, type, &n), MPI_SUCCESS);
    CHECK_INT(n, count);
    CHECK_INT(MPI_Test_cancelled(status, &flag), MPI_SUCCESS);
    CHECK_INT(flag, 0);
    CHECK(status->MPI_SOURCE == 11 && status->MPI_TAG == 12 && status->MPI_ERROR == 13);
}

static MPI_Status fresh(void)
{
    MPI_Status status;

    memset(&status, 0, sizeof status);
    status.MPI_SOURCE = 11;
    status.MPI_TAG = 12;
    status.MPI_ERROR = 13;
    CHECK_INT(MPI_Status_set_cancelled(&status, 0), MPI_SUCCESS);
    return status;
}

static void basic(void)
{
    static const MPI_Datatype types[] = { MPI_BYTE,   MPI_CHAR,      MPI_SHORT,           MPI_INT,
                                          MPI_DOUBLE, MPI_LONG_LONG, MPI_C_DOUBLE_COMPLEX };
    static const int counts[] = { 0, 1, 2, 1000, 0x7fffff };
    MPI_Status status = fresh();

    for (unsigned t = 0; t < sizeof types / sizeof *types; t++)
        for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
            CHECK_INT(MPI_Status_set_elements(&status, types[t], counts[i]), MPI_SUCCESS);
            check(&status, types[t], counts[i], counts[i]);
            CHECK_INT(MPI_Status_set_elements_x(&status, types[t], counts[i]), MPI_SUCCESS);
            check(&status, types[t], counts[i], counts[i]);
        }
    MPI_Status_set_elements_x(&status, MPI_INT, 3000000000LL);
    check(&status, MPI_INT, 3000000000LL, MPI_UNDEFINED);
    MPI_Status_set_elements_x(&status, MPI_BYTE, 0x7fffffff);
    check(&status, MPI_BYTE, 0x7fffffff, 0x7fffffff);
}

/* The flag and the count do not touch each other. */
static void cancelled(void)
{
    MPI_Status status = fresh();
    int flag, n;

    for (int i = 0; i < 4; i++) {
        MPI_Status_set_elements(&status, MPI_INT, 5 + i);
        CHECK_INT(MPI_Status_set_cancelled(&status, 1), MPI_SUCCESS);
        MPI_Test_cancelled(&status, &flag);
        CHECK(flag);
        if (i % 2)
            MPI_Status_set_elements_x(&status, MPI_INT, 6 + i);
        MPI_Test_cancelled(&status, &flag);
        CHECK(flag);
        MPI_Status_set_cancelled(&status, 0);
        MPI_Test_cancelled(&status, &flag);
        CHECK(!flag);
        MPI_Get_count(&status, MPI_INT, &n);
        CHECK_INT(n, i % 2 ? 6 + i : 5 + i);
    }
    CHECK(status.MPI_SOURCE == 11 && status.MPI_TAG == 12 && status.MPI_ERROR == 13);
}

/* A received status: whether it was cancelled may be changed, its count stays. */
static void received(void)
{
    MPI_Status status;
    int x = 1, y[4], n, flag;

    MPI_Sendrecv(&x, 1, MPI_INT, 0, 3, y, 4, MPI_INT, 0, 3, MPI_COMM_SELF, &status);
    MPI_Status_set_cancelled(&status, 1);
    MPI_Get_count(&status, MPI_INT, &n);
    CHECK_INT(n, 1);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
    MPI_Status_set_elements(&status, MPI_INT, 3);
    MPI_Get_count(&status, MPI_INT, &n);
    CHECK_INT(n, 3);
    CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 3);
}

/* A status has 63 bits for bytes. Only for Starling: MPICH 4.0 ends the process. */
static void most(void)
{
    const MPI_Count bytes = 0x7fffffffffffffff, ints = bytes / 4, pairs = bytes / 12;
    MPI_Status status = fresh();
    int flag;

    MPI_Status_set_cancelled(&status, 1);
    CHECK_INT(MPI_Status_set_elements_x(&status, MPI_BYTE, bytes), MPI_SUCCESS);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
    MPI_Status_set_cancelled(&status, 0);
    check(&status, MPI_BYTE, bytes, MPI_UNDEFINED);
    CHECK_INT(MPI_Status_set_elements_x(&status, MPI_INT, ints), MPI_SUCCESS);
    check(&status, MPI_INT, ints, MPI_UNDEFINED);
    CHECK_INT(MPI_Status_set_elements_x(&status, MPI_DOUBLE_INT, 2 * pairs), MPI_SUCCESS);
    check(&status, MPI_DOUBLE_INT, 2 * pairs, MPI_UNDEFINED);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_INT(error_class(MPI_Status_set_elements_x(&status, MPI_INT, ints + 1)), MPI_ERR_COUNT);
    CHECK_INT(error_class(MPI_Status_set_elements_x(&status, MPI_DOUBLE_INT, 2 * pairs + 1)),
              MPI_ERR_COUNT);
    check(&status, MPI_DOUBLE_INT, 2 * pairs, MPI_UNDEFINED); /* unchanged */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    basic();
    cancelled();
    received();
    if (starling())
        most();
    MPI_Finalize();
    return 0;
}
