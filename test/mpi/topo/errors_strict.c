/* errors_strict.c — T01, T07: wrong arguments that the standard calls erroneous and MPICH does not
 * check. Only for Starling. */
#include <limits.h>
#include "../env/starling.h"

static int rank, size;

/* Products beyond all integers are too large like others. */
static void overflow(void)
{
    int dims[5] = { INT_MAX, INT_MAX, INT_MAX, INT_MAX, 4 }, periods[5] = { 0 }, r;
    MPI_Comm comm;

    for (int n = 1; n <= 5; n++) {
        CHECK_INT(error_class(MPI_Cart_create(MPI_COMM_WORLD, n, dims, periods, 0, &comm)),
                  MPI_ERR_DIMS);
        CHECK_INT(error_class(MPI_Cart_map(MPI_COMM_WORLD, n, dims, periods, &r)), MPI_ERR_DIMS);
    }
    dims[0] = dims[1] = dims[2] = dims[3] = 1 << 16; /* 2^66, or 0 where that wraps */
    CHECK_INT(error_class(MPI_Cart_create(MPI_COMM_WORLD, 5, dims, periods, 0, &comm)),
              MPI_ERR_DIMS);
    dims[0] = -1;
    CHECK_INT(error_class(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm)),
              MPI_ERR_DIMS);
}

static void text(int code, const char *part)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    MPI_Error_string(code, text, &len);
    CHECK(strstr(text, part));
}

/* The texts show how large it is. */
static void texts(void)
{
    int dims[3] = { 1000, 50, 7 }, periods[3] = { 0 };
    MPI_Comm comm;

    text(MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &comm), "has 350000 processes");
    dims[0] = dims[1] = INT_MAX;
    text(MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &comm),
         "has at least 4611686014132420609 processes");
    text(MPI_Dims_create(100, 2, (int[]) { 4, 15 }), "dims[1] is 15");
}

/* A grid of no process is smaller than any communicator. */
static void empty_grid(void)
{
    int dims[2] = { 3, 0 }, periods[2] = { 0 }, r = -77;
    MPI_Comm comm = MPI_COMM_WORLD;

    CHECK_INT(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &comm), MPI_SUCCESS);
    CHECK(comm == MPI_COMM_NULL);
    CHECK_INT(MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &r), MPI_SUCCESS);
    CHECK_INT(r, MPI_UNDEFINED);
}

static void weights(void)
{
    int self[1] = { rank }, good[1] = { 3 }, bad[1] = { -3 }, one[1] = { 1 };
    MPI_Comm comm = MPI_COMM_SELF;

    CHECK_INT(error_class(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, self, good, 1, self,
                                                         MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm)),
              MPI_ERR_TOPOLOGY);
    CHECK_INT(error_class(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, self, good, 1, self,
                                                         bad, MPI_INFO_NULL, 0, &comm)),
              MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, self, MPI_WEIGHTS_EMPTY,
                                                         0, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL,
                                                         0, &comm)),
              MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, self, one, self, bad,
                                                MPI_INFO_NULL, 0, &comm)),
              MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, self, bad, self, good,
                                                MPI_INFO_NULL, 0, &comm)),
              MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, self, one, (int[]) { size },
                                                good, MPI_INFO_NULL, 0, &comm)),
              MPI_ERR_RANK);
    CHECK_INT(error_class(MPI_Dist_graph_create(MPI_COMM_WORLD, 3, (int[]) { 0, 0, 0 },
                                                (int[]) { INT_MAX, INT_MAX, INT_MAX }, self, good,
                                                MPI_INFO_NULL, 0, &comm)),
              MPI_ERR_ARG);
    CHECK(comm == MPI_COMM_NULL);
}

/* Weights in some processes and MPI_UNWEIGHTED in others: all get the error. */
static void weights_of_some(void)
{
    int self[1] = { rank }, one[1] = { 1 }, *w = rank == size - 1 ? MPI_UNWEIGHTED : one;
    MPI_Comm comm = MPI_COMM_SELF;
    int err = MPI_Dist_graph_create(MPI_COMM_WORLD, 1, self, one, self, w, MPI_INFO_NULL, 0, &comm);

    CHECK_INT(error_class(err), size > 1 ? MPI_ERR_TOPOLOGY : MPI_SUCCESS);
    CHECK((err != MPI_SUCCESS) == (comm == MPI_COMM_NULL));
    if (!err)
        MPI_Comm_free(&comm);
    err = MPI_Dist_graph_create(MPI_COMM_WORLD, 1, self, one, self, one, MPI_INFO_NULL, rank == 0,
                                &comm);
    CHECK_INT(error_class(err), size > 1 ? MPI_ERR_ARG : MPI_SUCCESS);
    if (!err)
        MPI_Comm_free(&comm);
}

/* A process whose arguments differ from those that it receives reports the error, and no process
 * hangs. */
static void different_topologies(void)
{
    int dims[2] = { size, 1 }, periods[2] = { rank == size - 1, 0 }, self[1] = { rank },
        one[1] = { 1 };
    int *w = rank == size - 1 ? MPI_UNWEIGHTED : one, err, failed, all;
    MPI_Comm comm;

    for (int k = 0; k < 2; k++) {
        err = k ? MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm)
                : MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, self, w, 1, self, w,
                                                 MPI_INFO_NULL, 0, &comm);
        failed = err != MPI_SUCCESS;
        if (failed)
            CHECK_INT(error_class(err), MPI_ERR_TOPOLOGY);
        else
            MPI_Comm_free(&comm);
        MPI_Allreduce(&failed, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        CHECK_INT(all > 0, size > 1);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    overflow();
    texts();
    empty_grid();
    weights();
    weights_of_some();
    different_topologies();
    MPI_Finalize();
    return 0;
}
