/* at_end_more.c — MPIR_Request_at_end() of files, one-sided operations, and with threads. */
#include <unistd.h>
#include "../threads/threads.h"
#include "mpi/core/hooks.h"

enum { THREADS = 4, ROUNDS = 300 };

struct copy {
    int from[2], to[2], runs;
};

static void end(void *arg)
{
    struct copy *c = arg;

    c->runs++;
    memcpy(c->to, c->from, sizeof c->to);
}

static void files(void)
{
    struct copy c = { .runs = 0 };
    const int data[2] = { 31, 32 };
    char name[64];
    MPI_Request r;
    MPI_File f;

    snprintf(name, sizeof name, "at_end-%ld", (long) getpid());
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &f);
    MPI_File_write_at(f, 0, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE);
    for (int all = 0; all < 2; all++) {
        memset(c.from, 0, sizeof c.from);
        if (all)
            MPI_File_iread_at_all(f, 0, c.from, sizeof data, MPI_BYTE, &r);
        else
            MPI_File_iread_at(f, 0, c.from, sizeof data, MPI_BYTE, &r);
        CHECK_INT(MPIR_Request_at_end(r, end, &c), MPI_SUCCESS);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        CHECK(c.runs == all + 1 && c.to[0] == 31 && c.to[1] == 32);
        memset(c.to, 0, sizeof c.to);
    }
    MPI_File_iread_at(f, 0, c.from, sizeof data, MPI_BYTE, &r);
    CHECK_INT(MPIR_Request_at_end(r, end, &c), MPI_SUCCESS);
    MPI_Request_free(&r);
    MPI_File_close(&f); /* waits for it */
    CHECK(c.runs == 3 && c.to[1] == 32);
}

static void one_sided(void)
{
    struct copy c = { .runs = 0 };
    int *memory, rank, size;
    MPI_Request r;
    MPI_Win w;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &w);
    memory[0] = memory[1] = 50 + rank;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, w);
    int target = (rank + 1) % size;
    MPI_Rget(c.from, 2, MPI_INT, target, 0, 2, MPI_INT, w, &r);
    CHECK_INT(MPIR_Request_at_end(r, end, &c), MPI_SUCCESS);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    CHECK(c.runs == 1 && c.to[0] == 50 + target);
    MPI_Win_unlock_all(w);
    MPI_Win_free(&w);
}

static void *run(void *me)
{
    int tag = (int) (intptr_t) me;

    for (int i = 0; i < ROUNDS; i++) {
        struct copy c = { .runs = 0 };
        int data[2] = { i, tag };
        MPI_Request r[2];

        MPI_Irecv(c.from, 2, MPI_INT, 0, tag, MPI_COMM_SELF, &r[0]);
        CHECK_INT(MPIR_Request_at_end(r[0], end, &c), MPI_SUCCESS);
        MPI_Isend(data, 2, MPI_INT, 0, tag, MPI_COMM_SELF, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        CHECK(c.runs == 1 && c.to[0] == i && c.to[1] == tag);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    files();
    one_sided();
    threads_run(THREADS, run);
    MPI_Finalize();
    return 0;
}
