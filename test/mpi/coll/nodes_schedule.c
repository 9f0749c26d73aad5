/* nodes_schedule.c — nonblocking operations on several nodes: the schedule of a leader does not
 * have a step for each block, and blocks come right whatever the order of ranks and nodes.
 *
 * Only for Starling: it links the layers, to see how much memory the steps take. */
#include <stdbool.h>
#include "coll_test.h"

enum { MOST = 16, STEPS_MOST = 6000 }; /* processes; bytes of the steps of a schedule */

void *__real_realloc(void *p, size_t len);
void *__wrap_realloc(void *p, size_t len);
static size_t largest;

void *__wrap_realloc(void *p, size_t len)
{
    largest = len > largest ? len : largest;
    return __real_realloc(p, len);
}

static void complete(MPI_Request *r) { CHECK(MPI_Wait(r, MPI_STATUS_IGNORE) == MPI_SUCCESS); }

static void alltoall(MPI_Comm c, MPI_Datatype gaps)
{
    struct me m = whoami(c);
    int out[MOST], in[2 * MOST];
    MPI_Request r;

    largest = 0;
    MPI_Alltoall_init(out, 1, MPI_INT, in, 1, gaps, c, MPI_INFO_NULL, &r);
    CHECK(largest <= STEPS_MOST);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < m.size; i++)
            out[i] = value(m.rank, i, round);
        MPI_Start(&r);
        complete(&r);
        for (int i = 0; i < m.size; i++)
            CHECK_INT(in[2 * i], value(i, m.rank, round));
    }
    MPI_Request_free(&r);
}

static void rooted(MPI_Comm c, MPI_Datatype gaps, int root)
{
    struct me m = whoami(c);
    int mine = value(m.rank, 0, root), all[2 * MOST], got = 0;
    MPI_Request r;

    largest = 0;
    MPI_Igather(&mine, 1, MPI_INT, all, 1, gaps, root, c, &r);
    complete(&r);
    for (int i = 0; m.rank == root && i < m.size; i++)
        CHECK_INT(all[2 * i], value(i, 0, root));
    MPI_Iscatter(all, 1, gaps, &got, 1, MPI_INT, root, c, &r);
    complete(&r);
    CHECK_INT(got, mine);
    MPI_Iallgather(&mine, 1, MPI_INT, all, 1, gaps, c, &r);
    complete(&r);
    for (int i = 0; i < m.size; i++)
        CHECK_INT(all[2 * i], value(i, 0, root));
    CHECK(largest <= STEPS_MOST);
}

int main(int argc, char **argv)
{
    struct me m;
    MPI_Datatype pair, gaps;

    MPI_Init(&argc, &argv);
    m = whoami(MPI_COMM_WORLD);
    CHECK(m.size <= MOST);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &pair);
    MPI_Type_dup(pair, &gaps);
    MPI_Type_commit(&gaps);
    for (int order = 0; order < 3; order++) {
        const int key[] = { m.rank, -m.rank, m.rank % 4 * MOST + m.rank };
        MPI_Comm c;
        MPI_Comm_split(MPI_COMM_WORLD, 0, key[order], &c);
        alltoall(c, gaps);
        for (int root = 0; root < m.size; root += 3)
            rooted(c, gaps, root);
        MPI_Comm_free(&c);
    }
    MPI_Type_free(&pair);
    MPI_Type_free(&gaps);
    MPI_Finalize();
    return 0;
}
