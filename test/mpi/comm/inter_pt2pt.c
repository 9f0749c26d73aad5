/* inter_pt2pt.c — G10, P01, P07: messages in an intercommunicator: ranks, also those in statuses,
 * are those of the remote group; sizes of the groups differ. */
#include "../pt2pt/pattern.h"
#include "model.h"

static int me, size;

/* All processes of the other group send to one, which receives from any source. */
static void from_anybody(MPI_Comm comm, const struct model *m)
{
    int seen[MODEL_MOST] = { 0 }, word = -1, place, rank;
    MPI_Status status;
    MPI_Request request;

    MPI_Comm_rank(comm, &rank);
    for (int target = 0; target < m->size || target < m->peers; target++) {
        if (target < m->peers)
            MPI_Isend(&me, 1, MPI_INT, target, target, comm, &request);
        memset(seen, 0, sizeof seen);
        for (int i = 0; i < m->peers && rank == target; i++) {
            MPI_Probe(MPI_ANY_SOURCE, target, comm, &status);
            place = status.MPI_SOURCE;
            MPI_Recv(&word, 1, MPI_INT, i % 2 ? place : MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
            place = status.MPI_SOURCE;
            CHECK(place >= 0 && place < m->peers && !seen[place]);
            seen[place] = 1;
            CHECK_INT(word, m->remote[place]);
            CHECK_INT(status.MPI_TAG, target);
        }
        if (target < m->peers)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Ranks that exist in only one of the groups. */
static void every_length(MPI_Comm comm, const struct model *m, int len)
{
    char *out = mpitest_memory((size_t) len),
         *in = mpitest_memory((size_t) len * (size_t) m->peers);
    MPI_Request request[2 * MODEL_MOST];
    MPI_Status status[2 * MODEL_MOST];
    int count;

    pattern_fill(out, (size_t) len, (unsigned) me);
    for (int i = 0; i < m->peers; i++) {
        MPI_Irecv(in + (size_t) i * (size_t) len, len, MPI_BYTE, i, 2, comm, &request[2 * i]);
        MPI_Issend(out, len, MPI_BYTE, i, 2, comm, &request[2 * i + 1]);
    }
    MPI_Waitall(2 * m->peers, request, status);
    for (int i = 0; i < m->peers; i++) {
        CHECK_PATTERN(in + (size_t) i * (size_t) len, (size_t) len, (unsigned) m->remote[i]);
        CHECK_INT(status[2 * i].MPI_SOURCE, i);
        MPI_Get_count(&status[2 * i], MPI_BYTE, &count);
        CHECK_INT(count, len);
    }
    free(in);
    free(out);
}

static void of_proc_null(MPI_Comm comm)
{
    int word = 7, flag = 0;
    MPI_Status status;
    MPI_Request request[2];

    MPI_Send(&word, 1, MPI_INT, MPI_PROC_NULL, 1, comm);
    MPI_Recv(&word, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &status);
    CHECK_INT(status.MPI_SOURCE, MPI_PROC_NULL);
    CHECK_INT(word, 7);
    MPI_Iprobe(MPI_PROC_NULL, 1, comm, &flag, &status);
    CHECK(flag && status.MPI_SOURCE == MPI_PROC_NULL);
    MPI_Isend(&word, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &request[0]);
    MPI_Irecv(&word, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status);
    CHECK(!flag);
}

/* Pairs of equal ranks, where both groups have them. */
static void both_at_once(MPI_Comm comm, const struct model *m)
{
    int rank, out = me, in = -1;
    MPI_Status status;

    MPI_Comm_rank(comm, &rank);
    int peer = rank < m->peers ? rank : MPI_PROC_NULL;
    MPI_Sendrecv(&out, 1, MPI_INT, peer, 1, &in, 1, MPI_INT, peer, 1, comm, &status);
    CHECK_INT(status.MPI_SOURCE, peer);
    CHECK_INT(in, peer == MPI_PROC_NULL ? -1 : m->remote[peer]);
    MPI_Sendrecv_replace(&out, 1, MPI_INT, peer, 2, peer, MPI_ANY_TAG, comm, &status);
    CHECK_INT(status.MPI_SOURCE, peer);
    CHECK_INT(out, peer == MPI_PROC_NULL ? me : m->remote[peer]);
}

static void persistent(MPI_Comm comm, const struct model *m)
{
    int rank, out = -1, in = -1;
    MPI_Request request[2];
    MPI_Status status[2];

    MPI_Comm_rank(comm, &rank);
    if (rank >= m->peers)
        return;
    MPI_Send_init(&out, 1, MPI_INT, rank, 4, comm, &request[0]);
    MPI_Recv_init(&in, 1, MPI_INT, rank, 4, comm, &request[1]);
    for (int i = 0; i < 10; i++) {
        out = 100 * i + me;
        MPI_Startall(2, request);
        MPI_Waitall(2, request, status);
        CHECK_INT(in, 100 * i + m->remote[rank]);
        CHECK_INT(status[1].MPI_SOURCE, rank);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

static void matched_probes(MPI_Comm comm, const struct model *m)
{
    int rank, in = -1, flag = 0;
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;

    MPI_Comm_rank(comm, &rank);
    if (rank >= m->peers)
        return;
    MPI_Isend(&me, 1, MPI_INT, rank, 6, comm, &request);
    while (!flag)
        MPI_Improbe(MPI_ANY_SOURCE, 6, comm, &flag, &message, &status);
    CHECK_INT(status.MPI_SOURCE, rank);
    MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
    CHECK_INT(status.MPI_SOURCE, rank);
    CHECK_INT(in, m->remote[rank]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* A pending message of a freed intercommunicator still arrives. */
static void freed_before(MPI_Comm *comm, const struct model *m)
{
    int in[MODEL_MOST];
    MPI_Request request[2 * MODEL_MOST];

    for (int i = 0; i < m->peers; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, i, 8, *comm, &request[2 * i]);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < m->peers; i++)
        MPI_Isend(&me, 1, MPI_INT, i, 8, *comm, &request[2 * i + 1]);
    MPI_Comm_free(comm);
    CHECK(*comm == MPI_COMM_NULL);
    MPI_Waitall(2 * m->peers, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < m->peers; i++)
        CHECK_INT(in[i], m->remote[i]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    for (int first = 1; first < size; first++) {
        const struct model m = model_halves(size, first);
        MPI_Comm inter = model_inter(size, first, first);

        from_anybody(inter, &m);
        for (int i = 0; i < PATTERN_WAYS - 1; i++)
            every_length(inter, &m, pattern_ways[i]);
        of_proc_null(inter);
        MPI_Barrier(MPI_COMM_WORLD);
        both_at_once(inter, &m);
        persistent(inter, &m);
        matched_probes(inter, &m);
        freed_before(&inter, &m);
    }
    MPI_Finalize();
    return 0;
}
