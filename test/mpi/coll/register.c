/* register.c — algorithms that are added to the tables of collective operations, as a device or
 * another library would do. The program links the parts of the library.
 *
 * usage: register [WORD]: fails when the added algorithm was not used as it should be: for more
 * than 100 bytes, or always when WORD is its name. */
#include <stdio.h>
#include <string.h>
#include "mpi/coll/coll.h"

static int taken;

/* The root sends to each process, in reverse order. */
static void backwards(struct coll *x)
{
    taken++;
    for (int i = x->size - 1; i > 0 && x->rank == x->root; i--)
        coll_start_send(x, x->recv, (x->root + i) % x->size);
    if (x->rank != x->root)
        coll_recv(x, x->recv, x->root);
}

static bool not_tiny(const struct coll *x) { return coll_size(x->recv) > 1; }
static bool large(const struct coll *x) { return coll_size(x->recv) > 100; }

static struct coll_registration registration = { .row = { "backwards", backwards, not_tiny },
                                                 .best = large };

static int failed;

static void broadcast(int len, int form, int expected)
{
    char v[1000];
    int rank;
    MPI_Request r = MPI_REQUEST_NULL;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(v, rank == 0 ? 'x' : 'y', sizeof v);
    taken = 0;
    if (form == 0)
        MPI_Bcast(v, len, MPI_CHAR, 0, MPI_COMM_WORLD);
    else if (form == 1)
        MPI_Ibcast(v, len, MPI_CHAR, 0, MPI_COMM_WORLD, &r);
    else
        MPI_Bcast_init(v, len, MPI_CHAR, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    if (form == 2)
        MPI_Start(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (form == 2)
        MPI_Request_free(&r);
    for (int i = 0; i < len; i++)
        failed |= v[i] != 'x';
    if (taken != expected) {
        (void) fprintf(stderr, "rank %d, %d bytes, form %d: taken %d times\n", rank, len, form,
                       taken);
        failed = 1;
    }
}

int main(int argc, char **argv)
{
    bool forced = argc > 1 && !strcmp(argv[1], "backwards");

    coll_register(&coll_bcast, &registration);
    MPI_Init(&argc, &argv);
    for (int form = 0; form < 3; form++) {
        broadcast(1, form, 0);
        broadcast(100, form, forced);
        broadcast(1000, form, 1);
    }
    MPI_Finalize();
    return failed;
}
