/* intercomm.c — T10: intercommunicators have no topology and can be given none. */
#include "../env/starling.h"

int main(int argc, char **argv)
{
    int rank, size, one = 1, zero = 0, kind = -1, r = -1;
    MPI_Comm half, inter, made = MPI_COMM_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &inter);
        MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
        MPI_Topo_test(inter, &kind);
        CHECK_INT(kind, MPI_UNDEFINED);
        CHECK_INT(error_class(MPI_Cart_create(inter, 1, &one, &zero, 0, &made)), MPI_ERR_COMM);
        CHECK_INT(error_class(MPI_Graph_create(inter, 1, &one, &zero, 0, &made)), MPI_ERR_COMM);
        CHECK_INT(error_class(MPI_Dist_graph_create(inter, 0, NULL, NULL, NULL, MPI_UNWEIGHTED,
                                                    MPI_INFO_NULL, 0, &made)),
                  MPI_ERR_COMM);
        CHECK_INT(
            error_class(MPI_Dist_graph_create_adjacent(inter, 0, NULL, MPI_UNWEIGHTED, 0, NULL,
                                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made)),
            MPI_ERR_COMM);
        if (starling()) /* other libraries need not find out */
            CHECK_INT(error_class(MPI_Cart_map(inter, 1, &one, &zero, &r)), MPI_ERR_COMM);
        CHECK_INT(error_class(MPI_Cartdim_get(inter, &r)), MPI_ERR_TOPOLOGY);
        MPI_Comm_free(&inter);
        MPI_Comm_free(&half);
    }
    MPI_Finalize();
    return 0;
}
