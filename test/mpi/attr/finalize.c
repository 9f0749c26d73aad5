/* finalize.c — G12: MPI_Finalize first deletes the attributes of MPI_COMM_SELF, the last one set
 * first, while MPI still works: MPI_Finalized gives false, messages can be sent and received. */
#include "mpitest.h"

enum { MANY = 5 };
static int order[2 * MANY], ended;

static int talks(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int rank, size, flag = -1, in = -1, sum = 0, one = 1;

    CHECK(comm == MPI_COMM_SELF && keyval != MPI_KEYVAL_INVALID && !extra);
    MPI_Finalized(&flag);
    CHECK_INT(flag, 0);
    MPI_Initialized(&flag);
    CHECK_INT(flag, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 9, &in, 1, MPI_INT, (rank + size - 1) % size,
                 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_INT(in, (rank + size - 1) % size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_INT(sum, size);
    order[ended++] = (int) ((char *) value - (char *) order);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key[MANY], unused;

    setenv("STARLING_CHECK_LEAKS", "no", 1); /* it leaves attributes on purpose */
    MPI_Init(&argc, &argv);
    for (int i = 0; i < MANY; i++) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, talks, &key[i], NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, key[i], (char *) order + i);
    }
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, talks, &unused, NULL);
    MPI_Comm_delete_attr(MPI_COMM_SELF, key[1]);
    CHECK_INT(ended, 1);
    MPI_Comm_free_keyval(&key[3]); /* its attribute stays */
    MPI_Finalize();
    const int want[] = { 1, 4, 3, 2, 0 };
    if (ended == MANY && !memcmp(order, want, sizeof want))
        return 0;
    fprintf(stderr, "%d deleted: %d %d %d %d %d\n", ended, order[0], order[1], order[2], order[3],
            order[4]);
    return 1;
}
