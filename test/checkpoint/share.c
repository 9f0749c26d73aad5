/* share.c — memory that processes share beside the node's segment outlives a quiesce and the
 * opening of all devices anew, as does the number under which it is exposed.
 *
 * Only for Starling: it links the layers. Rank 0 exposes the memory, the odd ranks map it before
 * and the even ones after the devices are opened again. */
#include "adi3/adi3.h"
#include "adi3/adi3_checkpoint.h"
#include "mpitest.h"
#include "adi3/progress/progress.h"

enum { LEN = 1 << 16 };

struct told {
    uint64_t share_socket, number;
};

/* Makes shared memory and exposes it at the share socket. */
static int make(size_t len, size_t now, struct node_share *s)
{
    int err = node_share_create(len, len, now, s);

    if (!err && (err = node_share_expose(s)))
        node_share_drop(s);
    return err;
}

static int rank, size;

/* Each process adds one to its own byte. */
static void use(struct node_share *s, int times)
{
    char *at = s->at;

    at[rank]++;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK_INT(at[i], times);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void map(const struct told *t, struct node_share *s)
{
    int fd = progress_fetch_shared(t->share_socket, t->number);

    CHECK(fd >= 0);
    CHECK_INT(node_share_map(fd, LEN, s), MPI_SUCCESS);
}

static void expose(struct told *t, struct node_share *s)
{
    CHECK_INT(progress_source_add(&progress_share_socket), MPI_SUCCESS);
    if (rank)
        return;
    progress_want(&progress_share_socket);
    CHECK_INT(make(LEN, LEN, s), MPI_SUCCESS);
    *t = (struct told) { share_socket_name(), s->number };
}

int main(int argc, char **argv)
{
    struct told told;
    struct node_share s = { .fd = -1 };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    expose(&told, &s);
    MPI_Bcast(&told, sizeof told, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank % 2)
        map(&told, &s);
    CHECK_INT(adi3_quiesce(), MPI_SUCCESS);
    CHECK_INT(adi3_reopen(), MPI_SUCCESS);
    if (rank && rank % 2 == 0)
        map(&told, &s);
    use(&s, 1);
    CHECK_INT(adi3_quiesce(), MPI_SUCCESS);
    adi3_continue();
    use(&s, 2);
    if (rank == 0) {
        node_share_withdraw(&s);
        progress_share_socket_closed();
    }
    node_share_drop(&s);
    MPI_Finalize();
    return 0;
}
