/* dist_part.c — T06, T07: of more neighbors than there is room for, the first ones are returned.
 * MPICH 4.0 fails: it writes too many or calls it an error. */
#include "mpitest.h"

int main(int argc, char **argv)
{
    int rank, list[3], in[3], weight[3] = { 4, 5, 6 }, out[3], in_weight[3], out_weight[3];
    int index[1] = { 3 }, self[3] = { 0, 0, 0 };
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        list[i] = rank;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, list, weight, 3, list, weight, MPI_INFO_NULL,
                                   0, &comm);
    for (int m = 0; m <= 3; m++) {
        for (int i = 0; i < 3; i++)
            in[i] = out[i] = in_weight[i] = out_weight[i] = -77;
        CHECK_INT(MPI_Dist_graph_neighbors(comm, m, in, in_weight, 3 - m, out, out_weight),
                  MPI_SUCCESS);
        for (int i = 0; i < 3; i++) {
            CHECK_INT(in[i], i < m ? rank : -77);
            CHECK_INT(in_weight[i], i < m ? weight[i] : -77);
            CHECK_INT(out[i], i < 3 - m ? rank : -77);
            CHECK_INT(out_weight[i], i < 3 - m ? weight[i] : -77);
        }
    }
    CHECK_INT(MPI_Dist_graph_neighbors(comm, 0, NULL, NULL, 0, NULL, NULL), MPI_SUCCESS);
    MPI_Comm_free(&comm);

    MPI_Graph_create(MPI_COMM_SELF, 1, index, self, 0, &comm);
    for (int m = 0; m <= 3; m++) {
        list[0] = list[1] = list[2] = -77;
        CHECK_INT(MPI_Graph_neighbors(comm, 0, m, list), MPI_SUCCESS);
        for (int i = 0; i < 3; i++)
            CHECK_INT(list[i], i < m ? 0 : -77);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
