/* shmcoll_release.c — communicators and persistent operations of one node release their shared
 * memory. Without that later ones would silently use messages.
 *
 * Only for Starling: it links the layers, to ask how much memory is free. */
#include "adi3/adi3.h"
#include "adi3/proc/proc.h"
#include "coll_test.h"

enum { ROUNDS = 100, LENGTHS = 9, SHORTEST = 4096, MOST = 100000 };

static size_t taken[MOST];

/* Counts the free blocks of each length, at process 0, by taking and releasing them. After that
 * all memory that was never taken is in one of these blocks. */
static void count(int left[LENGTHS])
{
    for (int i = LENGTHS - 1; i >= 0; i--) {
        size_t len = (size_t) SHORTEST << i;

        left[i] = 0;
        while (left[i] < MOST && (taken[left[i]] = node_block_take(len)))
            left[i]++;
        for (int k = 0; k < left[i]; k++)
            node_block_release(taken[k], len);
    }
}

static size_t bytes(const int left[LENGTHS])
{
    size_t n = 0;

    for (int i = 0; i < LENGTHS; i++)
        n += (size_t) left[i] * ((size_t) SHORTEST << i);
    return n;
}

struct user {
    MPI_Comm comm;
    MPI_Request r;
    int v, sum;
};

static void begin(struct user *u)
{
    MPI_Comm_dup(MPI_COMM_WORLD, &u->comm);
    MPI_Barrier(u->comm);
    MPI_Allreduce_init(&u->v, &u->sum, 1, MPI_INT, MPI_SUM, u->comm, MPI_INFO_NULL, &u->r);
}

/* Frees both in either order: a request keeps its communicator. */
static void end(struct user *u, int request_first)
{
    if (request_first)
        MPI_Request_free(&u->r);
    MPI_Comm_free(&u->comm);
    if (!request_first)
        MPI_Request_free(&u->r);
}

/* Counts while no other process takes or releases blocks. */
static void count_alone(struct me m, int left[LENGTHS])
{
    MPI_Barrier(m.comm);
    if (m.rank == 0)
        count(left);
    MPI_Barrier(m.comm);
}

int main(int argc, char **argv)
{
    int before[LENGTHS] = { 0 }, meanwhile[LENGTHS] = { 0 }, after[LENGTHS] = { 0 };
    struct user u = { .v = 1 };

    MPI_Init(&argc, &argv);
    struct me m = whoami(MPI_COMM_WORLD);
    begin(&u);
    end(&u, 1);
    count_alone(m, before);
    begin(&u);
    count_alone(m, meanwhile);
    end(&u, 0);
    CHECK(m.rank > 0 || bytes(meanwhile) < bytes(before));
    for (int i = 0; i < ROUNDS; i++) {
        begin(&u);
        end(&u, i % 2);
    }
    count_alone(m, after);
    for (int i = 0; i < LENGTHS; i++)
        CHECK_INT(after[i], before[i]);
    MPI_Finalize();
    return 0;
}
