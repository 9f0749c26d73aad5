/* call_order.c — blocking and nonblocking collective calls that change places: the standard does
 * not allow it (§5.12), but no call takes the messages of another one, so that the data is right.
 * One line says so. Only for Starling: it is an error in a program. */
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "coll_test.h"

enum { MOST = 70001 };

static int in[MOST], out[MOST], other[MOST], all[64];

/* ---- calls ----------------------------------------------------------------------------------- */

static void barrier(struct me m, int n)
{
    (void) n;
    MPI_Barrier(m.comm);
}

static void bcast(struct me m, int n)
{
    int root = m.size - 1;

    for (int i = 0; i < n; i++)
        other[i] = m.rank == root ? value(root, i, 3) : -1;
    MPI_Bcast(other, n, MPI_INT, root, m.comm);
    check_values(other, root, n, 3);
}

static void allreduce(struct me m, int n)
{
    for (int i = 0; i < n; i++)
        other[i] = m.rank == i % m.size;
    MPI_Allreduce(MPI_IN_PLACE, other, n, MPI_INT, MPI_SUM, m.comm);
    for (int i = 0; i < n; i++)
        CHECK_INT(other[i], 1);
}

static void gather(struct me m, int n)
{
    (void) n;
    MPI_Gather(&m.rank, 1, MPI_INT, all, 1, MPI_INT, 0, m.comm);
    for (int i = 0; i < m.size && m.rank == 0; i++)
        CHECK_INT(all[i], i);
}

static void begin_allreduce(struct me m, int n, MPI_Request *r)
{
    for (int i = 0; i < n; i++)
        in[i] = m.rank + i;
    MPI_Iallreduce(in, out, n, MPI_INT, MPI_MAX, m.comm, r);
}

static void end_allreduce(struct me m, int n)
{
    for (int i = 0; i < n; i++)
        CHECK_INT(out[i], m.size - 1 + i);
}

static void begin_bcast(struct me m, int n, MPI_Request *r)
{
    for (int i = 0; i < n; i++)
        out[i] = m.rank == 0 ? value(0, i, 5) : -1;
    MPI_Ibcast(out, n, MPI_INT, 0, m.comm, r);
}

static void end_bcast(struct me m, int n)
{
    (void) m;
    check_values(out, 0, n, 5);
}

static void begin_neighbors(struct me m, int n, MPI_Request *r)
{
    (void) n;
    in[0] = in[1] = m.rank;
    MPI_Ineighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, m.comm, r);
}

static void end_neighbors(struct me m, int n)
{
    (void) n;
    CHECK_INT(out[0], (m.rank + m.size - 1) % m.size);
    CHECK_INT(out[1], (m.rank + 1) % m.size);
}

static MPI_Comm copy;

static void begin_dup(struct me m, int n, MPI_Request *r)
{
    (void) n;
    MPI_Comm_idup(m.comm, &copy, r);
}

static void end_dup(struct me m, int n)
{
    int sum = 0;

    (void) n;
    MPI_Allreduce(&m.rank, &sum, 1, MPI_INT, MPI_SUM, copy);
    CHECK_INT(sum, m.size * (m.size - 1) / 2);
    MPI_Comm_free(&copy);
}

/* ---- two that change places ------------------------------------------------------------------ */

static void (*const blocking[])(struct me m, int n) = { barrier, bcast, allreduce, gather };

static const struct {
    void (*begin)(struct me m, int n, MPI_Request *r);
    void (*end)(struct me m, int n);
} nonblocking[] = {
    { begin_allreduce, end_allreduce },
    { begin_bcast, end_bcast },
    { begin_neighbors, end_neighbors },
    { begin_dup, end_dup },
};

static void change_places(struct me m, int i, int k, int n)
{
    MPI_Request r;

    if (m.rank == 0)
        nonblocking[i].begin(m, n, &r);
    blocking[k](m, n);
    if (m.rank != 0)
        nonblocking[i].begin(m, n, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    nonblocking[i].end(m, n);
}

/* A persistent operation is started meanwhile. */
static void test_all(struct me m)
{
    int sum = 0, one = 1;
    MPI_Request r;

    MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, m.comm, MPI_INFO_NULL, &r);
    for (int n = 1; n <= MOST; n = n == 1 ? 5003 : n + MOST - 5003)
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++) {
                MPI_Start(&r);
                change_places(m, i, k, n);
                MPI_Wait(&r, MPI_STATUS_IGNORE);
                CHECK_INT(sum, m.size);
            }
    MPI_Request_free(&r);
}

/* The first process is a group, all others are the other one. */
static void test_between(struct me m)
{
    MPI_Comm group, between;
    MPI_Request r;
    int got = -1;

    MPI_Comm_split(m.comm, m.rank > 0, 0, &group);
    MPI_Intercomm_create(group, 0, m.comm, m.rank == 0, 0, &between);
    if (m.rank == 0)
        MPI_Iallreduce(&m.rank, &got, 1, MPI_INT, MPI_MAX, between, &r);
    MPI_Barrier(between);
    if (m.rank != 0)
        MPI_Iallreduce(&m.rank, &got, 1, MPI_INT, MPI_MAX, between, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    CHECK_INT(got, m.rank == 0 ? m.size - 1 : 0);
    MPI_Comm_free(&between);
    MPI_Comm_free(&group);
}

/* Processes wait so long that they ask the first one, which waits for something else. */
static void test_late(struct me m)
{
    const struct timespec pause = { .tv_sec = 1, .tv_nsec = 300000000 };
    MPI_Request r;
    int token = 0;

    if (m.rank == m.size - 1) {
        nanosleep(&pause, NULL);
        MPI_Send(&token, 1, MPI_INT, 0, 0, m.comm);
    }
    if (m.rank == 0) {
        begin_allreduce(m, 1, &r);
        MPI_Recv(&token, 1, MPI_INT, m.size - 1, 0, m.comm, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(m.comm);
    if (m.rank != 0)
        begin_allreduce(m, 1, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    end_allreduce(m, 1);
}

int main(int argc, char **argv)
{
    int shown = dup(STDERR_FILENO), file = memfd_create("said", MFD_CLOEXEC), size, yes = 1;
    char said[4096] = "", how = argc > 1 ? argv[1][0] : 'a';
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    dup2(file, STDERR_FILENO);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &yes, 0, &comm);
    struct me m = whoami(comm);
    if (how == 'b')
        test_between(m);
    else if (how == 'l')
        test_late(m);
    else
        test_all(m);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    dup2(shown, STDERR_FILENO);
    const char *line = pread(file, said, sizeof said - 1, 0) > 0 ? strchr(said, '\n') : NULL;
    bool told = line && !line[1] && strstr(said, "must be the same in all processes");
    if (m.rank == 0 && how != 'b' ? !told : *said != '\0')
        return fprintf(stderr, "rank %d said '%s'\n", m.rank, said), 1;
    return 0;
}
