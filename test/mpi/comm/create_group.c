/* create_group.c — G06: only the members call MPI_Comm_create_group, whatever the other processes
 * do meanwhile. Its tag does not match messages of the same tag, nor other operations. */
#include "model.h"

static int me, size;

static struct model up_to(int n)
{
    struct model m = { .size = n };

    for (int i = 0; i < n; i++)
        m.local[i] = n - 1 - i;
    return m;
}

static MPI_Comm create(MPI_Comm comm, const struct model *m, int tag)
{
    MPI_Group group = model_group(m->size, m->local);
    MPI_Comm made = MPI_COMM_SELF;

    CHECK_INT(MPI_Comm_create_group(comm, group, tag, &made), MPI_SUCCESS);
    if (group != MPI_GROUP_EMPTY)
        MPI_Group_free(&group);
    return made;
}

/* The other processes get their go-ahead only after the members have communicated in it. */
static void members_alone(int n, int tag)
{
    const struct model m = up_to(n);
    int word = -1;

    if (me < n) {
        MPI_Comm made = create(MPI_COMM_WORLD, &m, tag);
        model_end(&made, &m);
        for (int i = n + me; i < size; i += n)
            MPI_Send(&me, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&word, 1, MPI_INT, me % n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_INT(word, me % n);
    }
}

/* A process that is no member gets MPI_COMM_NULL at once, without the members. */
static void not_a_member(void)
{
    const struct model first = up_to(1), none = up_to(0);

    if (me > 0)
        CHECK(create(MPI_COMM_WORLD, &first, 3) == MPI_COMM_NULL);
    CHECK(create(MPI_COMM_WORLD, &none, 3) == MPI_COMM_NULL);
    CHECK(create(MPI_COMM_SELF, &none, 3) == MPI_COMM_NULL);
}

static void alone(int tag)
{
    const struct model m = { .size = 1, .local = { me } };
    MPI_Comm a = create(MPI_COMM_SELF, &m, tag), b = create(MPI_COMM_WORLD, &m, tag);

    model_end(&b, &m);
    model_end(&a, &m);
}

/* Receives from any source are pending, messages of the same tag wait, and a collective operation
 * of the other processes is under way. */
static void amid_traffic(int tag)
{
    int next = (me + 1) % size, previous = (me + size - 1) % size, got[2] = { -1, -1 },
        n = size / 2;
    const struct model m = up_to(n);
    MPI_Request request[4];

    MPI_Irecv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&got[1], 1, MPI_INT, previous, tag, MPI_COMM_WORLD, &request[1]);
    if (me < n) {
        MPI_Comm made = create(MPI_COMM_WORLD, &m, tag);
        model_end(&made, &m);
    }
    MPI_Isend(&me, 1, MPI_INT, next, tag, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(&next, 1, MPI_INT, next, tag, MPI_COMM_WORLD, &request[3]);
    if (me >= size - n) {
        struct model late = { .size = n };
        for (int i = 0; i < n; i++)
            late.local[i] = size - n + i;
        MPI_Comm made = create(MPI_COMM_WORLD, &late, tag);
        model_end(&made, &late);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    CHECK_INT(got[0], previous);
    CHECK_INT(got[1], me);
}

/* Two overlapping groups: each process makes both communicators, in the same order. */
static void chain(void)
{
    for (int i = 0; i + 1 < size; i++) {
        const struct model m = { .size = 2, .local = { i + 1, i } };
        if (me != i && me != i + 1)
            continue;
        MPI_Comm made = create(MPI_COMM_WORLD, &m, 0);
        model_end(&made, &m);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    for (int n = 1; n <= size; n++) {
        members_alone(n, 0);
        members_alone(n, 32767);
    }
    not_a_member();
    alone(0);
    alone(32767);
    for (int i = 0; i < 10; i++)
        amid_traffic(i);
    chain();
    MPI_Finalize();
    return 0;
}
