/* large_counts.c — 6 GiB in one send, one block of an all-to-all exchange and one vector, with
 * functions that the library does not export; for two processes.
 *
 * A buffer is the same few pages again and again, with pages of its own at the end: memory that is
 * read and written stays small, and what is at the end must have come there. */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#include "mpi/core/large.h"
#include "mpi/datatype/make.h"
#include "mpitest.h"

enum { PAGES = 4 << 20, MORE = 64 << 10 };
static const MPI_Count LARGE = (MPI_Count) 6 << 30;

static int rank;

/* LARGE + MORE bytes, of which the last MORE are not repeated. */
static char *buffer(void)
{
    size_t len = (size_t) LARGE + MORE;
    char *p =
        mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int fd = memfd_create("pages", MFD_CLOEXEC);

    CHECK(p != MAP_FAILED && fd >= 0 && !ftruncate(fd, PAGES));
    for (MPI_Count at = 0; at < LARGE; at += PAGES)
        CHECK(mmap(p + at, PAGES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == p + at);
    (void) close(fd);
    return p;
}

static void release(char *p) { CHECK(!munmap(p, (size_t) LARGE + MORE)); }

static char byte_at(MPI_Count i) { return (char) (i * 131 + (i >> 12)); }

static void fill(char *p, MPI_Count from, MPI_Count to)
{
    for (MPI_Count i = from; i < to; i++)
        p[i] = byte_at(i);
}

static void check(const char *p, MPI_Count from, MPI_Count to)
{
    for (MPI_Count i = from; i < to; i++)
        CHECK_INT(p[i], byte_at(i));
}

/* Three blocks of 2 GiB and a bit, without gaps: LARGE + 3 bytes. */
static MPI_Datatype vector(void)
{
    MPI_Datatype t;
    MPI_Count size, lb, extent;
    int n;

    CHECK(mpir_type_vector_c(3, LARGE / 3 + 1, LARGE / 3 + 1, MPI_BYTE, &t) == MPI_SUCCESS);
    CHECK(MPI_Type_commit(&t) == MPI_SUCCESS);
    MPI_Type_size_x(t, &size);
    MPI_Type_get_extent_x(t, &lb, &extent);
    CHECK_INT(size, LARGE + 3);
    CHECK_INT(lb, 0);
    CHECK_INT(extent, LARGE + 3);
    int class = MPI_Type_get_envelope(t, &n, &n, &n, &n);
    MPI_Error_class(class, &class);
    CHECK_INT(class, MPI_ERR_TYPE);
    return t;
}

/* A vector with gaps longer than an int: two blocks, of which the second is at the end. */
static void gaps(char *p)
{
    const char want[] = { byte_at(0), byte_at(1), byte_at(LARGE), byte_at(LARGE + 1) };
    char packed[4];
    int position = 0;
    MPI_Datatype t;

    fill(p, 0, 2);
    fill(p, LARGE, LARGE + 2);
    CHECK(mpir_type_vector_c(2, 1, LARGE / 2, MPI_SHORT, &t) == MPI_SUCCESS);
    CHECK(MPI_Type_commit(&t) == MPI_SUCCESS);
    CHECK(MPI_Pack(p, 1, t, packed, sizeof packed, &position, MPI_COMM_SELF) == MPI_SUCCESS);
    CHECK_INT(position, 4);
    CHECK(!memcmp(packed, want, sizeof want));
    MPI_Type_free(&t);
    CHECK(mpir_type_vector_c(PTRDIFF_MAX, PTRDIFF_MAX, 1, MPI_INT, &t) != MPI_SUCCESS);
    CHECK(mpir_type_vector_c(-1, 1, 1, MPI_INT, &t) != MPI_SUCCESS);
}

/* What MPI_Type_create_hindexed_c and MPI_Type_create_struct_c will do after their checks. */
static void displaced(void)
{
    const MPI_Count lens[] = { LARGE, 1 };
    const MPI_Aint at[] = { 8, LARGE + 16 };
    const MPI_Datatype types[] = { MPI_BYTE, MPI_DOUBLE };
    MPI_Datatype t;
    MPI_Count size, lb, extent;

    CHECK(type_make_hindexed(2, mpir_wide(lens), at, adi3_type_builtin(MPI_BYTE), &t)
          == MPI_SUCCESS);
    MPI_Type_size_x(t, &size);
    MPI_Type_get_extent_x(t, &lb, &extent);
    CHECK_INT(size, LARGE + 1);
    CHECK_INT(lb, 8);
    CHECK_INT(extent, LARGE + 9);
    MPI_Type_free(&t);
    CHECK(type_make_struct(2, mpir_wide(lens), at, types, &t) == MPI_SUCCESS);
    MPI_Type_size_x(t, &size);
    MPI_Type_get_extent_x(t, &lb, &extent);
    CHECK_INT(size, LARGE + 8);
    CHECK_INT(lb, 8);
    CHECK_INT(extent, LARGE + 16);
    MPI_Type_free(&t);
}

static void send(char *p)
{
    MPI_Datatype t = vector();
    MPI_Status status;
    MPI_Count n;
    int count;

    if (rank == 0) {
        fill(p, 0, PAGES);
        fill(p, LARGE, LARGE + MORE);
        CHECK(mpir_send_c(p, LARGE + 3, MPI_BYTE, 1, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
    } else {
        CHECK(MPI_Recv(p, 1, t, 0, 0, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
        check(p, 0, 4096);
        check(p, LARGE, LARGE + 3);
        CHECK_INT(p[LARGE + 3], 0);
        MPI_Get_elements_x(&status, MPI_BYTE, &n);
        CHECK_INT(n, LARGE + 3);
        MPI_Get_count(&status, MPI_BYTE, &count);
        CHECK_INT(count, MPI_UNDEFINED);
        MPI_Get_count(&status, t, &count);
        CHECK_INT(count, 1);
    }
    MPI_Type_free(&t);
}

/* Process 0 sends LARGE + 5 bytes to process 1, and gets 7 bytes from behind LARGE. */
static void alltoallv(char *p)
{
    char few[16] = "";
    const MPI_Count ours[] = { 0, rank ? 0 : LARGE + 5 }, theirs[] = { rank ? LARGE + 5 : 0, 0 };
    const MPI_Count back[] = { rank ? 7 : 0, 0 }, here[] = { 0, rank ? 0 : 7 };
    const MPI_Aint none[] = { 0, 0 }, behind[] = { LARGE + 100, LARGE + 100 };

    if (rank == 0) {
        fill(p, 0, PAGES);
        fill(p, LARGE, LARGE + MORE);
    }
    CHECK(mpir_alltoallv_c(rank ? few : p, ours, none, MPI_BYTE, rank ? p : few, theirs, none,
                           MPI_BYTE, MPI_COMM_WORLD)
          == MPI_SUCCESS);
    check(p, LARGE, LARGE + 5);
    if (rank == 1)
        fill(p, LARGE + 100, LARGE + 107);
    CHECK(mpir_alltoallv_c(rank ? p : few, back, behind, MPI_BYTE, rank ? few : p, here,
                           rank ? none : behind, MPI_BYTE, MPI_COMM_WORLD)
          == MPI_SUCCESS);
    check(p, LARGE + 100, LARGE + 107);
}

static void wrong(char *p)
{
    const MPI_Count negative[] = { 0, -LARGE }, most[] = { 0, PTRDIFF_MAX }, none[] = { 0, 0 };
    const MPI_Aint at[] = { 0, 0 }, far[] = { 0, PTRDIFF_MAX };
    int class;

    MPI_Error_class(mpir_send_c(p, -LARGE, MPI_BYTE, 1, 0, MPI_COMM_SELF), &class);
    CHECK_INT(class, MPI_ERR_COUNT);
    MPI_Error_class(mpir_send_c(p, PTRDIFF_MAX, MPI_INT, 0, 0, MPI_COMM_SELF), &class);
    CHECK_INT(class, MPI_ERR_COUNT);
    MPI_Error_class(
        mpir_alltoallv_c(p, negative, at, MPI_INT, p + 16, none, at, MPI_INT, MPI_COMM_WORLD),
        &class);
    CHECK_INT(class, MPI_ERR_COUNT);
    MPI_Error_class(
        mpir_alltoallv_c(p, most, at, MPI_INT, p + 16, none, at, MPI_INT, MPI_COMM_WORLD), &class);
    CHECK_INT(class, MPI_ERR_COUNT);
    MPI_Error_class(
        mpir_alltoallv_c(p, none, far, MPI_INT, p + 16, none, at, MPI_INT, MPI_COMM_WORLD), &class);
    CHECK_INT(class, MPI_ERR_ARG);
    MPI_Error_class(
        mpir_alltoallv_c(p, none, NULL, MPI_INT, p + 16, none, at, MPI_INT, MPI_COMM_WORLD),
        &class);
    CHECK_INT(class, MPI_ERR_ARG);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    char *p = buffer();
    gaps(p);
    displaced();
    memset(p + LARGE, 0, MORE);
    send(p);
    memset(p + LARGE, 0, MORE);
    alltoallv(p);
    wrong(p);
    release(p);
    MPI_Finalize();
    return 0;
}
