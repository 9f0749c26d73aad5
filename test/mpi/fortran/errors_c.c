/* errors_c.c — the calls of errors.F90 in C. */
#include <string.h>
#include "mpi.h"

#define CASE(word, call)                                                                           \
    if (!strcmp(argv[1], word))                                                                    \
    (void) call

int main(int argc, char **argv)
{
    int n, indices[3], flag, dims[] = { 3 }, periods[] = { 1 };
    MPI_Request requests[] = { MPI_REQUEST_NULL, 99, MPI_REQUEST_NULL }, request = 99;
    float x[9] = { 0 };
    char text[4];
    void *value;
    MPI_Status status;
    MPI_Datatype type;
    MPI_Comm comm;
    MPI_File file;

    CASE("early", MPI_Comm_rank(MPI_COMM_WORLD, &n));
    CASE("waits", MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    CASE("info", MPI_Info_set(MPI_INFO_NULL, "key", "value"));
    MPI_Init(&argc, &argv);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    CASE("count", MPI_Send(x, -1, MPI_REAL, 0, 0, MPI_COMM_WORLD));
    CASE("type", MPI_Send(x, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD));
    CASE("comm", MPI_Send(x, 1, MPI_REAL, 0, 0, MPI_COMM_NULL));
    CASE("rank", MPI_Send(x, 1, MPI_REAL, 99, 0, MPI_COMM_WORLD));
    CASE("bottom", MPI_Recv(MPI_BOTTOM, 1, MPI_REAL, 99, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CASE("keyval", MPI_Comm_get_attr(MPI_COMM_WORLD, 12345, &value, &flag));
    CASE("tag_ub", MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &n));
    CASE("request", MPI_Wait(&request, &status));
    CASE("waitall", MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    CASE("waitsome", MPI_Waitsome(3, requests, &n, indices, MPI_STATUSES_IGNORE));
    CASE("waitany", MPI_Waitany(3, requests, &n, MPI_STATUS_IGNORE));
    CASE("key", MPI_Info_set(MPI_INFO_NULL, "key", "value"));
    CASE("get", MPI_Info_get(MPI_INFO_NULL, "key", 3, text, &flag));
    CASE("handler", MPI_Comm_set_errhandler(MPI_COMM_WORLD, 44));
    CASE("grid", MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &comm));
    CASE("op", MPI_Allreduce(MPI_IN_PLACE, x, 2, MPI_REAL, MPI_OP_NULL, MPI_COMM_WORLD));
    CASE("real", MPI_Type_create_f90_real(200, 20000, &type));
    CASE("file", MPI_File_seek(MPI_FILE_NULL, 0, MPI_SEEK_SET));
    CASE("open",
         MPI_File_open(MPI_COMM_SELF, "no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    if (!strcmp(argv[1], "late")) {
        MPI_Finalize();
        MPI_Send(x, 1, MPI_REAL, 0, 0, MPI_COMM_WORLD);
    }
    return 0;
}
