/* port_meet.c — two groups meet by a port: their roots get a socket and a key, from which all
 * processes make the communicator. What root alone knows is an error of all. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "mpi/comm/comm.h"
#include "mpi/dynamic/dynamic.h"
#include "mpi/errhan/errhan.h"
#include "mpi/info/info.h"

enum { WHY = 512 };

struct root_error {
    int errclass; /* MPI_SUCCESS: none */
    char why[WHY];
};

int mpir_error_of_root(struct adi3_comm *c, int root, int err)
{
    struct root_error e = { .errclass = MPI_SUCCESS };

    if (c->rank == root && err) {
        e.errclass = mpir_error_class(err);
        (void) strncpy(e.why, mpir_error_cause(err), sizeof e.why - 1);
    }
    int failed = mpir_broadcast_id(c, root, &e, sizeof e);
    if (c->rank == root && err)
        return err;
    if (failed)
        return failed;
    return e.errclass ? mpir_error(e.errclass, "%s", e.why) : MPI_SUCCESS;
}

int mpir_port_meet(struct adi3_comm *c, int root, enum mpir_port_side side, const char *name,
                   const struct adi3_port_wait *w, struct adi3_comm **made)
{
    struct adi3_port_link link = { .fd = -1 };
    int err = MPI_SUCCESS;

    if (c->rank == root)
        err = side == MPIR_PORT_ACCEPT ? adi3_port_accept(name, w, &link)
                                       : adi3_port_connect(name, w, &link);
    err = mpir_error_of_root(c, root, err);
    if (!err)
        err = mpir_connect(c, root, link.fd, link.key, made);
    if (link.fd >= 0)
        (void) close(link.fd);
    memset(&link, 0, sizeof link);
    return err;
}

int mpir_info_int(const struct mpir_info *i, const char *key, struct mpir_info_range range,
                  int *value)
{
    const char *text = mpir_info_get(i, key);
    char *end;

    if (!text)
        return MPI_SUCCESS;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (errno || end == text || *end || n < range.least || n > range.most)
        return mpir_error(MPI_ERR_INFO_VALUE, "%s is '%s', and must be a number from %d to %d", key,
                          text, range.least, range.most);
    *value = (int) n;
    return MPI_SUCCESS;
}

/* The arguments that count at root alone. */
static int port_args(const struct mpir_port_call *p, struct adi3_port_wait *w)
{
    const struct mpir_info_range range = { 0, INT32_MAX };
    struct mpir_info *i = NULL;
    int err = mpir_out_arg(p->port_name, "port_name");

    if (!err)
        err = mpir_info_or_null_arg(p->info, &i);
    if (!err)
        err = mpir_info_int(i, "timeout", range, &w->seconds);
    return err;
}

int mpir_port_call(struct adi3_comm *c, const struct mpir_port_call *p, MPI_Comm *newcomm)
{
    struct adi3_port_wait w = { .seconds = p->seconds, .fd = -1 };
    struct adi3_comm *made;

    *newcomm = MPI_COMM_NULL;
    int err = mpir_error_of_root(c, p->root, c->rank == p->root ? port_args(p, &w) : MPI_SUCCESS);
    if (!err)
        err = mpir_port_meet(c, p->root, p->side, p->port_name, &w, &made);
    if (!err)
        *newcomm = made->handle;
    return err;
}
