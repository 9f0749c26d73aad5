/* inter.h — intercommunicators that divide the processes into two groups in several ways, and
 * collective operations on them in their three forms. */
#ifndef INTER_H
#define INTER_H

#include "coll_test.h"

struct inter { /* this process in an intercommunicator */
    MPI_Comm comm;
    int side, rank, size, peers; /* side: 0 or 1, our group; peers: size of the other group */
};

/* The rank that stands for a process of either group in value(). */
static inline int inter_who(int side, int rank) { return side * 50 + rank; }
static inline int inter_me(const struct inter *in) { return inter_who(in->side, in->rank); }
static inline int inter_peer(const struct inter *in, int rank)
{
    return inter_who(!in->side, rank);
}
static inline int inter_size(const struct inter *in, int side)
{
    return in->side == side ? in->size : in->peers;
}

/* Where the root is, and the root argument of each process. */
struct root {
    int side, rank;
};

static inline int inter_root(const struct inter *in, struct root r)
{
    if (in->side != r.side)
        return r.rank;
    return in->rank == r.rank ? MPI_ROOT : MPI_PROC_NULL;
}

/* ---- the three forms ------------------------------------------------------------------------- */

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

static inline void inter_wait(MPI_Request *r)
{
    CHECK(MPI_Wait(r, MPI_STATUS_IGNORE) == MPI_SUCCESS);
}

/* Starts it twice, to see that it works again. */
static inline void inter_start(MPI_Request *r)
{
    for (int i = 0; i < 2; i++) {
        CHECK(MPI_Start(r) == MPI_SUCCESS);
        inter_wait(r);
    }
    CHECK(MPI_Request_free(r) == MPI_SUCCESS);
}

/* IN_FORM(form, Bcast, Ibcast, arguments...): calls MPI_Bcast in that form and completes it. */
#define IN_FORM(form, Name, Iname, ...)                                                            \
    do {                                                                                           \
        MPI_Request request_;                                                                      \
        if ((form) == BLOCKING) {                                                                  \
            CHECK(MPI_##Name(__VA_ARGS__) == MPI_SUCCESS);                                         \
        } else if ((form) == NONBLOCKING) {                                                        \
            CHECK(MPI_##Iname(__VA_ARGS__, &request_) == MPI_SUCCESS);                             \
            inter_wait(&request_);                                                                 \
        } else {                                                                                   \
            CHECK(MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &request_) == MPI_SUCCESS);        \
            inter_start(&request_);                                                                \
        }                                                                                          \
    } while (0)

/* ---- the groups ------------------------------------------------------------------------------ */

typedef void inter_test(const struct inter *in);

/* The leader of a side is its lowest rank in MPI_COMM_WORLD. */
static inline void inter_run(inter_test *test, const int *sides, int key)
{
    struct inter in;
    MPI_Comm half;
    int me, there = 0;

    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    while (sides[there] == sides[me])
        there++;
    in.side = sides[me];
    MPI_Comm_split(MPI_COMM_WORLD, in.side, key * me, &half);
    int lowest = me, leader;
    MPI_Allreduce(&me, &lowest, 1, MPI_INT, MPI_MIN, half);
    MPI_Comm_rank(half, &in.rank);
    leader = me == lowest ? in.rank : -1;
    MPI_Allreduce(MPI_IN_PLACE, &leader, 1, MPI_INT, MPI_MAX, half);
    CHECK(MPI_Intercomm_create(half, leader, MPI_COMM_WORLD, there, 1, &in.comm) == MPI_SUCCESS);
    MPI_Comm_free(&half);
    MPI_Comm_size(in.comm, &in.size);
    MPI_Comm_remote_size(in.comm, &in.peers);
    test(&in);
    CHECK(MPI_Comm_free(&in.comm) == MPI_SUCCESS);
}

/* Runs a test on intercommunicators of MPI_COMM_WORLD, of two processes or more: the first
 * process against the others, all but the last against it, halves, and even ranks against odd
 * ranks in reverse. Collective. */
static inline void inter_each(inter_test *test)
{
    int size, *sides;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sides = ints(size);
    const int firsts[] = { 1, size - 1, size / 2 };
    for (int i = 0; i < 3; i++) {
        for (int r = 0; r < size; r++)
            sides[r] = r >= firsts[i];
        if (i == 0 || firsts[i] > 1)
            inter_run(test, sides, 1);
    }
    for (int r = 0; r < size; r++)
        sides[r] = r % 2;
    inter_run(test, sides, -1);
    free(sides);
}

static inline void inter_each_root(const struct inter *in,
                                   void (*test)(const struct inter *in, struct root r))
{
    struct root r;

    for (r.side = 0; r.side < 2; r.side++)
        for (r.rank = 0; r.rank < inter_size(in, r.side); r.rank++)
            test(in, r);
}

#endif /* INTER_H */
