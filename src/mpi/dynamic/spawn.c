/* spawn.c — a spawn: root starts the job by the launcher, and waits for its process 0; then all
 * processes connect with the new ones, and learn what has become of each. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "mpi/comm/comm.h"
#include "mpi/dynamic/dynamic.h"
#include "mpi/dynamic/spawn.h"
#include "mpi/errhan/errhan.h"

enum { CODES = 256 };

struct spawning {
    int root;
    const struct mpir_spawn_args *args;
    int processes;               /* that root wants; 0: its arguments do not say */
    struct mpir_spawn_plan plan; /* of root, and so on: */
    struct adi3_spawn *spawn;
    struct adi3_port_link link;
    int *codes;
};

/* Whatever a spawn fails by is of one class, so that it is the same in all processes, but a wrong
 * value that root's launcher has found. */
static int spawn_error(int err)
{
    int errclass = err & ADI3_CLASS_MASK;

    if (!err || errclass == MPI_ERR_SPAWN || errclass == MPI_ERR_INFO_VALUE)
        return err;
    return mpir_error(MPI_ERR_SPAWN, "%s", mpir_error_cause(err));
}

/* ---- root's part ----------------------------------------------------------------------------- */

static int root_begin(struct spawning *x)
{
    int err = mpir_spawn_plan_make(x->args, &x->plan);

    if (err)
        return err;
    x->codes = calloc((size_t) x->plan.processes, sizeof *x->codes);
    if (!x->codes)
        return adi3_no_memory("for a spawn of %d processes", x->plan.processes);
    return spawn_error(adi3_spawn_begin(&x->plan.request, &x->spawn, &x->link));
}

static void root_free(struct spawning *x)
{
    mpir_spawn_plan_free(&x->plan);
    free(x->codes);
}

/* ---- all processes --------------------------------------------------------------------------- */

static void fill_codes(const struct spawning *x, int code)
{
    for (int i = 0; x->args->codes && i < x->processes; i++)
        x->args->codes[i] = code;
}

/* Where processes were left out all learn which. */
static int share_codes(struct adi3_comm *c, const struct spawning *x)
{
    int left_out = 0, some[CODES] = { 0 };

    if (c->rank == x->root)
        left_out = mpir_spawn_plan_codes(&x->plan, x->args, x->codes);
    int err = mpir_broadcast_id(c, x->root, &left_out, sizeof left_out);
    if (!left_out)
        fill_codes(x, MPI_SUCCESS);
    for (int i = 0; left_out && i < x->processes && !err; i += CODES) {
        size_t n = x->processes - i < CODES ? (size_t) (x->processes - i) : CODES;
        if (c->rank == x->root)
            memcpy(some, x->codes + i, n * sizeof *some);
        err = mpir_broadcast_id(c, x->root, some, sizeof some);
        if (!err && x->args->codes)
            memcpy(x->args->codes + i, some, n * sizeof *some);
    }
    return err;
}

static int connect_all(struct adi3_comm *c, struct spawning *x, struct adi3_comm **made)
{
    int err = mpir_connect(c, x->root, x->link.fd, x->link.key, made);

    if (c->rank == x->root) {
        (void) close(x->link.fd);
        adi3_spawn_end(x->spawn, !err, x->codes);
    }
    if (err)
        return spawn_error(err);
    err = share_codes(c, x);
    if (err)
        (void) mpir_let_go(*made);
    return err;
}

int mpir_spawn(struct adi3_comm *c, int root, const struct mpir_spawn_args *a,
               struct adi3_comm **made)
{
    struct spawning x = { .root = root, .args = a, .link.fd = -1 };
    int err = c->rank == root ? root_begin(&x) : MPI_SUCCESS;

    x.processes = x.plan.processes;
    err = mpir_error_of_root(c, root, err);
    int failed = mpir_broadcast_id(c, root, &x.processes, sizeof x.processes);
    if (!err)
        err = failed;
    if (!err)
        err = connect_all(c, &x, made);
    if (err)
        fill_codes(&x, MPI_ERR_SPAWN);
    root_free(&x);
    return err;
}
