/* translate_empty.c — G01: MPI_PROC_NULL stays unchanged in MPI_GROUP_EMPTY too, where no process
 * has a rank. MPICH 4.0 fails: it gives MPI_UNDEFINED for it. */
#include "group_test.h"

int main(int argc, char **argv)
{
    int ranks[] = { MPI_PROC_NULL, 0, MPI_PROC_NULL }, result[3];
    MPI_Group made;

    group_begin(&argc, &argv);
    MPI_Group_difference(group_world, group_world, &made);
    for (int i = 0; i < 2; i++) {
        MPI_Group to = i ? made : MPI_GROUP_EMPTY;
        CHECK(MPI_Group_translate_ranks(group_world, 3, ranks, to, result) == MPI_SUCCESS);
        CHECK_INT(result[0], MPI_PROC_NULL);
        CHECK_INT(result[1], MPI_UNDEFINED);
        CHECK_INT(result[2], MPI_PROC_NULL);
        result[0] = 77;
        CHECK(MPI_Group_translate_ranks(to, 1, ranks, to, result) == MPI_SUCCESS);
        CHECK_INT(result[0], MPI_PROC_NULL);
        CHECK(MPI_Group_translate_ranks(to, 1, ranks, group_world, result) == MPI_SUCCESS);
        CHECK_INT(result[0], MPI_PROC_NULL);
    }
    group_end();
    return 0;
}
