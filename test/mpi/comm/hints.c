/* hints.c — G09: the hints of the standard are stored, returned, and not passed on; others are
 * ignored. A call that breaks a hint works, and is an error with STARLING_CHECK=strict: Only for
 * Starling. Argument: strict. */
#include <stdbool.h>
#include "mpitest.h"

static const char *const keys[] = { "mpi_assert_no_any_tag", "mpi_assert_no_any_source",
                                    "mpi_assert_exact_length", "mpi_assert_allow_overtaking" };

static int error_class(int err)
{
    int errclass;

    MPI_Error_class(err, &errclass);
    return errclass;
}

static void expect(MPI_Comm c, const char *key, const char *value)
{
    char is[MPI_MAX_INFO_VAL] = "";
    MPI_Info info;
    int flag = 0;

    MPI_Comm_get_info(c, &info);
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL - 1, is, &flag);
    CHECK(flag && !strcmp(is, value));
    MPI_Info_free(&info);
}

static void set(MPI_Comm c, const char *key, const char *value, int errclass)
{
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    CHECK_INT(error_class(MPI_Comm_set_info(c, info)), errclass);
    MPI_Info_free(&info);
}

/* Wildcards match although the hints are set. */
static void match_all_the_same(MPI_Comm c)
{
    enum { N = 100 };
    MPI_Request r[N];
    MPI_Status s[N];
    int rank, got[N];

    MPI_Comm_rank(c, &rank);
    MPI_Barrier(MPI_COMM_WORLD); /* receive() must not take these */
    for (int i = 0; i < N; i++)
        MPI_Irecv(&got[i], 1, MPI_INT, i % 2 ? MPI_ANY_SOURCE : 1 - rank, i % 3 ? i : MPI_ANY_TAG,
                  c, &r[i]);
    for (int i = 0; i < N; i++)
        MPI_Send(&i, 1, MPI_INT, 1 - rank, i, c);
    MPI_Waitall(N, r, s);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        CHECK(got[i] == i && s[i].MPI_SOURCE == 1 - rank && s[i].MPI_TAG == i);
}

static void receive(MPI_Comm c, int source, int tag, int errclass)
{
    MPI_Request r = MPI_REQUEST_NULL;
    int x, found;

    CHECK_INT(error_class(MPI_Irecv(&x, 1, MPI_INT, source, tag, c, &r)), errclass);
    if (r != MPI_REQUEST_NULL) {
        MPI_Cancel(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    CHECK_INT(error_class(MPI_Iprobe(source, tag, c, &found, MPI_STATUS_IGNORE)), errclass);
}

int main(int argc, char **argv)
{
    bool strict = argc > 1;
    MPI_Comm c, d;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    for (int i = 0; i < 4; i++)
        expect(c, keys[i], "false");
    receive(c, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS);
    set(c, "no_such_hint", "true", MPI_SUCCESS);
    set(c, keys[0], "perhaps", MPI_ERR_INFO_VALUE);
    expect(c, keys[0], "false");
    for (int i = 0; i < 4; i++) {
        set(c, keys[i], "true", MPI_SUCCESS);
        expect(c, keys[i], "true");
    }
    receive(c, MPI_ANY_SOURCE, 1, strict ? MPI_ERR_RANK : MPI_SUCCESS);
    receive(c, 0, MPI_ANY_TAG, strict ? MPI_ERR_TAG : MPI_SUCCESS);
    if (!strict)
        match_all_the_same(c);
    receive(c, 0, 1, MPI_SUCCESS);
    MPI_Comm_dup(c, &d); /* which no longer copies them in the 3.2 draft */
    expect(d, keys[1], "false");
    receive(d, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS);
    MPI_Comm_free(&d);
    set(c, keys[0], "false", MPI_SUCCESS);
    receive(c, 0, MPI_ANY_TAG, MPI_SUCCESS);
    MPI_Comm_free(&c);
    MPI_Finalize();
    return 0;
}
