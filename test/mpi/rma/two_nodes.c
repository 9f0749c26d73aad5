/* two_nodes.c — R02: processes that share no memory get MPI_ERR_RMA_SHARED from
 * MPI_Win_allocate_shared, all of them, with a text that names two of them; those of one node get a
 * window. */
#include "rma_test.h"

static int rank, size;

static int on_one_node(void)
{
    MPI_Comm node;
    int n;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &n);
    MPI_Comm_free(&node);
    return n == size;
}

int main(int argc, char **argv)
{
    char text[MPI_MAX_ERROR_STRING], own[40];
    void *at = &rank;
    MPI_Win w;
    int len;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int one = on_one_node();
    int err = MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &at, &w);
    CHECK_INT(error_class(err), one ? MPI_SUCCESS : MPI_ERR_RMA_SHARED);
    if (one) {
        MPI_Win_free(&w);
    } else {
        MPI_Error_string(err, text, &len);
        (void) snprintf(own, sizeof own, "ranks %d and ", rank);
        CHECK(strstr(text, own) && strstr(text, "not on one node"));
        CHECK(w == MPI_WIN_NULL && at == &rank);
    }
    MPI_Finalize();
    return 0;
}
