/* with_info.c — G03, G04, G09, I03: duplicates with hints are duplicates. The call reads the info,
 * which may change or be freed afterwards. MPI_Comm_get_info gives a new info each time. */
#include "model.h"

static int me, size;
static struct model all;

/* The library knows neither key, so that nothing depends on it. */
static MPI_Info some_info(void)
{
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "no_such_key", "no such value");
    MPI_Info_set(info, "another", "1");
    return info;
}

static void dups(MPI_Comm comm, const struct model *m)
{
    MPI_Info info = some_info();
    MPI_Comm made[2];

    MPI_Comm_dup_with_info(comm, info, &made[0]);
    MPI_Info_free(&info);
    MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, &made[1]);
    for (int i = 0; i < 2; i++)
        model_end(&made[i], m);
}

static void idups(MPI_Comm comm, const struct model *m)
{
    MPI_Info info = some_info();
    MPI_Comm made[3];
    MPI_Request request[3];

    MPI_Comm_idup_with_info(comm, info, &made[0], &request[0]);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Info_delete(info, "another");
    MPI_Comm_idup_with_info(comm, MPI_INFO_NULL, &made[1], &request[1]);
    MPI_Info_free(&info);
    MPI_Comm_idup(comm, &made[2], &request[2]);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; i++)
        model_end(&made[i], m); /* receives with MPI_ANY_TAG */
}

static void set_and_get(MPI_Comm comm)
{
    MPI_Info info = some_info(), got[2];
    int keys[2];

    MPI_Comm_set_info(comm, info);
    MPI_Info_free(&info);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_get_info(comm, &got[i]);
        CHECK(got[i] != MPI_INFO_NULL);
    }
    CHECK(got[0] != got[1]);
    MPI_Info_set(got[0], "mine", "alone");
    MPI_Info_get_nkeys(got[0], &keys[0]);
    MPI_Info_get_nkeys(got[1], &keys[1]);
    CHECK_INT(keys[0], keys[1] + 1);
    for (int i = 0; i < 2; i++)
        MPI_Info_free(&got[i]);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    for (all.size = 0; all.size < size; all.size++)
        all.local[all.size] = all.size;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    dups(comm, &all);
    idups(comm, &all);
    set_and_get(comm);
    MPI_Comm_free(&comm);
    if (size > 1) {
        const struct model m = model_halves(size, 1);
        comm = model_inter(size, 1, 0);
        dups(comm, &m);
        set_and_get(comm);
        MPI_Comm_free(&comm);
    }
    MPI_Finalize();
    return 0;
}
