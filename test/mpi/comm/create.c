/* create.c — G05: communicators of groups: of some or all processes, in another order, several
 * disjoint groups in one call, the empty group. */
#include "model.h"

static int me, size;

static struct model of(int n, const int *members)
{
    struct model m = { .size = n };

    memcpy(m.local, members, sizeof(int) * (size_t) n);
    return m;
}

static MPI_Comm create(MPI_Comm comm, const struct model *m)
{
    MPI_Group group = model_group(m->size, m->local);
    MPI_Comm made = MPI_COMM_SELF;

    CHECK_INT(MPI_Comm_create(comm, group, &made), MPI_SUCCESS);
    if (group != MPI_GROUP_EMPTY)
        MPI_Group_free(&group);
    return made;
}

/* The first n processes, reversed or not. The other processes give the same group, or the empty
 * one. */
static void of_some(int n, int reversed, int others_know)
{
    int members[MODEL_MOST];

    for (int i = 0; i < n; i++)
        members[i] = reversed ? n - 1 - i : i;
    const struct model m = of(n, members), none = { .size = 0 };
    MPI_Comm made = create(MPI_COMM_WORLD, me < n || others_know ? &m : &none);
    model_end(&made, &m);
}

/* Each process is in one of k groups, given in one call; the members of a group are in any
 * order. */
static void disjoint(int k)
{
    int members[MODEL_MOST], n = 0;

    for (int i = size - 1; i >= 0; i--)
        if (i % k == me % k)
            members[n++] = i;
    const struct model m = of(n, members);
    MPI_Comm made = create(MPI_COMM_WORLD, &m);
    model_end(&made, &m);
}

/* One group, and MPI_GROUP_EMPTY elsewhere: the processes outside may return at any time. */
static void empty(void)
{
    MPI_Comm made = MPI_COMM_WORLD;

    MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &made);
    CHECK(made == MPI_COMM_NULL);
    made = MPI_COMM_WORLD;
    MPI_Comm_create(MPI_COMM_SELF, MPI_GROUP_EMPTY, &made);
    CHECK(made == MPI_COMM_NULL);
}

/* The same group of a communicator with other ranks gives the same order. */
static void of_another(void)
{
    int members[MODEL_MOST];
    MPI_Comm reversed, made;

    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed);
    for (int i = 0; i < size; i++)
        members[i] = (i + 1) % size;
    const struct model m = of(size, members);
    made = create(reversed, &m);
    MPI_Comm_free(&reversed);
    model_end(&made, &m);
}

/* Communicators of communicators, until one process is left. */
static void smaller_and_smaller(void)
{
    int members[MODEL_MOST];
    MPI_Comm all[MODEL_MOST] = { MPI_COMM_WORLD };
    int n;

    for (n = 1; n < size && me >= n; n++) {
        for (int i = n; i < size; i++)
            members[i - n] = i;
        const struct model m = of(size - n, members);
        all[n] = create(all[n - 1], &m);
        model_check(all[n], &m);
    }
    if (n < size) {
        for (int i = n; i < size; i++)
            members[i - n] = i;
        const struct model m = of(size - n, members);
        all[n] = create(all[n - 1], &m);
        CHECK(all[n] == MPI_COMM_NULL);
    }
    while (--n > 0)
        MPI_Comm_free(&all[n]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    for (int n = 0; n <= size; n++)
        for (int i = 0; i < 4; i++)
            of_some(n, i % 2, i / 2);
    for (int k = 1; k <= size; k++)
        disjoint(k);
    empty();
    of_another();
    smaller_and_smaller();
    MPI_Finalize();
    return 0;
}
