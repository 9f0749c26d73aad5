/* inter.c — G10, G02: intercommunicators of groups of all sizes, with any leaders and several kinds
 * of peer communicator, next to messages of the same tag; merging them in both orders. */
#include "model.h"

static int me, size;

/* The halves are the ranks below first and from first on, reversed or not. */
static struct model halves(int first, int reversed)
{
    struct model m = model_halves(size, first), r = m;

    for (int i = 0; reversed && i < m.size; i++)
        r.local[i] = m.local[m.size - 1 - i];
    for (int i = 0; reversed && i < m.peers; i++)
        r.remote[i] = m.remote[m.peers - 1 - i];
    return r;
}

/* Ranks of the leaders in their groups: 0 or the last. Arguments that are not significant are
 * wrong. */
static void connect(MPI_Comm peer, int peer_reversed, int first, int reversed, int tag)
{
    const struct model m = halves(first, reversed);
    int lead = tag % 2 ? m.size - 1 : 0, remote = m.remote[tag % 2 ? m.peers - 1 : 0], rank;
    MPI_Comm half, inter = MPI_COMM_NULL;

    MPI_Comm_split(MPI_COMM_WORLD, me >= first, reversed ? -me : me, &half);
    MPI_Comm_rank(half, &rank);
    if (rank == lead)
        MPI_Intercomm_create(half, lead, peer, peer_reversed ? size - 1 - remote : remote, tag,
                             &inter);
    else
        MPI_Intercomm_create(half, lead, MPI_COMM_NULL, -17, tag, &inter);
    MPI_Comm_free(&half);
    model_end(&inter, &m);
}

static void all_shapes(void)
{
    MPI_Comm dup, reversed;

    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed);
    for (int first = 1; first < size; first++) {
        for (int i = 0; i < 4; i++)
            connect(i / 2 ? dup : MPI_COMM_WORLD, 0, first, i % 2, i);
        connect(reversed, 1, first, 0, 32767);
        connect(reversed, 1, first, 1, 0);
    }
    MPI_Comm_free(&reversed);
    MPI_Comm_free(&dup);
}

/* Messages of the leaders in the peer communicator, with the same tag, and receives that would
 * match anything: none matches a message of MPI_Intercomm_create. */
static void amid_traffic(int tag)
{
    const struct model m = model_halves(size, 1);
    int next = (me + 1) % size, previous = (me + size - 1) % size, got[2] = { -1, -1 };
    MPI_Request request[4];
    MPI_Comm inter;

    MPI_Irecv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(&me, 1, MPI_INT, next, tag, MPI_COMM_WORLD, &request[1]);
    inter = model_inter(size, 1, tag);
    MPI_Isend(&next, 1, MPI_INT, next, tag, MPI_COMM_WORLD, &request[2]);
    MPI_Irecv(&got[1], 1, MPI_INT, previous, tag, MPI_COMM_WORLD, &request[3]);
    model_check(inter, &m);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    CHECK_INT(got[0], previous);
    CHECK_INT(got[1], me);
    model_end(&inter, &m);
}

/* ---- merging --------------------------------------------------------------------------------- */

/* The group with high = 1 comes second; with equal values one group comes as a whole before the
 * other. */
static void merge(MPI_Comm inter, const struct model *m, int high, int other)
{
    struct model whole = { .size = size };
    int first = me, ours_first;
    MPI_Comm made;

    MPI_Intercomm_merge(inter, high ? 17 : 0, &made);
    MPI_Bcast(&first, 1, MPI_INT, 0, made);
    ours_first = model_place(m->size, m->local, first) == 0;
    if (high != other)
        CHECK_INT(ours_first, !high);
    const int *a = ours_first ? m->local : m->remote, *b = ours_first ? m->remote : m->local;
    int n = ours_first ? m->size : m->peers;
    memcpy(whole.local, a, sizeof(int) * (size_t) n);
    memcpy(whole.local + n, b, sizeof(int) * (size_t) (size - n));
    model_end(&made, &whole);
}

static void merges(int first)
{
    const struct model m = model_halves(size, first);
    int upper = me >= first;
    MPI_Comm inter = model_inter(size, first, 1);

    merge(inter, &m, 0, 0);
    merge(inter, &m, upper, !upper);
    merge(inter, &m, !upper, upper);
    merge(inter, &m, 1, 1);
    model_end(&inter, &m);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static int compared(MPI_Comm a, MPI_Comm b)
{
    int result = -1, reverse = -1;

    MPI_Comm_compare(a, b, &result);
    MPI_Comm_compare(b, a, &reverse);
    CHECK_INT(result, reverse);
    return result;
}

/* Three processes at least: processes 0 and 1 against the others, or each group in other orders. */
static void compare(void)
{
    MPI_Comm inter = model_inter(size, 2, 3), again = model_inter(size, 2, 4), other, dup, half;

    MPI_Comm_dup(inter, &dup);
    CHECK_INT(compared(inter, inter), MPI_IDENT);
    CHECK_INT(compared(inter, again), MPI_CONGRUENT);
    CHECK_INT(compared(inter, dup), MPI_CONGRUENT);
    CHECK_INT(compared(inter, MPI_COMM_WORLD), MPI_UNEQUAL);
    CHECK_INT(compared(inter, MPI_COMM_SELF), MPI_UNEQUAL);
    MPI_Comm_free(&dup);
    MPI_Comm_free(&again);
    MPI_Comm_split(MPI_COMM_WORLD, me >= 2, me < 2 ? -me : 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me < 2 ? 2 : 1, 3, &other);
    CHECK_INT(compared(inter, other), MPI_SIMILAR);
    MPI_Comm_free(&half);
    MPI_Comm_free(&other);
    MPI_Comm_split(inter, me > 0, 0, &other); /* process 0 has no peer in the remote group */
    if (me == 0) {
        CHECK(other == MPI_COMM_NULL);
    } else {
        CHECK_INT(compared(inter, other), MPI_UNEQUAL);
        MPI_Comm_free(&other);
    }
    MPI_Comm_free(&inter);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    all_shapes();
    for (int i = 0; i < 10 && size > 1; i++)
        amid_traffic(i);
    for (int first = 1; first < size; first++)
        merges(first);
    if (size > 2)
        compare();
    MPI_Finalize();
    return 0;
}
