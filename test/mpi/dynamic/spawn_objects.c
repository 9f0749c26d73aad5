/* spawn_objects.c — Y04: windows, files and topologies on a communicator that is merged of a job
 * and the one it has spawned. */
#include <unistd.h>
#include "spawn.h"

enum { CHILDREN = 2, PATH = 200 };

/* Each process puts its rank into the window of each, between two fences; then all add. */
static void window(MPI_Comm comm, int is_allocated)
{
    int rank, size, *memory, one = 1;
    MPI_Win win;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Aint len = (MPI_Aint) ((size_t) (size + 1) * sizeof(int));
    if (is_allocated) {
        CHECK_INT(MPI_Win_allocate(len, sizeof(int), MPI_INFO_NULL, comm, &memory, &win),
                  MPI_SUCCESS);
    } else {
        memory = mpitest_memory((size_t) len);
        CHECK_INT(MPI_Win_create(memory, len, sizeof(int), MPI_INFO_NULL, comm, &win), MPI_SUCCESS);
    }
    memory[size] = 0;
    MPI_Win_fence(0, win);
    for (int i = 0; i < size; i++)
        MPI_Put(&rank, 1, MPI_INT, i, rank, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < size; i++)
        CHECK_INT(memory[i], i);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < size; i++)
        MPI_Accumulate(&one, 1, MPI_INT, i, size, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(comm);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    CHECK_INT(memory[size], size);
    MPI_Win_unlock(rank, win);
    CHECK_INT(MPI_Win_free(&win), MPI_SUCCESS);
    if (!is_allocated)
        free(memory);
}

/* Each process writes its block and reads that of the next one. */
static void file(MPI_Comm comm)
{
    int rank, size, got = -1;
    char path[PATH] = "";
    MPI_File f;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    snprintf(path, PATH, "spawn_objects.%d.%d", (int) getpid(), size);
    MPI_Bcast(path, PATH, MPI_CHAR, 0, comm);
    CHECK_INT(MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                            MPI_INFO_NULL, &f),
              MPI_SUCCESS);
    MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    CHECK_INT(MPI_File_write_at_all(f, rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    MPI_File_sync(f);
    MPI_Barrier(comm);
    MPI_File_sync(f);
    CHECK_INT(MPI_File_read_at_all(f, (rank + 1) % size, &got, 1, MPI_INT, MPI_STATUS_IGNORE),
              MPI_SUCCESS);
    CHECK_INT(got, (rank + 1) % size);
    CHECK_INT(MPI_File_close(&f), MPI_SUCCESS);
}

static void ring(MPI_Comm comm)
{
    int size, rank, periodic = 1, got[2] = { -1, -1 };
    MPI_Comm cart;

    MPI_Comm_size(comm, &size);
    CHECK_INT(MPI_Cart_create(comm, 1, &size, &periodic, 1, &cart), MPI_SUCCESS);
    MPI_Comm_rank(cart, &rank);
    CHECK_INT(MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, cart), MPI_SUCCESS);
    CHECK(got[0] == (rank + size - 1) % size && got[1] == (rank + 1) % size);
    CHECK_INT(MPI_Comm_free(&cart), MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm inter = spawn_parent(), comm;
    int is_child = inter != MPI_COMM_NULL;

    if (!is_child)
        inter = spawn_role(argv[0], "child", CHILDREN, MPI_COMM_WORLD);
    comm = spawn_merge(inter, is_child);
    spawn_leave(&inter);
    window(comm, 1);
    window(comm, 0);
    file(comm);
    ring(comm);
    spawn_leave(&comm);
    MPI_Finalize();
    return 0;
}
