/* proc_null.c — P11, P24: persistent requests to and from MPI_PROC_NULL are active when started,
 * and complete at once; P16: the status of MPI_Testany is empty when all requests are inactive.
 *
 * MPICH 4.0 fails: it leaves such requests inactive, and that status as it was. */
#include "comms.h"
#include "complete.h"

enum { MODES = 4 };

typedef int init(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
static init *const modes[MODES] = { MPI_Send_init, MPI_Ssend_init, MPI_Rsend_init, MPI_Bsend_init };
static void of_proc_null(MPI_Comm comm)
{
    int x = 3;
    MPI_Request r[MODES + 1];
    MPI_Status status[MODES + 1];

    MPI_Recv_init(&x, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, comm, &r[MODES]);
    for (int i = 0; i < MODES; i++)
        modes[i](&x, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &r[i]);
    for (int call = 0; call < COMPLETE_CALLS; call++) {
        int count = -1;

        MPI_Startall(MODES + 1, r);
        CHECK_INT(complete((enum complete_call) call, MODES + 1, r, status), MODES + 1);
        CHECK_INT(status[MODES].MPI_SOURCE, MPI_PROC_NULL);
        CHECK_INT(status[MODES].MPI_TAG, MPI_ANY_TAG);
        MPI_Get_count(&status[MODES], MPI_INT, &count);
        CHECK_INT(count, 0);
        CHECK_INT(x, 3);
    }
    for (int i = 0; i <= MODES; i++)
        MPI_Request_free(&r[i]);
}

static void all_inactive(MPI_Comm comm)
{
    int x, index = 5, flag = 0;
    MPI_Request r[2] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL };
    MPI_Status status;

    MPI_Recv_init(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm, &r[1]);
    memset(&status, 0x77, sizeof status);
    MPI_Testany(2, r, &index, &flag, &status);
    CHECK(flag);
    CHECK_INT(index, MPI_UNDEFINED);
    complete_check_empty(&status);
    MPI_Request_free(&r[1]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comms_each(of_proc_null);
    comms_each(all_inactive);
    MPI_Finalize();
    return 0;
}
