/* neighbor_errors.c — T08, T10: neighborhood operations refuse wrong calls, with the right class
 * and with the value in the text, before any message is sent: the communicator stays usable.
 *
 * Only for Starling: to other libraries such calls may do anything, and some crash. */
#include "hood.h"
#include "../env/starling.h"

static int rank, size;
static MPI_Comm ring; /* from the previous process, to the next one; both twice */

#define CHECK_ERROR(class, word, call) check_error(__FILE__, __LINE__, (class), (word), (call))

/* Checks the class, and a word of the text. */
static void check_error(const char *file, int line, int class, const char *word, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int len;

    mpitest_equal(file, line, "the class", error_class(code), class);
    MPI_Error_string(code, text, &len);
    if (!strstr(text, word))
        mpitest_fail(file, line, text);
}

static void make_ring(void)
{
    int in[2], out[2];

    in[0] = in[1] = (rank + size - 1) % size;
    out[0] = out[1] = (rank + 1) % size;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, in, MPI_UNWEIGHTED, 2, out, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
}

static void topologies(void)
{
    int v[2] = { 0 }, w[2];
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Comm comm;

    CHECK_ERROR(MPI_ERR_TOPOLOGY, "no topology",
                MPI_Neighbor_allgather(v, 1, MPI_INT, w, 1, MPI_INT, MPI_COMM_WORLD));
    CHECK_ERROR(MPI_ERR_TOPOLOGY, "no topology",
                MPI_Ineighbor_alltoall(v, 1, MPI_INT, w, 1, MPI_INT, MPI_COMM_WORLD, &r));
    CHECK_ERROR(
        MPI_ERR_TOPOLOGY, "no topology",
        MPI_Neighbor_alltoall_init(v, 1, MPI_INT, w, 1, MPI_INT, MPI_COMM_SELF, MPI_INFO_NULL, &r));
    CHECK(r == MPI_REQUEST_NULL);
    CHECK_ERROR(MPI_ERR_COMM, "MPI_COMM_NULL",
                MPI_Neighbor_alltoall(v, 1, MPI_INT, w, 1, MPI_INT, MPI_COMM_NULL));
    MPI_Comm_split(ring, 0, 0, &comm); /* T10: no topology; MPI_Comm_dup keeps it */
    CHECK_ERROR(MPI_ERR_TOPOLOGY, "no topology",
                MPI_Neighbor_alltoall(v, 1, MPI_INT, w, 1, MPI_INT, comm));
    MPI_Comm_free(&comm);
    MPI_Comm_dup(ring, &comm);
    CHECK_INT(MPI_Neighbor_alltoall(v, 1, MPI_INT, w, 1, MPI_INT, comm), MPI_SUCCESS);
    MPI_Comm_free(&comm);
}

static void intercommunicator(void)
{
    MPI_Comm half, inter;
    int v[2] = { 0 }, w[2], upper = rank >= size / 2;

    if (size < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 1, &inter);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_ERR_COMM, "intracommunicators",
                MPI_Neighbor_allgather(v, 1, MPI_INT, w, 1, MPI_INT, inter));
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* Edges without a reverse edge: all get the error, and no process waits. */
static void lopsided(void)
{
    int *index = mpitest_memory((size_t) size * sizeof *index), edges[2] = { 1, 1 }, v = 0, w[2];
    MPI_Comm comm;

    if (size > 1) {
        for (int i = 0; i < size; i++)
            index[i] = 2;
        MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm); /* 0 to 1, twice */
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        CHECK_ERROR(MPI_ERR_TOPOLOGY, "2 edges from 0 to 1 and 0 from 1 to 0",
                    MPI_Neighbor_allgather(&v, 1, MPI_INT, w, 1, MPI_INT, comm));
        MPI_Comm_free(&comm);
    }
    free(index);
}

static void buffers(void)
{
    int v[4] = { 0 }, w[4], ones[2] = { 1, 1 }, at[2] = { 0, 1 }, zeros[2] = { 0, 0 };
    const MPI_Aint far[2] = { 0, 4 };
    const MPI_Datatype ints[2] = { MPI_INT, MPI_INT };

    CHECK_ERROR(MPI_ERR_BUFFER, "NULL",
                MPI_Neighbor_allgather(NULL, 1, MPI_INT, w, 1, MPI_INT, ring));
    CHECK_ERROR(MPI_ERR_BUFFER, "NULL",
                MPI_Neighbor_allgather(v, 1, MPI_INT, NULL, 1, MPI_INT, ring));
    CHECK_ERROR(MPI_ERR_BUFFER, "MPI_IN_PLACE",
                MPI_Neighbor_allgather(MPI_IN_PLACE, 1, MPI_INT, w, 1, MPI_INT, ring));
    CHECK_ERROR(MPI_ERR_BUFFER, "MPI_IN_PLACE",
                MPI_Neighbor_alltoall(MPI_IN_PLACE, 1, MPI_INT, w, 1, MPI_INT, ring));
    CHECK_ERROR(
        MPI_ERR_BUFFER, "MPI_IN_PLACE",
        MPI_Neighbor_alltoallv(MPI_IN_PLACE, ones, at, MPI_INT, w, ones, at, MPI_INT, ring));
    CHECK_ERROR(MPI_ERR_BUFFER, "MPI_IN_PLACE",
                MPI_Neighbor_alltoallw(MPI_IN_PLACE, ones, far, ints, w, ones, far, ints, ring));
    CHECK_ERROR(MPI_ERR_BUFFER, "same memory",
                MPI_Neighbor_alltoall(v, 1, MPI_INT, v, 1, MPI_INT, ring));
    CHECK_ERROR(MPI_ERR_BUFFER, "same memory",
                MPI_Neighbor_allgather(v, 1, MPI_INT, v, 1, MPI_INT, ring));
    CHECK_INT(MPI_Neighbor_alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, ring), MPI_SUCCESS);
    CHECK_INT(
        MPI_Neighbor_alltoallv(NULL, zeros, zeros, MPI_INT, NULL, zeros, zeros, MPI_INT, ring),
        MPI_SUCCESS);
    CHECK_INT(MPI_Neighbor_alltoallw(NULL, zeros, far, ints, NULL, zeros, far, ints, ring),
              MPI_SUCCESS);
}

static void counts_and_types(void)
{
    int v[4] = { 0 }, w[4], ones[2] = { 1, 1 }, at[2] = { 0, 1 }, wrong[2] = { 1, -3 };
    const MPI_Aint far[2] = { 0, 4 };
    MPI_Datatype ints[2] = { MPI_INT, MPI_INT }, bad[2] = { MPI_INT, MPI_DATATYPE_NULL };

    CHECK_ERROR(MPI_ERR_COUNT, "-1", MPI_Neighbor_allgather(v, -1, MPI_INT, w, 1, MPI_INT, ring));
    CHECK_ERROR(MPI_ERR_COUNT, "-1", MPI_Neighbor_alltoall(v, 1, MPI_INT, w, -1, MPI_INT, ring));
    CHECK_ERROR(MPI_ERR_COUNT, "recvcounts[1] is -3",
                MPI_Neighbor_allgatherv(v, 1, MPI_INT, w, wrong, at, MPI_INT, ring));
    CHECK_ERROR(MPI_ERR_COUNT, "sendcounts[1] is -3",
                MPI_Neighbor_alltoallv(v, wrong, at, MPI_INT, w, ones, at, MPI_INT, ring));
    CHECK_ERROR(MPI_ERR_COUNT, "sendcounts[1] is -3",
                MPI_Neighbor_alltoallw(v, wrong, far, ints, w, ones, far, ints, ring));
    CHECK_ERROR(MPI_ERR_ARG, "displs",
                MPI_Neighbor_allgatherv(v, 1, MPI_INT, w, ones, NULL, MPI_INT, ring));
    CHECK_ERROR(MPI_ERR_ARG, "rdispls",
                MPI_Neighbor_alltoallw(v, ones, far, ints, w, ones, NULL, ints, ring));
    CHECK_ERROR(MPI_ERR_ARG, "sendtypes",
                MPI_Neighbor_alltoallw(v, ones, far, NULL, w, ones, far, ints, ring));
    CHECK_ERROR(MPI_ERR_TYPE, "recvtypes[1]",
                MPI_Neighbor_alltoallw(v, ones, far, ints, w, ones, far, bad, ring));
    MPI_Type_contiguous(2, MPI_INT, &bad[1]);
    CHECK_ERROR(MPI_ERR_TYPE, "sendtypes[1]",
                MPI_Neighbor_alltoallw(v, ones, far, bad, w, ones, far, ints, ring));
    CHECK_ERROR(MPI_ERR_TYPE, "not committed",
                MPI_Neighbor_alltoallv(v, ones, at, bad[1], w, ones, at, MPI_INT, ring));
    MPI_Type_free(&bad[1]);
}

/* A neighbor sends more than there is room for: an error; the memory behind is unchanged, and the
 * communicator stays usable. */
static void too_long(void)
{
    int v[4] = { 1, 2, 3, 4 }, w[4] = { 7, 7, 7, 7 }, ones[2] = { 1, 1 }, at[2] = { 0, 2 };
    MPI_Request r;

    CHECK_ERROR(MPI_ERR_TRUNCATE, "",
                MPI_Neighbor_allgatherv(v, 2, MPI_INT, w, ones, at, MPI_INT, ring));
    CHECK(w[1] == 7 && w[3] == 7);
    MPI_Ineighbor_allgatherv(v, 2, MPI_INT, w, ones, at, MPI_INT, ring, &r);
    CHECK_INT(error_class(MPI_Wait(&r, MPI_STATUS_IGNORE)), MPI_ERR_TRUNCATE);
    CHECK(w[1] == 7 && w[3] == 7);
    CHECK_INT(MPI_Neighbor_alltoall(v, 2, MPI_INT, w, 2, MPI_INT, ring), MPI_SUCCESS);
    CHECK(w[0] == 1 && w[3] == 4);
}

/* §5.12, §5.13: requests that may not be cancelled, nor freed while they are active. */
static void requests(void)
{
    int v[4] = { 0 }, w[4];
    MPI_Request r, kept;

    MPI_Ineighbor_alltoall(v, 2, MPI_INT, w, 2, MPI_INT, ring, &r);
    kept = r;
    CHECK(MPI_Cancel(&r) != MPI_SUCCESS);
    CHECK(MPI_Request_free(&r) != MPI_SUCCESS && r == kept);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    make_ring();
    topologies();
    intercommunicator();
    lopsided();
    buffers();
    counts_and_types();
    too_long();
    requests();
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
