/* peers_left.c — a process waits in a collective call while all others are in MPI_Finalize or
 * have freed the communicator: it gets an error that says so. Only for Starling: with other
 * libraries it waits for ever. */
#include <string.h>
#include <unistd.h>
#include "coll_test.h"

enum { SECONDS = 20 };

static void check_told(int err, const char *why, const char *words)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    CHECK(err != MPI_SUCCESS);
    MPI_Error_string(err, text, &len);
    CHECK(strstr(text, why) != NULL);
    CHECK(strstr(text, words) != NULL);
}

/* The call comes before the others free the communicator, or after that. */
static void freed(struct me m, int alone, int later)
{
    const char *why = "has freed the communicator, while rank";
    char c = 0;
    int none = 0;
    MPI_Comm comm;

    MPI_Comm_dup(m.comm, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (later)
        CHECK(MPI_Barrier(comm) == MPI_SUCCESS);
    if (m.rank == alone)
        CHECK(!MPI_Send(&c, 1, MPI_CHAR, m.size - 1 - alone, 0, m.comm));
    if (m.rank == m.size - 1 - alone)
        CHECK(!MPI_Recv(&c, 1, MPI_CHAR, alone, 0, m.comm, MPI_STATUS_IGNORE));
    if (m.rank == alone)
        check_told(MPI_Allreduce(MPI_IN_PLACE, &none, 1, MPI_INT, MPI_MAX, comm), why,
                   "MPI_Allreduce(count=1, ");
    MPI_Comm_free(&comm);
    MPI_Barrier(m.comm);
}

/* The others have called something else, and have freed the communicator, before this process calls
 * anything: they show what it was. */
static void differed(struct me m, int alone)
{
    int none = 0;
    MPI_Comm comm;

    MPI_Comm_dup(m.comm, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (m.rank != alone) {
        CHECK(MPI_Bcast(&none, 1, MPI_INT, m.size - 1 - alone, comm) == MPI_SUCCESS);
        MPI_Comm_free(&comm);
    }
    MPI_Barrier(m.comm);
    if (m.rank == alone) {
        check_told(MPI_Allreduce(MPI_IN_PLACE, &none, 1, MPI_INT, MPI_MAX, comm),
                   "called MPI_Allreduce(count=1, ", "called MPI_Bcast(count=1, ");
        MPI_Comm_free(&comm);
    }
    MPI_Barrier(m.comm);
}

/* The first process or the last one waits, in the first call of the communicator or in a later
 * one. */
int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int last = strchr(how, 'l') != NULL, later = strchr(how, 'a') != NULL;
    static char bytes[1 << 20];

    MPI_Init(&argc, &argv);
    struct me m = whoami(MPI_COMM_WORLD);
    int alone = last ? m.size - 1 : 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    alarm(SECONDS);
    if (strpbrk(how, "cd") && m.size > 1) {
        if (strchr(how, 'd'))
            differed(m, alone);
        else
            freed(m, alone, later);
        MPI_Finalize();
        return 0;
    }
    if (later)
        CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
    if (m.size > 1 && m.rank == alone) {
        if (strchr(how, 'b'))
            check_told(MPI_Bcast(bytes, sizeof bytes, MPI_CHAR, m.size - 1 - m.rank, m.comm),
                       "MPI_Finalize", "MPI_Bcast(count=1048576, ");
        else
            check_told(MPI_Barrier(m.comm), "MPI_Finalize", "MPI_Barrier()");
    }
    MPI_Finalize();
    return 0;
}
