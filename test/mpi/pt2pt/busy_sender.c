/* busy_sender.c — large messages that have been announced arrive while their sender computes, from
 * contiguous or noncontiguous memory, where the kernel lets the receiver read it (P12). Only for
 * Starling: elsewhere the sender may have to call MPI. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include "mpitest.h"

enum { LINE = 256, LINES = 2048, LEN = LINE * LINES, KINDS = 4 };

/* Every second line of as many ints. */
static MPI_Datatype lines_type(void)
{
    MPI_Datatype t;

    MPI_Type_vector(LINES, LINE, 2 * LINE, MPI_INT, &t);
    MPI_Type_commit(&t);
    return t;
}

static size_t place(bool lines, size_t i) { return lines ? i / LINE * 2 * LINE + i % LINE : i; }
static bool lines_there(int kind) { return kind & 1; }
static bool lines_here(int kind) { return kind & 2; }

struct process {
    char host[MPI_MAX_PROCESSOR_NAME];
    int pid;
    volatile int *all_there; /* set by the receiver, without MPI */
};

static struct process myself(void)
{
    static volatile int all_there;
    static struct process me;
    int len;

    MPI_Get_processor_name(me.host, &len);
    me.pid = (int) getpid();
    me.all_there = &all_there;
    return me;
}

/* False where no process may read another's memory: there the sender has to call MPI. */
static bool set(struct process p, int value)
{
    struct iovec from = { &value, sizeof value },
                 to = { (void *) (uintptr_t) p.all_there, sizeof value };

    return !strcmp(p.host, myself().host)
           && process_vm_writev(p.pid, &from, 1, &to, 1, 0) == (ssize_t) sizeof value;
}

static void sends(MPI_Datatype lines, int *mem)
{
    struct process me = myself();
    MPI_Request r[KINDS];
    int reached;

    for (int i = 0; i < KINDS * 2 * LEN; i++)
        mem[i] = i;
    MPI_Send(&me, sizeof me, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&reached, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < KINDS; k++) {
        bool many = lines_there(k);
        MPI_Isend(mem + (size_t) k * 2 * LEN, many ? 1 : LEN, many ? lines : MPI_INT, 1, k,
                  MPI_COMM_WORLD, &r[k]);
    }
    while (reached && !*me.all_there)
        usleep(1000);
    MPI_Waitall(KINDS, r, MPI_STATUSES_IGNORE);
}

static void receives(MPI_Datatype lines, int *mem)
{
    struct process it;

    MPI_Recv(&it, sizeof it, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int reached = set(it, 0);
    if (!reached)
        printf("no memory of another process can be reached here\n");
    MPI_Send(&reached, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int k = 0; k < KINDS; k++) {
        bool many = lines_here(k);
        memset(mem, 0, 2 * LEN * sizeof *mem);
        MPI_Recv(mem, many ? 1 : LEN, many ? lines : MPI_INT, 0, k, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        for (size_t i = 0; i < LEN; i++)
            CHECK_INT(mem[place(many, i)], k * 2 * LEN + (int) place(lines_there(k), i));
    }
    CHECK(set(it, 1) == reached);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype lines = lines_type();
    int *mem = mpitest_memory((size_t) (rank ? 1 : KINDS) * 2 * LEN * sizeof *mem);
    if (rank == 0)
        sends(lines, mem);
    else
        receives(lines, mem);
    free(mem);
    MPI_Type_free(&lines);
    MPI_Finalize();
    return 0;
}
