/* inter_make.c — G03, G04, G05, G10: communicators made of intercommunicators: duplicates, those of
 * subgroups and colors, also where one side has no process, and long chains of all. */
#include "model.h"

static int me, size;

static MPI_Comm create(MPI_Comm comm, int n, const int *members)
{
    MPI_Group group = model_group(n, members);
    MPI_Comm made = MPI_COMM_SELF;

    MPI_Comm_create(comm, group, &made);
    if (group != MPI_GROUP_EMPTY)
        MPI_Group_free(&group);
    return made;
}

static void dups(MPI_Comm inter, const struct model *m)
{
    enum { SEVERAL = 5 };
    MPI_Comm made[SEVERAL];

    for (int i = 0; i < SEVERAL; i++)
        MPI_Comm_dup(i ? made[i - 1] : inter, &made[i]);
    for (int i = 0; i < SEVERAL; i++)
        model_check(made[i * 3 % SEVERAL], m);
    for (int i = 0; i < SEVERAL; i++)
        model_end(&made[i], m);
}

/* Of each side the last process alone, and all but the last, both reversed. */
static void subgroups(MPI_Comm inter, const struct model *m)
{
    struct model last = { .size = 1, .peers = 1 }, others = { .size = 0 };
    MPI_Comm made;

    last.local[0] = m->local[m->size - 1];
    last.remote[0] = m->remote[m->peers - 1];
    made = create(inter, 1, last.local);
    model_end(&made, &last);
    for (int i = m->size - 2; i >= 0; i--)
        others.local[others.size++] = m->local[i];
    for (int i = m->peers - 2; i >= 0; i--)
        others.remote[others.peers++] = m->remote[i];
    made = create(inter, others.size, others.local);
    if (others.size && others.peers)
        model_end(&made, &others);
    else
        CHECK(made == MPI_COMM_NULL);
    made = create(inter, 0, NULL);
    CHECK(made == MPI_COMM_NULL);
}

/* One group on one side only. */
static void one_sided(MPI_Comm inter, const struct model *m, int upper)
{
    for (int side = 0; side < 2; side++) {
        MPI_Comm made = create(inter, upper == side ? m->size : 0, m->local);
        CHECK(made == MPI_COMM_NULL);
    }
}

/* The processes of both sides whose ranks have the same remainder, reversed by key. */
static void colors(MPI_Comm inter, const struct model *m, int k)
{
    int rank = model_place(m->size, m->local, me);
    struct model part = { .size = 0 };
    MPI_Comm made = MPI_COMM_SELF;

    for (int i = m->size - 1; i >= 0; i--)
        if (i % k == rank % k)
            part.local[part.size++] = m->local[i];
    for (int i = m->peers - 1; i >= 0; i--)
        if (i % k == rank % k)
            part.remote[part.peers++] = m->remote[i];
    MPI_Comm_split(inter, rank % k, -rank, &made);
    if (part.peers)
        model_end(&made, &part);
    else
        CHECK(made == MPI_COMM_NULL);
}

static void no_color(MPI_Comm inter, int upper)
{
    MPI_Comm made = MPI_COMM_SELF;

    MPI_Comm_split(inter, MPI_UNDEFINED, 0, &made);
    CHECK(made == MPI_COMM_NULL);
    made = MPI_COMM_SELF;
    MPI_Comm_split(inter, upper ? 1 : MPI_UNDEFINED, 0, &made);
    CHECK(made == MPI_COMM_NULL);
    made = MPI_COMM_SELF;
    MPI_Comm_split(inter, upper, 0, &made); /* each side has a color of its own */
    CHECK(made == MPI_COMM_NULL);
}

/* Merged, split, joined again, duplicated, merged; each communicator is freed as soon as the next
 * one is made. */
static void chain(int first)
{
    const struct model m = model_halves(size, first);
    struct model all = { .size = size };
    MPI_Comm inter = model_inter(size, first, 5), next, half;
    int upper = me >= first;

    for (int i = 0; i < size; i++)
        all.local[i] = i;
    for (int i = 0; i < 2; i++) {
        MPI_Intercomm_merge(inter, upper, &next);
        MPI_Comm_free(&inter);
        model_check(next, &all);
        MPI_Comm_split(next, upper, -me, &half);
        MPI_Comm_split(half, 0, me, &inter);
        MPI_Comm_free(&half);
        half = inter;
        MPI_Intercomm_create(half, 0, next, upper ? 0 : first, 5, &inter);
        MPI_Comm_free(&half);
        MPI_Comm_free(&next);
        MPI_Comm_dup(inter, &next);
        MPI_Comm_free(&inter);
        inter = next;
        model_check(inter, &m);
    }
    MPI_Intercomm_merge(inter, upper, &next);
    model_end(&inter, &m);
    model_end(&next, &all);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    for (int first = 1; first < size; first++) {
        const struct model m = model_halves(size, first);
        MPI_Comm inter = model_inter(size, first, 0);

        dups(inter, &m);
        subgroups(inter, &m);
        one_sided(inter, &m, me >= first);
        for (int k = 1; k <= 3; k++)
            colors(inter, &m, k);
        no_color(inter, me >= first);
        model_end(&inter, &m);
        chain(first);
    }
    MPI_Finalize();
    return 0;
}
