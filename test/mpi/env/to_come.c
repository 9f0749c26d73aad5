/* to_come.c — programs that name functions which are still to come link and run: what needs no
 * other job works, and the others are errors with a text. Also extensions that programs ask for.
 *
 * MPICH 4.0 fails: it has those functions. */
#include <mpi-ext.h>
#include "mpitest.h"

#if !defined(MPIO_Request) || MPIX_CUDA_AWARE_SUPPORT
#error "mpi-ext.h"
#endif

static void fails(int err, int wanted)
{
    char text[MPI_MAX_ERROR_STRING];
    int len, class;

    MPI_Error_class(err, &class);
    CHECK_INT(class, wanted);
    MPI_Error_string(err, text, &len);
    CHECK(strstr(text, "this version of Starling cannot") != NULL);
}

static void processes(int rank)
{
    int codes[3] = { 7, 7, 7 };
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other = MPI_COMM_WORLD, c;

    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN);
    CHECK_INT(MPI_Comm_get_parent(&other), MPI_SUCCESS);
    CHECK(other == MPI_COMM_NULL);
    fails(MPI_Comm_spawn("none", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, c, &other, codes),
          MPI_ERR_SPAWN);
    CHECK(other == MPI_COMM_NULL && codes[2] == 7);
    CHECK(codes[1] == (rank == 0 ? MPI_ERR_SPAWN : 7));
    fails(
        MPI_Comm_spawn("none", MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, c, &other, MPI_ERRCODES_IGNORE),
        MPI_ERR_SPAWN);
    fails(MPI_Open_port(MPI_INFO_NULL, port), MPI_ERR_PORT);
    fails(MPI_Comm_accept("none", MPI_INFO_NULL, 0, c, &other), MPI_ERR_PORT);
    fails(MPI_Lookup_name("none", MPI_INFO_NULL, port), MPI_ERR_NAME);
    CHECK_INT(MPI_Comm_disconnect(&c), MPI_SUCCESS);
    CHECK(c == MPI_COMM_NULL);
}

static void others(void)
{
    int level, yes = 7;
    MPI_Fint f[MPI_F_STATUS_SIZE];
    MPI_Status s = { .MPI_SOURCE = 11, .MPI_TAG = 12, .MPI_ERROR = 13 };

    CHECK_INT(MPI_T_init_thread(MPI_THREAD_SINGLE, &level), MPI_T_ERR_CANNOT_INIT);
    CHECK_INT(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    CHECK_INT(MPIX_Query_cuda_support(), 0);
    CHECK_INT(MPIX_GPU_query_support(MPIX_GPU_SUPPORT_HIP, &yes), MPI_SUCCESS);
    CHECK_INT(yes, 0);
    CHECK(MPIX_GPU_query_support(77, &yes) != MPI_SUCCESS);
    CHECK_INT(MPI_Status_c2f(&s, f), MPI_SUCCESS);
    CHECK(f[MPI_F_SOURCE] == 11 && f[MPI_F_TAG] == 12 && f[MPI_F_ERROR] == 13);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    processes(rank);
    others();
    MPI_Finalize();
    return 0;
}
