/* ports.c — Y04, Y07: the two halves of MPI_COMM_WORLD meet by a port, several times, and part.
 *
 * MPICH 4.0 of Debian opens no port, as UCX has none. */
#include "mpitest.h"

enum { TIMES = 3, TAG = 7, LEN = 100000 };

static int rank, size, accepts; /* whether this process is in the half that accepts */
static MPI_Comm half;
static char port[MPI_MAX_PORT_NAME];

static void halves_make(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    accepts = rank % 2 == 0;
    MPI_Comm_split(MPI_COMM_WORLD, !accepts, rank, &half);
}

/* Process 0 opens the port; process 1 alone needs its name. */
static void port_open(void)
{
    memset(port, 0, sizeof port);
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        CHECK(memchr(port, '\0', sizeof port) && strlen(port) > 0 && !strchr(port, ' '));
    }
    if (rank == 0)
        MPI_Send(port, sizeof port, MPI_CHAR, 1, TAG, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(port, sizeof port, MPI_CHAR, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The arguments of others than root do not count. A message that the receiver has to ask for passes
 * while its sender waits in MPI_Comm_accept. */
static MPI_Comm halves_meet(void)
{
    int *data = mpitest_memory(LEN * sizeof *data);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm inter = MPI_COMM_NULL;

    if (rank == 0)
        MPI_Isend(data, LEN, MPI_INT, 1, TAG, MPI_COMM_WORLD, &request);
    if (rank == 1)
        MPI_Recv(data, LEN, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (accepts)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &inter);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, &inter);
    CHECK(inter != MPI_COMM_NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(data);
    return inter;
}

static void check_groups(MPI_Comm inter, MPI_Comm local)
{
    int is_inter, mine, ours, theirs, result;
    MPI_Group group, expected, remote, world, both;

    MPI_Comm_test_inter(inter, &is_inter);
    CHECK(is_inter);
    MPI_Comm_size(inter, &ours);
    MPI_Comm_rank(inter, &mine);
    MPI_Comm_group(inter, &group);
    MPI_Comm_group(local, &expected);
    MPI_Group_compare(group, expected, &result);
    CHECK_INT(result, MPI_IDENT);
    MPI_Comm_remote_size(inter, &theirs);
    MPI_Comm_remote_group(inter, &remote);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_intersection(remote, world, &both);
    MPI_Group_compare(both, remote, &result);
    CHECK_INT(result, MPI_IDENT);
    MPI_Group_free(&both);
    MPI_Group_intersection(remote, group, &both);
    CHECK(both == MPI_GROUP_EMPTY || (MPI_Group_size(both, &result), result == 0));
    if (both != MPI_GROUP_EMPTY)
        MPI_Group_free(&both);
    MPI_Group_free(&world);
    MPI_Group_free(&remote);
    MPI_Group_free(&expected);
    MPI_Group_free(&group);
}

static void check_messages(MPI_Comm inter)
{
    int sum = 0, mine = rank + 1, all = size * (size + 1) / 2, ours, theirs, both;
    MPI_Comm merged;

    MPI_Barrier(inter);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, inter);
    MPI_Allreduce(&mine, &ours, 1, MPI_INT, MPI_SUM, half);
    CHECK_INT(sum + ours, all);
    MPI_Comm_remote_size(inter, &theirs);
    for (int i = 0; i < theirs; i++) {
        int got = -1;
        MPI_Sendrecv(&rank, 1, MPI_INT, i, TAG, &got, 1, MPI_INT, i, TAG, inter, MPI_STATUS_IGNORE);
        CHECK_INT(got, 2 * i + accepts);
    }
    MPI_Intercomm_merge(inter, !accepts, &merged);
    MPI_Comm_size(merged, &both);
    CHECK_INT(both, size);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, merged);
    CHECK_INT(sum, all);
    MPI_Comm_disconnect(&merged);
    CHECK(merged == MPI_COMM_NULL);
}

/* MPI_Comm_disconnect waits for what is pending. */
static void pending_disconnect(MPI_Comm inter)
{
    int *out = mpitest_memory(LEN * sizeof *out), *in = mpitest_memory(LEN * sizeof *in), theirs,
        me;
    MPI_Request request[2] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL };
    MPI_Comm copy;

    MPI_Comm_dup(inter, &copy);
    MPI_Comm_rank(inter, &me);
    MPI_Comm_remote_size(inter, &theirs);
    for (int i = 0; i < LEN; i++)
        out[i] = rank * LEN + i;
    if (me < theirs) {
        MPI_Isend(out, LEN, MPI_INT, me, TAG, copy, &request[0]);
        MPI_Irecv(in, LEN, MPI_INT, me, TAG, copy, &request[1]);
    }
    MPI_Comm_disconnect(&copy);
    CHECK(copy == MPI_COMM_NULL);
    for (int i = 0; i < LEN && me < theirs; i++)
        CHECK_INT(in[i], (2 * me + accepts) * LEN + i);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Comm_disconnect(&inter);
    free(in);
    free(out);
}

/* The processes of the one half come in turn, each alone. */
static void come_in_turn(void)
{
    int n = size / 2, others = size - n, sum = 0, mine = accepts ? 0 : rank;
    MPI_Comm inter;

    if (!accepts)
        MPI_Bcast(port, sizeof port, MPI_CHAR, 0, half);
    for (int i = 0; i < n && accepts; i++) {
        int got = -1;
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &inter);
        check_groups(inter, half);
        MPI_Bcast(&got, 1, MPI_INT, 0, inter);
        sum += got;
        MPI_Comm_disconnect(&inter);
    }
    if (!accepts) {
        int theirs;
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter);
        check_groups(inter, MPI_COMM_SELF);
        MPI_Comm_remote_size(inter, &theirs);
        CHECK_INT(theirs, others);
        MPI_Bcast(&mine, 1, MPI_INT, MPI_ROOT, inter);
        MPI_Comm_disconnect(&inter);
    }
    if (accepts)
        CHECK_INT(sum, n * n); /* 1 + 3 + ... */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    halves_make();
    port_open();
    for (int i = 0; i < TIMES; i++) {
        MPI_Comm inter = halves_meet();
        check_groups(inter, half);
        check_messages(inter);
        pending_disconnect(inter);
    }
    come_in_turn();
    if (rank == 0)
        MPI_Close_port(port);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
