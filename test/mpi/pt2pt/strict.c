/* strict.c — with STARLING_CHECK=strict a receive that comes after its ready send is an error
 * (P12), and so is a buffer that is not mapped, MPI_ERR_BUFFER; both harm nothing.
 * Only for Starling. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../env/starling.h"
#include "listen.h"
#include "pattern.h"

static int rank, size, next, previous;
static char *mapped, *gone; /* the page before gone is mapped, gone is not */
static int page;

static void still_alive(void)
{
    int got = -1;

    CHECK_INT(MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &got, 1, MPI_INT, previous, 0,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE),
              MPI_SUCCESS);
    CHECK_INT(got, previous);
}

static void late(int len)
{
    char *out = mpitest_memory((size_t) len), *in = mpitest_memory((size_t) len);
    MPI_Request send, receive;
    MPI_Status status;

    pattern_fill(out, (size_t) len, (unsigned) rank);
    MPI_Irsend(out, len, MPI_BYTE, next, 1, MPI_COMM_WORLD, &send);
    MPI_Probe(previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int err = MPI_Recv(in, len, MPI_BYTE, previous, 1, MPI_COMM_WORLD, &status);
    CHECK(err != MPI_SUCCESS);
    CHECK_INT(status.MPI_SOURCE, previous);
    CHECK_INT(MPI_Wait(&send, MPI_STATUS_IGNORE), MPI_SUCCESS);
    still_alive();

    MPI_Irecv(in, len, MPI_BYTE, previous, 1, MPI_COMM_WORLD, &receive); /* this one is in time */
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(MPI_Rsend(out, len, MPI_BYTE, next, 1, MPI_COMM_WORLD), MPI_SUCCESS);
    CHECK_INT(MPI_Wait(&receive, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK_PATTERN(in, (size_t) len, (unsigned) previous);
    free(out);
    free(in);
}

static void all_late(void)
{
    for (int i = 0; i < PATTERN_WAYS; i++)
        late(pattern_ways[i]);
}

static void expect(int code) { CHECK_INT(error_class(code), MPI_ERR_BUFFER); }

static void unmapped(char *buf, int count, MPI_Datatype type)
{
    MPI_Request r;
    MPI_Status s;
    MPI_Comm comm = MPI_COMM_WORLD;

    expect(MPI_Send(buf, count, type, next, 2, comm));
    expect(MPI_Ssend(buf, count, type, next, 2, comm));
    expect(MPI_Rsend(buf, count, type, next, 2, comm));
    expect(MPI_Bsend(buf, count, type, next, 2, comm));
    expect(MPI_Isend(buf, count, type, next, 2, comm, &r));
    expect(MPI_Issend(buf, count, type, next, 2, comm, &r));
    expect(MPI_Recv(buf, count, type, previous, 2, comm, &s));
    expect(MPI_Irecv(buf, count, type, MPI_ANY_SOURCE, 2, comm, &r));
    expect(MPI_Sendrecv(buf, count, type, next, 2, &page, 1, MPI_INT, previous, 2, comm, &s));
    expect(MPI_Sendrecv(&page, 1, MPI_INT, next, 2, buf, count, type, previous, 2, comm, &s));
    expect(MPI_Sendrecv_replace(buf, count, type, next, 2, previous, 2, comm, &s));
    still_alive();
}

/* A buffer that ends with the mapped page is no error. */
static void all_mapped(void)
{
    MPI_Request r;

    MPI_Irecv(mapped, page / 2, MPI_BYTE, previous, 3, MPI_COMM_WORLD, &r);
    CHECK_INT(MPI_Send(gone - page / 2, page / 2, MPI_BYTE, next, 3, MPI_COMM_WORLD), MPI_SUCCESS);
    CHECK_INT(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK_INT(MPI_Send(gone, 0, MPI_BYTE, MPI_PROC_NULL, 3, MPI_COMM_WORLD), MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Datatype two;
    char text[LISTEN_MAX];

    setenv("STARLING_CHECK", "strict", 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    listen(all_late, text); /* the warning is tested by ready_late.c */
    page = (int) sysconf(_SC_PAGESIZE);
    mapped =
        mmap(NULL, 2 * (size_t) page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(mapped != MAP_FAILED);
    gone = mapped + page;
    CHECK(!munmap(gone, (size_t) page));
    MPI_Type_vector(2, 1, page / 4, MPI_INT, &two); /* the second int is in the page that is gone */
    MPI_Type_commit(&two);
    unmapped(gone, 1, MPI_INT);
    unmapped(gone - 5, 8, MPI_BYTE);
    unmapped(mapped + 8, 1, two);
    all_mapped();
    MPI_Type_free(&two);
    munmap(mapped, (size_t) page);
    MPI_Finalize();
    return 0;
}
