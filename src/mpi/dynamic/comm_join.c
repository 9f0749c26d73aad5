#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include "adi3/adi3_connect.h"
#include "mpi/comm/comm.h"

/* A connected stream socket. Its flags are of no matter: no call here relies on them. */
static int socket_arg(int fd)
{
    struct sockaddr_storage other;
    int type = 0;
    socklen_t len = sizeof type, other_len = sizeof other;

    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len))
        return mpir_error(MPI_ERR_ARG, "fd %d is no socket: %s", fd, strerror(errno));
    if (type != SOCK_STREAM)
        return mpir_error(MPI_ERR_ARG, "fd %d is no stream socket", fd);
    if (getpeername(fd, (struct sockaddr *) &other, &other_len))
        return mpir_error(MPI_ERR_ARG, "fd %d is not connected: %s", fd, strerror(errno));
    return MPI_SUCCESS;
}

/* Sets NULL where no device reaches the other process, or none of it reaches this one. */
static int join_over(int fd, struct adi3_comm **made)
{
    unsigned char key[ADI3_KEY];
    unsigned before = adi3_unreachable();
    int err = adi3_link_key(fd, key);

    if (err)
        return err;
    err = mpir_connect(&adi3_self, 0, fd, key, made);
    explicit_bzero(key, sizeof key);
    bool unreachable = adi3_unreachable() != before;
    if (err && !adi3_link_either(fd, &unreachable) && unreachable)
        err = MPI_SUCCESS;
    return err;
}

/* Makes an intercommunicator of two processes that a socket connects (§10.5.5). Both make this
 * call; fd is an end of a connected stream socket. Nothing of the socket changes, no byte is left
 * in it, and MPI does not use it afterwards. intercomm is MPI_COMM_NULL where no device connects
 * the two.
 * The messages of the call are not proof against another program that reads and changes them.
 * Errors: MPI_ERR_ARG when fd is no such socket; MPI_ERR_OTHER when its other end is closed, or is
 * no process that makes this call; MPI_ERR_COMM when it is this process; MPI_ERR_NO_MEM. */
int PMPI_Comm_join(int fd, MPI_Comm *intercomm)
{
    ENTER("MPI_Comm_join", fd, intercomm);
    struct adi3_comm *made;

    TRY(mpir_out_arg(intercomm, "intercomm"));
    *intercomm = MPI_COMM_NULL;
    TRY(socket_arg(fd));
    TRY(join_over(fd, &made));
    if (made)
        *intercomm = made->handle;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_join);
