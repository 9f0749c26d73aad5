/* each.c — every type of the list on every communicator: D02 bounds, D03 true bounds, D10 packing,
 * D15 pairs, P05 bytes that a shorter message leaves unchanged, P26 that only signatures must
 * agree. */
#include "comms.h"
#include "types.h"

static MPI_Comm comm;
static int rank, size, next, previous;

static void bounds(const struct typed *t)
{
    MPI_Aint lb = -1, extent = -1, true_lb = -1, true_extent = -1;
    MPI_Count clb = -1, cextent = -1, bytes = -1;
    int len = -1;

    MPI_Type_size(t->type, &len);
    CHECK_INT(len, t->map.size);
    MPI_Type_size_x(t->type, &bytes);
    CHECK_INT(bytes, t->map.size);
    MPI_Type_get_extent(t->type, &lb, &extent);
    CHECK_INT(lb, t->map.lb);
    CHECK_INT(extent, tm_extent(&t->map));
    MPI_Type_get_extent_x(t->type, &clb, &cextent);
    CHECK_INT(clb, lb);
    CHECK_INT(cextent, extent);
    MPI_Type_get_true_extent(t->type, &true_lb, &true_extent);
    CHECK_INT(true_lb, t->map.true_lb);
    CHECK_INT(true_extent, t->map.true_ub - t->map.true_lb);
    MPI_Type_get_true_extent_x(t->type, &clb, &cextent);
    CHECK_INT(clb, true_lb);
    CHECK_INT(cextent, true_extent);
}

/* Packed data are unpacked, and no other byte is written. */
static void packing(const struct typed *t, int count)
{
    struct typed_buffer out = typed_buffer(t, count), in = typed_buffer(t, count);
    int room = -1, at = 0, end;
    char *packed;

    typed_fill(t, out, count, 3);
    MPI_Pack_size(count, t->type, comm, &room);
    CHECK(room >= count * (int) t->map.size);
    packed = mpitest_memory((size_t) room);
    MPI_Pack(out.base, count, t->type, packed, room, &at, comm);
    CHECK(at <= room);
    end = at;
    at = 0;
    MPI_Unpack(packed, room, &at, in.base, count, t->type, comm);
    CHECK_INT(at, end);
    CHECK(typed_has(t, in, count, 3));
    free(packed);
    free(out.mem);
    free(in.mem);
}

/* sent elements of t arrive in room for count of them. */
static void message(const struct typed *t, int sent, int count)
{
    struct typed_buffer out = typed_buffer(t, sent), in = typed_buffer(t, count);
    int got = -1, elements = -1;
    MPI_Status status;

    typed_fill(t, out, sent, (unsigned) rank);
    MPI_Sendrecv(out.base, sent, t->type, next, 1, in.base, count, t->type, previous, 1, comm,
                 &status);
    CHECK(typed_has(t, in, sent, (unsigned) previous));
    MPI_Get_count(&status, t->type, &got);
    CHECK_INT(got, t->map.size ? sent : 0);
    if (t->map.size > 0 && !t->unsure) {
        MPI_Get_elements(&status, t->type, &elements);
        CHECK_INT(elements, sent * (int) t->map.elements);
    }
    free(out.mem);
    free(in.mem);
}

/* As MPI_PACKED: the other side has packed or unpacks it with the type. */
static void packed_message(const struct typed *t, int count)
{
    struct typed_buffer out = typed_buffer(t, count), in = typed_buffer(t, count);
    int room, at = 0;
    char *packed;

    MPI_Pack_size(count, t->type, comm, &room);
    packed = mpitest_memory((size_t) room);
    typed_fill(t, out, count, (unsigned) rank + 100);
    MPI_Sendrecv(out.base, count, t->type, next, 1, packed, room, MPI_PACKED, previous, 1, comm,
                 MPI_STATUS_IGNORE);
    MPI_Unpack(packed, room, &at, in.base, count, t->type, comm);
    CHECK(typed_has(t, in, count, (unsigned) previous + 100));
    memset(in.mem, 0xa5, in.len);
    at = 0;
    MPI_Pack(out.base, count, t->type, packed, room, &at, comm);
    MPI_Sendrecv(packed, at, MPI_PACKED, next, 1, in.base, count, t->type, previous, 1, comm,
                 MPI_STATUS_IGNORE);
    CHECK(typed_has(t, in, count, (unsigned) previous + 100));
    free(packed);
    free(out.mem);
    free(in.mem);
}

static void each_type(const struct typed *t)
{
    static const int counts[] = { 0, 1, 2, 60 };

    bounds(t);
    for (int i = 0; i < 4; i++) {
        if (tm_overlaps(&t->map, counts[i]))
            continue;
        packing(t, counts[i]);
        message(t, counts[i], counts[i]);
        message(t, counts[i], counts[i] + 3);
        packed_message(t, counts[i]);
    }
}

static void each_comm(MPI_Comm c)
{
    comm = c;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    types_each(each_type);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comms_each(each_comm);
    MPI_Finalize();
    return 0;
}
