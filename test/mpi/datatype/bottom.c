/* bottom.c — D01: types of absolute addresses with MPI_BOTTOM, in messages;
 * MPI_Get_address, MPI_Aint_add and MPI_Aint_diff. */
#include "mpitest.h"

static struct {
    int a;
    double b[3];
    char c[5];
} out, in;
static int far_out[4], far_in[4];

static int rank, size, next, previous;

/* The members of one of the two and half of another object, in memory that is far apart. */
static MPI_Datatype absolute(void *a, void *b, void *c, int *heap)
{
    MPI_Aint disp[4];
    MPI_Datatype type;

    MPI_Get_address(a, &disp[0]);
    MPI_Get_address(b, &disp[1]);
    MPI_Get_address(c, &disp[2]);
    MPI_Get_address(heap, &disp[3]);
    CHECK(disp[0] == (MPI_Aint) a && disp[3] == (MPI_Aint) heap);
    MPI_Type_create_struct(4, (int[]) { 1, 3, 5, 2 }, disp,
                           (MPI_Datatype[]) { MPI_INT, MPI_DOUBLE, MPI_CHAR, MPI_INT }, &type);
    MPI_Type_commit(&type);
    return type;
}

static void fill(int from, int *heap)
{
    out.a = from;
    for (int i = 0; i < 3; i++)
        out.b[i] = from + i / 8.0;
    memcpy(out.c, "abcd", 5);
    out.c[4] = (char) from;
    heap[0] = -from;
    heap[1] = from * 1000;
}

static void check(int from, int *heap)
{
    CHECK_INT(in.a, from);
    for (int i = 0; i < 3; i++)
        CHECK(in.b[i] == from + i / 8.0);
    CHECK(memcmp(in.c, "abcd", 4) == 0);
    CHECK_INT(in.c[4], (char) from);
    CHECK_INT(heap[0], -from);
    CHECK_INT(heap[1], from * 1000);
    CHECK_INT(heap[2], 0);
    memset(&in, 0, sizeof in);
    memset(heap, 0, 8);
}

static void messages(void)
{
    int *heap = calloc(4, sizeof *heap);
    MPI_Datatype from = absolute(&out.a, out.b, out.c, far_out),
                 to = absolute(&in.a, in.b, in.c, heap);
    MPI_Request request[2];

    fill(rank, far_out);
    MPI_Sendrecv(MPI_BOTTOM, 1, from, next, 1, MPI_BOTTOM, 1, to, previous, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    check(previous, heap);
    MPI_Irecv(MPI_BOTTOM, 1, to, previous, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(MPI_BOTTOM, 1, from, next, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    check(previous, heap);
    fill(size, far_out);
    if (rank == 0)
        MPI_Bcast(MPI_BOTTOM, 1, from, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(MPI_BOTTOM, 1, to, 0, MPI_COMM_WORLD);
    if (rank != 0)
        check(size, heap);
    MPI_Type_free(&from);
    MPI_Type_free(&to);
    free(heap);
}

/* One predefined element by absolute displacement, and an array of structs relative to one. */
static void indexed(void)
{
    MPI_Aint at[2], half[2];
    MPI_Datatype from, to;

    MPI_Get_address(&far_out[3], &at[0]);
    MPI_Get_address(&far_out[0], &at[1]);
    MPI_Get_address(&far_in[1], &half[0]);
    MPI_Get_address(&far_in[3], &half[1]);
    MPI_Type_create_hindexed(2, (int[]) { 1, 1 }, at, MPI_INT, &from);
    MPI_Type_create_hindexed_block(2, 1, half, MPI_INT, &to);
    MPI_Type_commit(&from);
    MPI_Type_commit(&to);
    far_out[3] = 33 + rank;
    far_out[0] = 44 + rank;
    MPI_Sendrecv(MPI_BOTTOM, 1, from, next, 2, MPI_BOTTOM, 1, to, previous, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK_INT(far_in[1], 33 + previous);
    CHECK_INT(far_in[3], 44 + previous);
    CHECK_INT(far_in[0], 0);
    CHECK_INT(far_in[2], 0);
    MPI_Type_free(&from);
    MPI_Type_free(&to);
}

static void arithmetic(void)
{
    double x[10] = { 0 };
    MPI_Aint a, b;

    MPI_Get_address(&x[2], &a);
    MPI_Get_address(&x[9], &b);
    CHECK_INT(MPI_Aint_diff(b, a), 7 * (MPI_Aint) sizeof *x);
    CHECK_INT(MPI_Aint_diff(a, b), -7 * (MPI_Aint) sizeof *x);
    CHECK(MPI_Aint_add(a, 7 * (MPI_Aint) sizeof *x) == b);
    CHECK(MPI_Aint_add(b, -7 * (MPI_Aint) sizeof *x) == a);
    CHECK(MPI_Aint_diff(a, a) == 0);
    MPI_Get_address(MPI_BOTTOM, &a);
    CHECK_INT(a, 0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    messages();
    indexed();
    arithmetic();
    MPI_Finalize();
    return 0;
}
