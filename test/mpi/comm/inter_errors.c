/* inter_errors.c — G10, E07: wrong calls that make or take intercommunicators. An error that only a
 * leader can find, or a disagreement within a group, is an error in the whole group, and no process
 * hangs. Only for Starling: other libraries need not find out. */
#include "../env/starling.h"
#include "model.h"

static int me, size, upper, first;
static MPI_Comm half;

static void fails(int leader, MPI_Comm peer, int remote, int tag, int class)
{
    MPI_Comm made = MPI_COMM_SELF;

    CHECK_INT(error_class(MPI_Intercomm_create(half, leader, peer, remote, tag, &made)), class);
    CHECK(made == MPI_COMM_NULL);
}

/* Wrong at the leader alone; the other processes give right values, where they are significant. */
static void at_the_leader(MPI_Comm peer, int remote, int tag, int class)
{
    int rank;

    MPI_Comm_rank(half, &rank);
    if (rank == 0)
        fails(0, peer, remote, tag, class);
    else
        fails(0, MPI_COMM_WORLD, upper ? 0 : first, 0, MPI_ERR_COMM);
}

static void leaders(MPI_Comm freed)
{
    int rank, n, there = upper ? 0 : first;

    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &n);
    at_the_leader(MPI_COMM_NULL, there, 1, MPI_ERR_COMM);
    at_the_leader(freed, there, 1, MPI_ERR_COMM);
    at_the_leader(MPI_COMM_WORLD, size, 1, MPI_ERR_RANK);
    at_the_leader(MPI_COMM_WORLD, -1, 1, MPI_ERR_RANK);
    at_the_leader(MPI_COMM_WORLD, MPI_PROC_NULL, 1, MPI_ERR_RANK);
    at_the_leader(MPI_COMM_WORLD, MPI_ANY_SOURCE, 1, MPI_ERR_RANK);
    at_the_leader(MPI_COMM_WORLD, me, 1, MPI_ERR_RANK);
    at_the_leader(MPI_COMM_WORLD, there, -1, MPI_ERR_TAG);
    at_the_leader(MPI_COMM_WORLD, there, MPI_ANY_TAG, MPI_ERR_TAG);
    if (n > 1)
        fails(rank == n - 1 ? 0 : n - 1, MPI_COMM_WORLD, there, 1, MPI_ERR_RANK);
}

/* Nothing of the failed call is left that could match this one. */
static void still_works(void)
{
    const struct model m = model_halves(size, first);
    MPI_Comm made;

    CHECK_INT(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : first, 1, &made),
              MPI_SUCCESS);
    model_end(&made, &m);
}

/* Its only leader is its own remote leader. */
static void with_itself(void)
{
    MPI_Comm whole, made = MPI_COMM_SELF;

    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &whole);
    MPI_Comm_set_errhandler(whole, MPI_ERRORS_RETURN);
    CHECK(MPI_Intercomm_create(whole, 0, MPI_COMM_WORLD, 0, 1, &made) != MPI_SUCCESS);
    CHECK(made == MPI_COMM_NULL);
    MPI_Comm_free(&whole);
}

/* Functions that take intracommunicators only. */
static void not_intra(MPI_Comm inter)
{
    MPI_Comm made = MPI_COMM_SELF;
    MPI_Group group;

    MPI_Comm_group(inter, &group);
    CHECK_INT(error_class(MPI_Comm_create_group(inter, group, 0, &made)), MPI_ERR_COMM);
    MPI_Group_free(&group);
    CHECK_INT(error_class(MPI_Intercomm_create(inter, 0, MPI_COMM_WORLD, 0, 0, &made)),
              MPI_ERR_COMM);
    CHECK(made == MPI_COMM_NULL);
}

/* The remote group instead of the local one. */
static void remote_members(MPI_Comm inter)
{
    MPI_Comm made = MPI_COMM_SELF;
    MPI_Group group;

    MPI_Comm_remote_group(inter, &group);
    CHECK_INT(error_class(MPI_Comm_create(inter, group, &made)), MPI_ERR_GROUP);
    CHECK(made == MPI_COMM_NULL);
    MPI_Group_free(&group);
}

static void ranks(MPI_Comm inter)
{
    int peers, word;

    MPI_Comm_remote_size(inter, &peers);
    CHECK_INT(error_class(MPI_Send(&word, 1, MPI_INT, peers, 0, inter)), MPI_ERR_RANK);
    CHECK_INT(error_class(MPI_Recv(&word, 1, MPI_INT, peers, 0, inter, MPI_STATUS_IGNORE)),
              MPI_ERR_RANK);
    CHECK_INT(error_class(MPI_Comm_remote_size(inter, NULL)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Comm_remote_group(inter, NULL)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Intercomm_merge(inter, 0, NULL)), MPI_ERR_ARG);
}

/* The last process of the upper half gives another value than the first: an error there, and no
 * process hangs. */
static void high_differs(MPI_Comm inter)
{
    int rank, n, odd;
    MPI_Comm made = MPI_COMM_SELF;

    MPI_Comm_rank(inter, &rank);
    MPI_Comm_size(inter, &n);
    odd = upper && n > 1 && rank == n - 1;
    int err = MPI_Intercomm_merge(inter, upper && !odd, &made);
    CHECK_INT(error_class(err), odd ? MPI_ERR_ARG : MPI_SUCCESS);
    CHECK((made == MPI_COMM_NULL) == odd);
    if (!odd)
        MPI_Comm_free(&made);
}

int main(int argc, char **argv)
{
    MPI_Comm freed;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &freed);
    MPI_Comm stale = freed;
    MPI_Comm_free(&freed);
    with_itself();
    for (first = 1; first < size; first++) {
        upper = me >= first;
        MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half);
        leaders(stale);
        still_works();
        MPI_Comm_free(&half);
        MPI_Comm inter = model_inter(size, first, 0);
        not_intra(inter);
        remote_members(inter);
        ranks(inter);
        high_differs(inter);
        MPI_Comm_free(&inter);
    }
    MPI_Finalize();
    return 0;
}
