/* world.c — makes one communicator of several jobs, each with a launcher of its own.
 *
 * The environment says which jobs there are: JOBS_SIDE is the number of this one, JOBS_COUNT how
 * many there are, JOBS_NAME begins the names of the abstract sockets by which they find each other;
 * JOBS_KEY, if it is there, is the key of the connections.
 * Job 0 accepts job 1, both together accept job 2, and so on. The groups are merged in that
 * order. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "adi3/adi3_checkpoint.h"
#include "adi3/adi3_connect.h"
#include "adi3/proc/proc.h"
#include "mpi/coll/nodes.h"
#include "mpi/comm/comm.h"
#include "mpi/errhan/errhan.h"
#include "world.h"

MPI_Comm jobs_world = MPI_COMM_NULL;

_Noreturn static void fail(const char *what, const char *why)
{
    fprintf(stderr, "jobs: %s: %s\n", what, why);
    exit(3);
}

static int number(const char *name)
{
    const char *text = getenv(name);

    if (!text)
        fail(name, "not in the environment");
    return atoi(text);
}

union address {
    struct sockaddr any;
    struct sockaddr_un local;
    struct sockaddr_in ip;
};

/* Where job `guest` connects with those before it: an abstract socket, or a port of the address
 * that JOBS_NAME is when it has dots. */
static socklen_t address_of(int guest, union address *a)
{
    const char *name = getenv("JOBS_NAME");

    memset(a, 0, sizeof *a);
    if (inet_pton(AF_INET, name, &a->ip.sin_addr) == 1) {
        a->ip.sin_family = AF_INET;
        a->ip.sin_port = htons((uint16_t) (5000 + guest));
        return sizeof a->ip;
    }
    a->local.sun_family = AF_UNIX;
    int n = snprintf(a->local.sun_path + 1, sizeof a->local.sun_path - 1, "%s-%d", name, guest);
    return (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + (size_t) n);
}

/* The socket by which job `guest` connects with those before it: this end, or the other one. */
static int link_with(int guest, bool accepts)
{
    union address a;
    socklen_t len = address_of(guest, &a);
    int s = socket(a.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), c = s, yes = 1;

    (void) setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (accepts && (bind(s, &a.any, len) || listen(s, 1) || (c = accept(s, NULL, NULL)) < 0))
        fail("accepting a job", "no socket");
    for (int i = 0; !accepts && connect(s, &a.any, len); i++) {
        if (i == 20000)
            fail("connecting with a job", "nobody listens");
        usleep(1000);
    }
    if (c != s)
        close(s);
    return c;
}

int world_connect(MPI_Comm comm, int link, MPI_Comm *inter, char why[MPI_MAX_ERROR_STRING])
{
    unsigned char key[ADI3_KEY] = { 0 };
    struct mpir_call call = { .name = NULL };
    struct adi3_comm *c, *made;

    if (getenv("JOBS_KEY"))
        memcpy(key, getenv("JOBS_KEY"), strnlen(getenv("JOBS_KEY"), sizeof key));
    adi3_lock();
    adi3_current.call = "MPI_Comm_connect";
    int err = mpir_comm_arg(&call, comm, &c);
    err = err ? err : mpir_connect(c, 0, link, key, &made);
    (void) snprintf(why, MPI_MAX_ERROR_STRING, "%s", err ? mpir_error_cause(err) : "");
    if (!err)
        *inter = made->handle;
    adi3_unlock();
    return err;
}

int world_disconnect(MPI_Comm *comm)
{
    struct mpir_call call = { .name = NULL };
    struct adi3_comm *c;

    adi3_lock();
    adi3_current.call = "MPI_Comm_disconnect";
    int err = mpir_comm_arg(&call, *comm, &c);
    if (!err) {
        c->closed = ADI3_FREED;
        err = mpir_disconnect(c);
    }
    if (err)
        fprintf(stderr, "jobs: mpir_disconnect: %s\n", mpir_error_cause(err));
    adi3_unlock();
    *comm = MPI_COMM_NULL;
    return err;
}

struct world_known world_known(void)
{
    struct world_known known = { 0 };

    adi3_lock();
    for (int i = adi3_job.size; i < proc_count(); i++) {
        const struct adi3_proc *p = proc_at(i);
        const struct proc_job *job = proc_job_of(p);
        if (job == &proc_own_job) /* a number that is not in use */
            continue;
        known.processes++;
        known.linked += proc_links(p) > 0;
        known.jobs += i == job->first && !job->gone;
    }
    adi3_unlock();
    return known;
}

MPI_Comm world_meet(MPI_Comm comm, int guest, int accepts)
{
    char why[MPI_MAX_ERROR_STRING];
    MPI_Comm inter;
    int rank;

    PMPI_Comm_rank(comm, &rank);
    int s = rank == 0 ? link_with(guest, accepts) : -1;
    if (world_connect(comm, s, &inter, why)) {
        fprintf(stderr, "jobs: mpir_connect: %s\n", why);
        PMPI_Finalize(); /* nothing is left of the attempt */
        exit(3);
    }
    if (s >= 0)
        close(s);
    return inter;
}

/* Makes `comm`, which is freed unless it is MPI_COMM_WORLD, larger by a job. */
static MPI_Comm join(MPI_Comm comm, int guest, bool accepts)
{
    MPI_Comm inter = world_meet(comm, guest, accepts), merged;

    PMPI_Intercomm_merge(inter, !accepts, &merged);
    PMPI_Comm_free(&inter);
    if (comm != MPI_COMM_WORLD)
        PMPI_Comm_free(&comm);
    return merged;
}

static void join_all(void)
{
    int side = number("JOBS_SIDE"), count = number("JOBS_COUNT");

    jobs_world = MPI_COMM_WORLD;
    if (side > 0)
        jobs_world = join(jobs_world, side, false);
    for (int guest = side > 0 ? side + 1 : 1; guest < count; guest++)
        jobs_world = join(jobs_world, guest, true);
    PMPI_Comm_set_name(jobs_world, "MPI_COMM_WORLD");
}

int world_init(int *argc, char ***argv)
{
    int err = PMPI_Init(argc, argv);

    if (!err)
        join_all();
    return err;
}

int world_init_thread(int *argc, char ***argv, int required, int *provided)
{
    int err = PMPI_Init_thread(argc, argv, required, provided);

    if (!err)
        join_all();
    return err;
}

/* Errors of calls without a valid communicator go to the real MPI_COMM_WORLD. */
int world_set_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    if (comm == jobs_world)
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    return PMPI_Comm_set_errhandler(comm, handler);
}

int world_finalize(void)
{
    PMPI_Comm_free(&jobs_world);
    return PMPI_Finalize();
}

int world_has_segment(MPI_Comm comm)
{
    struct mpir_call call = { .name = NULL };
    struct adi3_comm *c;

    adi3_lock();
    int found = !mpir_comm_arg(&call, comm, &c) && c->shmcoll;
    adi3_unlock();
    return found;
}

int world_nodes(MPI_Comm comm, int *node)
{
    struct mpir_call call = { .name = NULL };
    const struct coll_nodes *n = NULL;
    struct adi3_comm *c;

    adi3_lock();
    if (!mpir_comm_arg(&call, comm, &c) && !c->together)
        n = coll_nodes_of(c);
    for (int i = 0; n && i < c->size; i++)
        node[i] = n->node[i];
    adi3_unlock();
    return n ? n->count : 0;
}

static int locked(int (*call)(void))
{
    adi3_lock();
    int err = call();
    adi3_unlock();
    return err;
}

int world_quiesce(void) { return locked(adi3_quiesce); }
int world_reopen(void) { return locked(adi3_reopen); }
