/* null_args.c — E05: MPI_Init takes NULL arguments, too; a second call is an error, which a user of
 * Starling can handle. X03: it is MPI_Init_thread with MPI_THREAD_SINGLE, the lowest level. */
#include "../env/starling.h"

int main(void)
{
    int size = 0, level = -1;

    CHECK(MPI_Init(NULL, NULL) == MPI_SUCCESS);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size > 0);
    CHECK(MPI_THREAD_SINGLE < MPI_THREAD_FUNNELED && MPI_THREAD_FUNNELED < MPI_THREAD_SERIALIZED
          && MPI_THREAD_SERIALIZED < MPI_THREAD_MULTIPLE);
    if (starling()) {
        MPI_Query_thread(&level);
        CHECK_INT(level, MPI_THREAD_SINGLE);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        CHECK_INT(error_class(MPI_Init(NULL, NULL)), MPI_ERR_OTHER);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
