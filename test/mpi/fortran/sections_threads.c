/* sections_threads.c — threads send and receive sections of different shapes at once: their
 * datatypes are kept in one table for all threads, and small copies in memory that is used again.
 *
 * Usage: sections_threads [rounds] */
#include <pthread.h>
#include "mpi/fortran/descriptor.h"
#include "mpitest.h"

#define MESSAGE                                                                                    \
    const struct f_array *, const int *, const MPI_Datatype *, const int *, const int *,           \
        const MPI_Comm *
void mpi_isend_f08ts_(MESSAGE, MPI_Request *, int *);
void mpi_irecv_f08ts_(MESSAGE, MPI_Request *, int *);
void mpi_send_init_f08ts_(MESSAGE, MPI_Request *, int *);
void mpi_recv_f08ts_(MESSAGE, MPI_Fint *, int *);

enum { THREADS = 4, ROWS = 600, COLUMNS = 9, SPACE = 2 * ROWS * COLUMNS };
static int rounds = 400, rank, size;

struct worker {
    pthread_t thread;
    int number;
    MPI_Comm comm;
    int out[SPACE], in[SPACE];
};

/* A section of memory, with gaps in both dimensions. Shapes differ between rounds and threads. */
static struct f_array section_in(int *memory, int shape, int *count)
{
    struct f_array a = { .base = (char *) memory, .elem_len = 4, .rank = 2, .span = 4 };
    int rows = 1 + shape * 37 % ROWS, columns = 1 + shape % COLUMNS;

    a.dim[0].stride = 1 + shape % 2;
    a.dim[0].upper = rows - 1;
    a.dim[1].stride = 2 * ROWS;
    a.dim[1].upper = columns - 1;
    *count = rows * columns;
    return a;
}

static int *element(const struct f_array *a, int i)
{
    ptrdiff_t rows = a->dim[0].upper + 1;

    return (int *) (void *) a->base + i % rows * a->dim[0].stride + i / rows * a->dim[1].stride;
}

/* Sends from one shape to another one with as many elements: the same, or one of rank 1. */
static void exchange(struct worker *w, int shape)
{
    int count, err = -1, tag = w->number, value = shape % 1000 * 10000;
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    const MPI_Datatype integer = MPI_INTEGER;
    struct f_array out = section_in(w->out, shape, &count), in = section_in(w->in, shape, &count);
    MPI_Request r[2] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL };
    MPI_Fint status[5];

    if (shape % 3 == 0 && count <= SPACE / 2) {
        in.rank = 1;
        in.dim[0].stride = 2;
        in.dim[0].upper = count - 1;
    }
    for (int i = 0; i < SPACE; i++)
        w->in[i] = -1;
    for (int i = 0; i < count; i++)
        *element(&out, i) = value + i;
    if (shape % 4 > 0)
        mpi_irecv_f08ts_(&in, &count, &integer, &left, &tag, &w->comm, &r[0], &err);
    if (shape % 5 > 0) {
        mpi_isend_f08ts_(&out, &count, &integer, &right, &tag, &w->comm, &r[1], &err);
    } else {
        mpi_send_init_f08ts_(&out, &count, &integer, &right, &tag, &w->comm, &r[1], &err);
        CHECK(MPI_Start(&r[1]) == MPI_SUCCESS);
    }
    CHECK_INT(err, MPI_SUCCESS);
    if (shape % 4 == 0)
        mpi_recv_f08ts_(&in, &count, &integer, &left, &tag, &w->comm, status, &err);
    CHECK_INT(err, MPI_SUCCESS);
    CHECK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    if (r[1] != MPI_REQUEST_NULL)
        CHECK(MPI_Request_free(&r[1]) == MPI_SUCCESS);
    int changed = 0;
    for (int i = 0; i < count; i++)
        CHECK_INT(*element(&in, i), value + i);
    for (int i = 0; i < SPACE; i++)
        changed += w->in[i] != -1;
    CHECK_INT(changed, count);
}

/* The same shapes in all threads, each only for a moment: so they are in use several times, and
 * taken out of the table meanwhile. */
static void hurry(struct worker *w, int shape)
{
    int count, err = -1;
    const MPI_Datatype integer = MPI_INTEGER;
    struct f_array a = section_in(w->out, shape, &count);
    MPI_Request r;

    mpi_send_init_f08ts_(&a, &count, &integer, &rank, &w->number, &w->comm, &r, &err);
    CHECK_INT(err, MPI_SUCCESS);
    CHECK(MPI_Request_free(&r) == MPI_SUCCESS);
}

static void *work(void *arg)
{
    struct worker *w = arg;

    for (int i = 0; i < rounds; i++)
        exchange(w, 1 + i * 7 + w->number * (i % 3));
    for (int i = 0; i < 50 * rounds; i++)
        hurry(w, 2 + i / 20 % 40);
    return NULL;
}

int main(int argc, char **argv)
{
    int level;
    struct worker *w = calloc(THREADS, sizeof *w);

    if (argc > 1)
        rounds = atoi(argv[1]);
    CHECK(w);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    CHECK_INT(level, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < THREADS; i++) {
        w[i].number = i;
        MPI_Comm_dup(MPI_COMM_WORLD, &w[i].comm);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&w[i].thread, NULL, work, &w[i]));
    for (int i = 0; i < THREADS; i++) {
        CHECK(!pthread_join(w[i].thread, NULL));
        MPI_Comm_free(&w[i].comm);
    }
    MPI_Finalize();
    free(w);
    return 0;
}
