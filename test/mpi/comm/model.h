/* model.h — a model of a communicator, and checks against it: its groups in their order, and a
 * message from each process to each. */
#ifndef MODEL_H
#define MODEL_H

#include "mpitest.h"

enum { MODEL_MOST = 64 };

struct model { /* processes, by rank in MPI_COMM_WORLD */
    int size, local[MODEL_MOST];
    int peers, remote[MODEL_MOST]; /* peers: 0 for an intracommunicator */
};

static inline int model_place(int n, const int *members, int process)
{
    for (int i = 0; i < n; i++)
        if (members[i] == process)
            return i;
    return -1;
}

static inline int model_process(void)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/* The group of these processes, in this order. */
static inline MPI_Group model_group(int n, const int *members)
{
    MPI_Group world, group;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, n, members, &group);
    MPI_Group_free(&world);
    return group;
}

static inline void model_same_group(MPI_Group group, int n, const int *members)
{
    MPI_Group expected = model_group(n, members);
    int result = -1;

    MPI_Group_compare(group, expected, &result);
    CHECK_INT(result, MPI_IDENT);
    if (expected != MPI_GROUP_EMPTY)
        MPI_Group_free(&expected);
    MPI_Group_free(&group);
}

/* Each process sends a value to each other, with the same tag in all communicators. */
static inline void model_talk(MPI_Comm comm, const struct model *m)
{
    const int *members = m->peers ? m->remote : m->local;
    int n = m->peers ? m->peers : m->size, me = model_process();
    int out[MODEL_MOST][2], in[MODEL_MOST][2];
    MPI_Request request[2 * MODEL_MOST];
    MPI_Status status[2 * MODEL_MOST];

    for (int i = 0; i < n; i++) {
        in[i][0] = in[i][1] = -1;
        MPI_Irecv(in[i], 2, MPI_INT, i, MPI_ANY_TAG, comm, &request[i]);
    }
    for (int i = 0; i < n; i++) {
        out[i][0] = me;
        out[i][1] = members[i];
        MPI_Isend(out[i], 2, MPI_INT, i, 3, comm, &request[n + i]);
    }
    MPI_Waitall(2 * n, request, status);
    for (int i = 0; i < n; i++) {
        CHECK_INT(in[i][0], members[i]);
        CHECK_INT(in[i][1], me);
        CHECK_INT(status[i].MPI_SOURCE, i);
    }
}

static inline void model_shape(MPI_Comm comm, const struct model *m)
{
    int rank = -1, size = -1, peers = -1, inter = -1;
    MPI_Group group;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Comm_test_inter(comm, &inter);
    CHECK_INT(rank, model_place(m->size, m->local, model_process()));
    CHECK_INT(size, m->size);
    CHECK_INT(inter, m->peers > 0);
    MPI_Comm_group(comm, &group);
    model_same_group(group, m->size, m->local);
    if (!inter)
        return;
    MPI_Comm_remote_size(comm, &peers);
    CHECK_INT(peers, m->peers);
    MPI_Comm_remote_group(comm, &group);
    model_same_group(group, m->peers, m->remote);
}

/* Checks comm. Collective over the members; other processes have MPI_COMM_NULL. */
static inline void model_check(MPI_Comm comm, const struct model *m)
{
    if (model_place(m->size, m->local, model_process()) < 0) {
        CHECK(comm == MPI_COMM_NULL);
        return;
    }
    CHECK(comm != MPI_COMM_NULL);
    model_shape(comm, m);
    model_talk(comm, m);
}

/* Checks comm as above, and frees it. */
static inline void model_end(MPI_Comm *comm, const struct model *m)
{
    model_check(*comm, m);
    if (*comm != MPI_COMM_NULL)
        MPI_Comm_free(comm);
    CHECK(*comm == MPI_COMM_NULL);
}

/* ---- intercommunicators of the ranks of MPI_COMM_WORLD below and from `first` ---------------- */

/* The model that a process has of it, for the processes 0..size - 1; first: the first process of
 * the upper half. */
static inline struct model model_halves(int size, int first)
{
    struct model m = { 0 };
    int upper = model_process() >= first;

    for (int i = 0; i < size; i++) {
        if ((i >= first) == upper)
            m.local[m.size++] = i;
        else
            m.remote[m.peers++] = i;
    }
    return m;
}

/* Makes such an intercommunicator, 0 < first < size; the last process of each half is its
 * leader. */
static inline MPI_Comm model_inter(int size, int first, int tag)
{
    int upper = model_process() >= first;
    MPI_Comm half, inter;

    MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half);
    MPI_Intercomm_create(half, upper ? size - first - 1 : first - 1, MPI_COMM_WORLD,
                         upper ? first - 1 : size - 1, tag, &inter);
    MPI_Comm_free(&half);
    return inter;
}

#endif /* MODEL_H */
