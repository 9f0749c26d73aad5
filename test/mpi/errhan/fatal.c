/* fatal.c — E04: MPI_Comm_call_errhandler of a communicator with MPI_ERRORS_ARE_FATAL ends the job,
 * and the text has the string that the program added for its class. */
#include "mpitest.h"

int main(int argc, char **argv)
{
    int class, x;

    MPI_Init(&argc, &argv);
    MPI_Add_error_class(&class);
    MPI_Add_error_string(class, "the pump is dry");
    MPI_Comm_rank(MPI_COMM_WORLD, &x);
    if (x == 0)
        MPI_Comm_call_errhandler(MPI_COMM_WORLD, class);
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
