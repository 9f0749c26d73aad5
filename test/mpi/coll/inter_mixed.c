/* inter_mixed.c — C02, C13, C14: operations between two groups one after the other, many at the
 * same time, started in any order, among messages and among operations within the groups. */
#include <time.h>
#include "inter.h"

enum { LARGE = 100000, ROUNDS = 30, AT_ONCE = 4 };

static int sum_of(const struct inter *in, int side)
{
    int s = 0;

    for (int r = 0; r < inter_size(in, side); r++)
        s += inter_who(side, r);
    return s;
}

/* Some processes are ahead of others by several operations; roots and directions change. */
static void one_after_the_other(const struct inter *in)
{
    const struct timespec pause = { .tv_nsec = 300000 };

    for (int round = 0; round < ROUNDS; round++) {
        struct root r = { round / 2 % 2, round % inter_size(in, round / 2 % 2) };
        int root = inter_root(in, r), me = inter_me(in), got = me, result = -1;

        if (round % 7 == in->rank % 7)
            nanosleep(&pause, NULL);
        MPI_Bcast(&got, 1, MPI_INT, root, in->comm);
        CHECK_INT(got, root < 0 ? me : inter_who(r.side, r.rank));
        MPI_Reduce(&me, &result, 1, MPI_INT, MPI_SUM, root, in->comm);
        CHECK_INT(result, root == MPI_ROOT ? sum_of(in, !in->side) : -1);
        MPI_Allreduce(&me, &result, 1, MPI_INT, MPI_SUM, in->comm);
        CHECK_INT(result, sum_of(in, !in->side));
    }
}

/* A receive from any source with any tag takes no message of an operation, and no operation
 * takes a message of the user. */
static void among_messages(const struct inter *in)
{
    int got = -1, me = inter_me(in), result;
    MPI_Request r;

    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, in->comm, &r);
    MPI_Barrier(in->comm);
    MPI_Allreduce(&me, &result, 1, MPI_INT, MPI_SUM, in->comm);
    CHECK_INT(result, sum_of(in, !in->side));
    CHECK_INT(got, -1);
    MPI_Barrier(in->comm);
    for (int i = in->rank; i < in->peers; i += in->size) /* one to each process */
        MPI_Send(&me, 1, MPI_INT, i, 3, in->comm);
    MPI_Allreduce(&me, &result, 1, MPI_INT, MPI_MAX, in->comm);
    CHECK_INT(result, inter_peer(in, in->peers - 1));
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    CHECK_INT(got, inter_peer(in, in->rank % in->peers));
}

/* Both groups start the same broadcasts, gathers and exchanges of large data, and wait for them
 * in different orders. */
static void many_at_once(const struct inter *in)
{
    int me = inter_me(in), *v = values(me, LARGE, 1), *got[2], result;
    int *all = ints(in->peers * LARGE), *exchanged = ints(in->peers);
    MPI_Request r[6];

    for (int side = 0; side < 2; side++) {
        int root = inter_root(in, (struct root) { side, 0 });
        got[side] = values(me, LARGE, 1);
        MPI_Ibcast(got[side], LARGE, MPI_INT, root, in->comm, &r[side]);
    }
    MPI_Iallgather(v, LARGE, MPI_INT, all, LARGE, MPI_INT, in->comm, &r[2]);
    MPI_Ibarrier(in->comm, &r[3]);
    MPI_Ialltoall(v, 1, MPI_INT, exchanged, 1, MPI_INT, in->comm, &r[4]);
    MPI_Iallreduce(&me, &result, 1, MPI_INT, MPI_SUM, in->comm, &r[5]);
    inter_wait(&r[(in->rank + 3 * in->side) % 6]);
    MPI_Waitall(6, r, MPI_STATUSES_IGNORE);
    check_values(got[in->side], me, LARGE, 1);
    check_values(got[!in->side], inter_peer(in, 0), LARGE, 1);
    for (int i = 0; i < in->peers; i++) {
        check_values(all + i * LARGE, inter_peer(in, i), LARGE, 1);
        CHECK_INT(exchanged[i], value(inter_peer(in, i), in->rank, 1));
    }
    CHECK_INT(result, sum_of(in, !in->side));
    free(exchanged);
    free(all);
    free(got[1]);
    free(got[0]);
    free(v);
}

/* ---- persistent ones ------------------------------------------------------------------------- */

/* Two persistent operations are started again and again with other data, in either order, with
 * other operations in between. */
static void again_and_again(const struct inter *in)
{
    int mine, sum = -1, *v = ints(in->peers), *w = ints(in->peers), first = in->rank % 2, word;
    MPI_Request r[2];

    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, in->comm, MPI_INFO_NULL, &r[0]);
    MPI_Alltoall_init(v, 1, MPI_INT, w, 1, MPI_INT, in->comm, MPI_INFO_NULL, &r[1]);
    for (int round = 0; round < ROUNDS; round++) {
        mine = inter_me(in) + round;
        for (int i = 0; i < in->peers; i++)
            v[i] = value(inter_me(in), i, round);
        MPI_Start(&r[first]);
        MPI_Allreduce(&round, &word, 1, MPI_INT, MPI_MAX, in->comm);
        CHECK_INT(word, round);
        MPI_Start(&r[!first]);
        inter_wait(&r[first]);
        inter_wait(&r[!first]);
        CHECK_INT(sum, sum_of(in, !in->side) + round * in->peers);
        for (int i = 0; i < in->peers; i++)
            CHECK_INT(w[i], value(inter_peer(in, i), in->rank, round));
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    free(w);
    free(v);
}

/* ---- beside others --------------------------------------------------------------------------- */

/* One operation on the communicator, one on its duplicate, which is freed before the operation
 * is complete. */
static void on_a_duplicate(const struct inter *in)
{
    int me = inter_me(in), here, there;
    MPI_Request r[2];
    MPI_Comm dup;

    MPI_Comm_dup(in->comm, &dup);
    MPI_Iallreduce(&me, &there, 1, MPI_INT, MPI_MAX, dup, &r[0]);
    MPI_Iallreduce(&me, &here, 1, MPI_INT, MPI_MIN, in->comm, &r[1]);
    MPI_Comm_free(&dup);
    inter_wait(&r[1]);
    inter_wait(&r[0]);
    CHECK_INT(here, inter_peer(in, 0));
    CHECK_INT(there, inter_peer(in, in->peers - 1));
}

/* Communicators are made from an intercommunicator while its first operations wait for a late
 * group: the messages of the operations within a group are not mixed up with those that make the
 * communicators. */
static void while_others_are_made(const struct inter *in, int late)
{
    const struct timespec pause = { .tv_nsec = 5000000 };
    int me = inter_me(in), *got[AT_ONCE];
    MPI_Request r[AT_ONCE];
    MPI_Comm dup, made;

    MPI_Comm_dup(in->comm, &dup);
    if (in->side == late)
        nanosleep(&pause, NULL);
    for (int i = 0; i < AT_ONCE; i++) {
        got[i] = ints(in->peers);
        MPI_Iallgather(&me, 1, MPI_INT, got[i], 1, MPI_INT, dup, &r[i]);
    }
    MPI_Comm_split(dup, 0, -in->rank, &made);
    MPI_Barrier(made);
    MPI_Comm_free(&made);
    MPI_Intercomm_merge(dup, in->side, &made);
    MPI_Barrier(made);
    MPI_Comm_free(&made);
    MPI_Comm_free(&dup);
    MPI_Waitall(AT_ONCE, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < AT_ONCE; i++) {
        for (int k = 0; k < in->peers; k++)
            CHECK_INT(got[i][k], inter_peer(in, k));
        free(got[i]);
    }
}

static void test(const struct inter *in)
{
    one_after_the_other(in);
    among_messages(in);
    many_at_once(in);
    again_and_again(in);
    on_a_duplicate(in);
    while_others_are_made(in, 0);
    while_others_are_made(in, 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    inter_each(test);
    MPI_Finalize();
    return 0;
}
