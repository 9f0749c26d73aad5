/* finalize_fails.c — G12: an error of a delete function makes MPI_Finalize fail, and MPI goes on:
 * the attribute is still there, and the next MPI_Finalize ends. In a delete function MPI_Finalize
 * is an error. After those of MPI_COMM_SELF come MPI_COMM_WORLD's. Only for Starling. */
#include "../env/starling.h"

static int fails = 1, deleted;

static int once(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void) keyval, (void) value, (void) extra;
    if (fails) {
        CHECK(comm == MPI_COMM_SELF);
        CHECK_INT(error_class(MPI_Finalize()), MPI_ERR_OTHER);
        fails = 0;
        return MPI_ERR_DIMS;
    }
    CHECK(comm == (deleted++ ? MPI_COMM_WORLD : MPI_COMM_SELF));
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key, flag, one = 1, sum = 0, size;
    void *value = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, once, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &key);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
    CHECK_INT(error_class(MPI_Finalize()), MPI_ERR_DIMS);
    MPI_Finalized(&flag);
    CHECK(!flag);
    MPI_Comm_get_attr(MPI_COMM_SELF, key, &value, &flag);
    CHECK(flag && value == &key);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_INT(sum, size);
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return deleted != 2;
}
