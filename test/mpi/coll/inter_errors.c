/* inter_errors.c — C02: arguments that operations between two groups must refuse, and arguments
 * that they must not look at. Only for Starling: to other libraries such calls may do anything. */
#include "../env/starling.h"
#include "inter.h"

#define CHECK_CLASS(class, call) CHECK_INT(error_class(call), (class))

static int v[64], w[64], lens[64], displs[64];
static MPI_Datatype types[64];
static MPI_Request request;

static void wrong_root(const struct inter *in, int root)
{
    MPI_Comm c = in->comm;

    CHECK_CLASS(MPI_ERR_ROOT, MPI_Bcast(v, 1, MPI_INT, root, c));
    CHECK_CLASS(MPI_ERR_ROOT, MPI_Gather(v, 1, MPI_INT, w, 1, MPI_INT, root, c));
    CHECK_CLASS(MPI_ERR_ROOT, MPI_Gatherv(v, 1, MPI_INT, w, lens, displs, MPI_INT, root, c));
    CHECK_CLASS(MPI_ERR_ROOT, MPI_Scatter(v, 1, MPI_INT, w, 1, MPI_INT, root, c));
    CHECK_CLASS(MPI_ERR_ROOT, MPI_Scatterv(v, lens, displs, MPI_INT, w, 1, MPI_INT, root, c));
    CHECK_CLASS(MPI_ERR_ROOT, MPI_Reduce(v, w, 1, MPI_INT, MPI_SUM, root, c));
    CHECK_CLASS(MPI_ERR_ROOT, MPI_Ibcast(v, 1, MPI_INT, root, c, &request));
    CHECK_CLASS(MPI_ERR_ROOT,
                MPI_Reduce_init(v, w, 1, MPI_INT, MPI_SUM, root, c, MPI_INFO_NULL, &request));
}

/* The root is a rank of the other group; MPI_ROOT and MPI_PROC_NULL are for intercommunicators
 * only. */
static void roots(const struct inter *in)
{
    char text[MPI_MAX_ERROR_STRING], want[64];
    int len;

    wrong_root(in, in->peers);
    wrong_root(in, -5);
    wrong_root(in, MPI_ANY_SOURCE);
    MPI_Error_string(MPI_Bcast(v, 1, MPI_INT, 64 + in->peers, in->comm), text, &len);
    snprintf(want, sizeof want, "root %d is outside 0..%d", 64 + in->peers, in->peers - 1);
    CHECK(strstr(text, want));
    CHECK_CLASS(MPI_ERR_ROOT, MPI_Bcast(v, 1, MPI_INT, MPI_ROOT, MPI_COMM_SELF));
    CHECK_CLASS(MPI_ERR_ROOT, MPI_Bcast(v, 1, MPI_INT, MPI_PROC_NULL, MPI_COMM_SELF));
}

/* MPI_IN_PLACE is not allowed, nor is the same memory twice. */
static void places(const struct inter *in)
{
    MPI_Comm c = in->comm;
    void *here = MPI_IN_PLACE;

    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Bcast(here, 1, MPI_INT, 0, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Gather(here, 1, MPI_INT, w, 1, MPI_INT, 0, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Gather(v, 1, MPI_INT, here, 1, MPI_INT, MPI_ROOT, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Scatter(v, 1, MPI_INT, here, 1, MPI_INT, 0, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Reduce(here, w, 1, MPI_INT, MPI_SUM, 0, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Reduce(v, here, 1, MPI_INT, MPI_SUM, MPI_ROOT, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Allreduce(here, w, 1, MPI_INT, MPI_SUM, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Allgather(here, 1, MPI_INT, w, 1, MPI_INT, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Allgatherv(here, 1, MPI_INT, w, lens, displs, MPI_INT, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Alltoall(here, 1, MPI_INT, w, 1, MPI_INT, c));
    CHECK_CLASS(MPI_ERR_BUFFER,
                MPI_Alltoallv(here, lens, displs, MPI_INT, w, lens, displs, MPI_INT, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Reduce_scatter(here, w, lens, MPI_INT, MPI_SUM, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Reduce_scatter_block(here, w, 1, MPI_INT, MPI_SUM, c));
    CHECK_CLASS(MPI_ERR_BUFFER,
                MPI_Alltoallw(here, lens, displs, types, w, lens, displs, types, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Allreduce(v, v, 1, MPI_INT, MPI_SUM, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Allgather(v, 1, MPI_INT, v, 1, MPI_INT, c));
    CHECK_CLASS(MPI_ERR_BUFFER, MPI_Alltoall(v, 1, MPI_INT, v, 1, MPI_INT, c));
}

/* Arrays have an entry for each process of the other group; the last one is checked, too. */
static void arrays(const struct inter *in)
{
    MPI_Comm c = in->comm;

    lens[in->peers - 1] = -1;
    CHECK_CLASS(MPI_ERR_COUNT, MPI_Allgatherv(v, 1, MPI_INT, w, lens, displs, MPI_INT, c));
    CHECK_CLASS(MPI_ERR_COUNT, MPI_Alltoallw(v, lens, displs, types, w, lens, displs, types, c));
    CHECK_CLASS(MPI_ERR_COUNT,
                MPI_Alltoallv(v, lens, displs, MPI_INT, w, lens, displs, MPI_INT, c));
    CHECK_CLASS(MPI_ERR_COUNT,
                MPI_Gatherv(NULL, 0, MPI_INT, w, lens, displs, MPI_INT, MPI_ROOT, c));
    CHECK_CLASS(MPI_ERR_COUNT,
                MPI_Scatterv(v, lens, displs, MPI_INT, NULL, 0, MPI_INT, MPI_ROOT, c));
    lens[in->peers - 1] = 0;
    CHECK_CLASS(MPI_ERR_ARG, MPI_Allgatherv(v, 1, MPI_INT, w, NULL, displs, MPI_INT, c));
    CHECK_CLASS(MPI_ERR_OP, MPI_Allreduce(v, w, 1, MPI_INT, MPI_OP_NULL, c));
    CHECK_CLASS(MPI_ERR_COMM, MPI_Scan(v, w, 1, MPI_INT, MPI_SUM, c));
    CHECK_CLASS(MPI_ERR_COMM, MPI_Exscan(v, w, 1, MPI_INT, MPI_SUM, c));
}

/* ---- what does not count --------------------------------------------------------------------- */

static void beside(MPI_Comm c)
{
    const MPI_Datatype no = MPI_DATATYPE_NULL;
    const int root = MPI_PROC_NULL;

    CHECK_CLASS(MPI_SUCCESS, MPI_Bcast(NULL, -7, no, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Gather(NULL, -7, no, NULL, -8, no, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Gatherv(NULL, -7, no, NULL, NULL, NULL, no, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Scatter(NULL, -7, no, NULL, -8, no, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Scatterv(NULL, NULL, NULL, no, NULL, -8, no, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Reduce(NULL, NULL, -7, no, MPI_OP_NULL, root, c));
}

static void as_root(MPI_Comm c)
{
    const MPI_Datatype no = MPI_DATATYPE_NULL;
    const int root = MPI_ROOT;

    CHECK_CLASS(MPI_SUCCESS, MPI_Bcast(v, 1, MPI_INT, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Gather(NULL, -7, no, w, 1, MPI_INT, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Gatherv(NULL, -7, no, w, lens, displs, MPI_INT, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Scatter(v, 1, MPI_INT, NULL, -8, no, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Scatterv(v, lens, displs, MPI_INT, NULL, -8, no, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Reduce(NULL, w, 1, MPI_INT, MPI_SUM, root, c));
}

static void opposite(MPI_Comm c, int root)
{
    const MPI_Datatype no = MPI_DATATYPE_NULL;

    CHECK_CLASS(MPI_SUCCESS, MPI_Bcast(w, 1, MPI_INT, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Gather(v, 1, MPI_INT, NULL, -8, no, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Gatherv(v, 0, MPI_INT, NULL, NULL, NULL, no, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Scatter(NULL, -7, no, w, 1, MPI_INT, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Scatterv(NULL, NULL, NULL, no, w, 0, MPI_INT, root, c));
    CHECK_CLASS(MPI_SUCCESS, MPI_Reduce(v, NULL, 1, MPI_INT, MPI_SUM, root, c));
}

static void does_not_count(const struct inter *in, struct root r)
{
    int root = inter_root(in, r);

    if (root == MPI_PROC_NULL)
        beside(in->comm);
    else if (root == MPI_ROOT)
        as_root(in->comm);
    else
        opposite(in->comm, root);
}

/* A receiver with too little room gets an error, its other memory is not changed, and no process
 * hangs. Other processes may get the error as well, soon, and the communicator may fail from
 * then on. */
static void truncation(const struct inter *in)
{
    int got[4], root = inter_root(in, (struct root) { 0, 0 });

    memset(got, 0xa5, sizeof got);
    int err = MPI_Bcast(root < 0 ? v : got, root < 0 ? 4 : 2, MPI_INT, root, in->comm);
    if (err || (root >= 0 && in->rank == 0))
        CHECK_CLASS(MPI_ERR_TRUNCATE, err);
    check_untouched(got + 2, 2);
    if ((err = MPI_Barrier(in->comm)))
        CHECK_CLASS(MPI_ERR_TRUNCATE, err);
}

static void test(const struct inter *in)
{
    MPI_Comm_set_errhandler(in->comm, MPI_ERRORS_RETURN);
    roots(in);
    places(in);
    arrays(in);
    inter_each_root(in, does_not_count);
    truncation(in);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (int i = 0; i < 64; i++)
        types[i] = MPI_INT;
    inter_each(test);
    MPI_Finalize();
    return 0;
}
