/* alignment.c — R02, R14: memory of MPI_Win_allocate and MPI_Win_allocate_shared begins where the
 * largest mpi_minimum_memory_alignment of a process wants it, and MPI_Win_get_info says so. */
#include <stdlib.h>
#include "rma_test.h"

enum { BYTES = 3 * 4096 + 8, GIB = 1 << 30 };

static MPI_Comm comm; /* the processes that are tested, and their ranks there */
static int rank, size;

static void use(MPI_Comm c)
{
    comm = c;
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
}

static MPI_Info wanting(size_t align, const char *noncontig)
{
    MPI_Info info;
    char text[24];

    (void) snprintf(text, sizeof text, "%zu", align);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_minimum_memory_alignment", text);
    MPI_Info_set(info, "alloc_shared_noncontig", noncontig);
    return info;
}

static size_t used(MPI_Win w)
{
    char text[MPI_MAX_INFO_VAL + 1] = "0";
    MPI_Info info;
    int flag;

    MPI_Win_get_info(w, &info);
    MPI_Info_get(info, "mpi_minimum_memory_alignment", MPI_MAX_INFO_VAL, text, &flag);
    MPI_Info_free(&info);
    return flag ? strtoull(text, NULL, 10) : 0;
}

/* Each process has all of its memory, and none of another's. */
static void is_whole(MPI_Win w, char *at)
{
    char there[BYTES];
    int next = (rank + 1) % size;

    memset(at, rank + 1, BYTES);
    MPI_Win_fence(0, w);
    MPI_Get(there, BYTES, MPI_CHAR, next, 0, BYTES, MPI_CHAR, w);
    MPI_Win_fence(0, w);
    for (int i = 0; i < BYTES; i++)
        CHECK(there[i] == next + 1);
}

/* Of the processes only the last one wants that much. */
static void allocated(size_t align, size_t expected)
{
    MPI_Info info = wanting(rank == size - 1 ? align : 8, "false");
    MPI_Win w;
    char *at;

    MPI_Win_allocate(BYTES, 1, info, comm, &at, &w);
    CHECK((size_t) at % expected == 0);
    CHECK(used(w) == expected);
    is_whole(w, at);
    MPI_Win_free(&w);
    MPI_Info_free(&info);
}

static void shared(size_t align, int gaps)
{
    MPI_Info info = wanting(align, gaps ? "true" : "false");
    char *at, *first, *next;
    MPI_Aint len;
    MPI_Win w;
    int unit;

    MPI_Win_allocate_shared(BYTES, 1, info, comm, &at, &w);
    MPI_Win_shared_query(w, 0, &len, &unit, &first);
    MPI_Win_shared_query(w, (rank + 1) % size, &len, &unit, &next);
    CHECK((size_t) first % align == 0);
    if (gaps) {
        CHECK((size_t) at % align == 0 && (size_t) next % align == 0);
        CHECK(used(w) == align);
    } else {
        CHECK(at == first + (size_t) rank * BYTES);
        CHECK(used(w) == 0);
    }
    is_whole(w, at);
    CHECK(*next == (rank + 1) % size + 1);
    MPI_Win_fence(0, w);
    MPI_Win_free(&w);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    MPI_Comm node;

    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    use(MPI_COMM_WORLD);
    allocated(1, 4096);
    allocated(65536, 65536);
    allocated(2 << 20, 2 << 20);
    allocated(GIB, GIB);
    allocated((size_t) 4 * GIB, GIB); /* more is not given */
    use(node);
    for (int gaps = 0; gaps < 2; gaps++) {
        shared(4096, gaps);
        shared(2 << 20, gaps);
        shared(GIB, gaps);
    }
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
