/* calls.c — each call on its own, for tools/budget to count its instructions: rank 0 runs under
 * callgrind, which collects only while it is inside the functions of interest.
 *
 * The ranks synchronize outside MPI, so that no call has to wait: a receive is only waited for when
 * its message has been sent. Callgrind writes one file for each phase below; in a phase each
 * function that budget asks for is called perf.iters times, or MPI_Waitall for as many requests. */
#include <stddef.h>
#include "marks.h"
#include "perf.h"

enum { WARM_UP = 16, COUNT = 100, WINDOW = 64, LARGEST = 32768 };

static char out[LARGEST], in[LARGEST];

struct phase {
    const char *name;
    int size;
    void (*rank0)(int size, int count);
    void (*rank1)(int size, int count); /* NULL: it does nothing */
};

/* ---- rank 1 ---------------------------------------------------------------------------------- */

static void take_each(int size, int count)
{
    for (int i = 0; i < count; i++) {
        perf_quiet_gate();
        MPI_Recv(in, size, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        perf_quiet_gate();
    }
}

/* Not MPI_Send: it may wait, legally, until rank 0 calls MPI. */
static void give_each(int size, int count)
{
    MPI_Request r;

    for (int i = 0; i < count; i++) {
        perf_quiet_gate();
        MPI_Isend(out, size, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &r);
        perf_quiet_gate();
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}

static int window_of(int left) { return left < WINDOW ? left : WINDOW; }

static void give_windows(int size, int count)
{
    MPI_Request r[WINDOW];

    for (int left = count, n; left; left -= n) {
        n = window_of(left);
        perf_quiet_gate();
        for (int i = 0; i < n; i++)
            MPI_Isend(out + i * size, size, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &r[i]);
        perf_quiet_gate();
        MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
    }
}

/* ---- rank 0, with rank 1 --------------------------------------------------------------------- */

static void isend(int size, int count)
{
    MPI_Request r;

    for (int i = 0; i < count; i++) {
        MPI_Isend(out, size, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &r);
        perf_quiet_gate();
        perf_quiet_gate(); /* it has been received */
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}

/* In calls_fortran.c, where it is linked. rank: of the array in mpi_f08; -1: module mpi. */
void calls_fortran_isend(int rank, char *buf, int size, MPI_Request *r) __attribute__((weak));

static void fortran_isend(int rank, int size, int count)
{
    MPI_Request r;

    for (int i = 0; i < count; i++) {
        calls_fortran_isend(rank, out, size, &r);
        perf_quiet_gate();
        perf_quiet_gate();
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}

static void isend_mpi(int size, int count) { fortran_isend(-1, size, count); }
static void isend_f08_0(int size, int count) { fortran_isend(0, size, count); }
static void isend_f08(int size, int count) { fortran_isend(1, size, count); }
static void isend_f08_2(int size, int count) { fortran_isend(2, size, count); }

static void send(int size, int count)
{
    for (int i = 0; i < count; i++) {
        MPI_Send(out, size, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        perf_quiet_gate();
        perf_quiet_gate();
    }
}

static void irecv(int size, int count)
{
    MPI_Request r;

    for (int i = 0; i < count; i++) {
        MPI_Irecv(in, size, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &r);
        perf_quiet_gate();
        perf_quiet_gate(); /* it has been sent */
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}

static void recv(int size, int count)
{
    for (int i = 0; i < count; i++) {
        perf_quiet_gate();
        perf_quiet_gate();
        MPI_Recv(in, size, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* The receiver of a message rate: as many receives as a window has, and one call to wait. */
static void windows(int size, int count)
{
    MPI_Request r[WINDOW];

    for (int left = count, n; left; left -= n) {
        n = window_of(left);
        for (int i = 0; i < n; i++)
            MPI_Irecv(in + i * size, size, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &r[i]);
        perf_quiet_gate();
        perf_quiet_gate(); /* they have been sent */
        MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
    }
}

static void test(int size, int count)
{
    MPI_Request r;
    int done;

    MPI_Irecv(in, size, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &r);
    for (int i = 0; i < count; i++)
        MPI_Test(&r, &done, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++) { /* the messages that rank 1 sends */
        perf_quiet_gate();
        perf_quiet_gate();
        MPI_Waitall(1, &r, MPI_STATUSES_IGNORE);
        if (i + 1 < count)
            MPI_Irecv(in, size, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &r);
    }
}

static void iprobe(int size, int count)
{
    int found;

    (void) size;
    for (int i = 0; i < count; i++)
        MPI_Iprobe(1, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

/* ---- rank 0 alone ---------------------------------------------------------------------------- */

static void comm_rank(int size, int count)
{
    int rank;

    (void) size;
    for (int i = 0; i < count; i++)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

static void get_attr(int keyval, int count)
{
    void *value;
    int flag;

    for (int i = 0; i < count; i++)
        MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &value, &flag);
}

static void predefined_attr(int size, int count)
{
    (void) size;
    get_attr(MPI_TAG_UB, count);
}

static void users_attr(int size, int count)
{
    int keyval;

    (void) size;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, out);
    get_attr(keyval, count);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    MPI_Comm_free_keyval(&keyval);
}

static void wtime(int size, int count)
{
    (void) size;
    for (int i = 0; i < count; i++)
        (void) MPI_Wtime();
}

static void self_isend(int size, int count)
{
    MPI_Request r, s;

    for (int i = 0; i < count; i++) {
        MPI_Irecv(in, size, MPI_BYTE, 0, 1, MPI_COMM_SELF, &r);
        MPI_Isend(out, size, MPI_BYTE, 0, 1, MPI_COMM_SELF, &s);
        MPI_Waitall(1, &r, MPI_STATUSES_IGNORE);
        MPI_Wait(&s, MPI_STATUS_IGNORE);
    }
}

static void self_irecv(int size, int count)
{
    MPI_Request r, s;

    for (int i = 0; i < count; i++) {
        MPI_Irecv(in, size, MPI_BYTE, 0, 1, MPI_COMM_SELF, &r);
        MPI_Isend(out, size, MPI_BYTE, 0, 1, MPI_COMM_SELF, &s);
        MPI_Waitall(1, &s, MPI_STATUSES_IGNORE);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}

static void self_send(int size, int count)
{
    MPI_Request r;

    for (int i = 0; i < count; i++) {
        MPI_Irecv(in, size, MPI_BYTE, 0, 1, MPI_COMM_SELF, &r);
        MPI_Send(out, size, MPI_BYTE, 0, 1, MPI_COMM_SELF);
        MPI_Waitall(1, &r, MPI_STATUSES_IGNORE);
    }
}

static void self_recv(int size, int count)
{
    MPI_Request s;

    for (int i = 0; i < count; i++) {
        MPI_Isend(out, size, MPI_BYTE, 0, 1, MPI_COMM_SELF, &s);
        MPI_Recv(in, size, MPI_BYTE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Waitall(1, &s, MPI_STATUSES_IGNORE);
    }
}

static void self_sendrecv(int size, int count)
{
    for (int i = 0; i < count; i++)
        MPI_Sendrecv(out, size, MPI_BYTE, 0, 1, in, size, MPI_BYTE, 0, 1, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
}

/* A message to itself along each edge of a grid of three dimensions, all of one derived type. */
static void neighbors(int size, int count)
{
    enum { DIMS = 3, EDGES = 2 * DIMS };
    const int ones[EDGES] = { 1, 1, 1, 1, 1, 1 };
    MPI_Datatype type, types[EDGES];
    MPI_Aint at[EDGES];
    MPI_Comm grid;

    MPI_Type_contiguous(size, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < EDGES; i++) {
        types[i] = type;
        at[i] = i * size;
    }
    MPI_Cart_create(MPI_COMM_SELF, DIMS, ones, ones, 0, &grid);
    for (int i = 0; i < count; i++)
        MPI_Neighbor_alltoallw(out, ones, at, types, in, ones, at, types, grid);
    MPI_Comm_free(&grid);
    MPI_Type_free(&type);
}

static struct mixed {
    char c;
    double d;
    int i;
} one;

static MPI_Datatype mixed_type(void)
{
    const int blocklen[] = { 1, 1, 1 };
    const MPI_Aint at[] = { offsetof(struct mixed, c), offsetof(struct mixed, d),
                            offsetof(struct mixed, i) };
    const MPI_Datatype types[] = { MPI_CHAR, MPI_DOUBLE, MPI_INT };
    MPI_Datatype type;

    MPI_Type_create_struct(3, blocklen, at, types, &type);
    MPI_Type_commit(&type);
    return type;
}

static void pack(int size, int count)
{
    MPI_Datatype type = mixed_type();

    for (int i = 0, at = 0; i < count; i++, at = 0)
        MPI_Pack(&one, 1, type, out, size, &at, MPI_COMM_WORLD);
    MPI_Type_free(&type);
}

static void unpack(int size, int count)
{
    MPI_Datatype type = mixed_type();

    for (int i = 0, at = 0; i < count; i++, at = 0)
        MPI_Unpack(out, size, &at, &one, 1, type, MPI_COMM_WORLD);
    MPI_Type_free(&type);
}

/* ---- one-sided ------------------------------------------------------------------------------- */

static MPI_Win make_window(void)
{
    MPI_Win win;
    void *memory;

    MPI_Win_allocate(LARGEST, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    return win;
}

static void put(int size, int count)
{
    MPI_Win win = make_window();
    long one_more = 1, before;

    MPI_Win_lock_all(0, win);
    for (int i = 0; i < count; i++) {
        MPI_Put(out, size, MPI_BYTE, 1, 64, size, MPI_BYTE, win);
        MPI_Get(in, size, MPI_BYTE, 1, 64, size, MPI_BYTE, win);
        MPI_Fetch_and_op(&one_more, &before, MPI_LONG, 1, 0, MPI_SUM, win);
        MPI_Win_flush(1, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* Each epoch has one operation, whose target is locked by it. */
static void lock_all(int size, int count)
{
    MPI_Win win = make_window();

    for (int i = 0; i < count; i++) {
        MPI_Win_lock_all(0, win);
        MPI_Put(out, size, MPI_BYTE, 1, 64, size, MPI_BYTE, win);
        MPI_Win_unlock_all(win);
    }
    MPI_Win_free(&win);
}

static void accumulate(int size, int count)
{
    MPI_Win win = make_window();

    MPI_Win_lock_all(0, win);
    for (int i = 0; i < count; i++)
        MPI_Accumulate(out, size, MPI_BYTE, 1, 0, size, MPI_BYTE, MPI_BOR, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* Each rank is origin and target of the other. The gates let no call wait. */
static void pscw(int size, int count)
{
    MPI_Win win = make_window();
    int peer = !perf.rank;
    MPI_Group all, other;

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    for (int i = 0; i < count; i++) {
        MPI_Win_post(other, 0, win);
        perf_quiet_gate();
        MPI_Win_start(other, 0, win);
        MPI_Put(out, size, MPI_BYTE, peer, 64, size, MPI_BYTE, win);
        MPI_Win_complete(win);
        perf_quiet_gate();
        MPI_Win_wait(win);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
    MPI_Win_free(&win);
}

static void lend(int size, int count)
{
    MPI_Win win = make_window();

    (void) size, (void) count;
    MPI_Win_free(&win);
}

/* ---- all ------------------------------------------------------------------------------------- */

static const struct phase phases[] = {
    { "comm_rank", 0, comm_rank, NULL },
    { "predefined_attr", 0, predefined_attr, NULL },
    { "users_attr", 0, users_attr, NULL },
    { "wtime", 0, wtime, NULL },
    { "isend_8", 8, isend, take_each },
    { "isend_1024", 1024, isend, take_each },
    { "send_8", 8, send, take_each },
    { "irecv_8", 8, irecv, give_each },
    { "irecv_1024", 1024, irecv, give_each },
    { "recv_8", 8, recv, give_each },
    { "recv_1024", 1024, recv, give_each },
    { "windows_8", 8, windows, give_windows },
    { "test", 8, test, give_each },
    { "iprobe", 0, iprobe, NULL },
    { "self_isend_8", 8, self_isend, NULL },
    { "self_irecv_8", 8, self_irecv, NULL },
    { "self_send_8", 8, self_send, NULL },
    { "self_recv_8", 8, self_recv, NULL },
    { "self_sendrecv_8", 8, self_sendrecv, NULL },
    { "self_neighbors_8", 8, neighbors, NULL },
    { "put_8", 8, put, lend },
    { "accumulate_32768", 32768, accumulate, lend },
    { "lock_all", 8, lock_all, lend },
    { "pscw", 8, pscw, pscw },
    { "pack_struct", 64, pack, NULL },
    { "unpack_struct", 64, unpack, NULL },
};

/* From Fortran. */
static const struct phase fortran_phases[] = {
    { "fortran_isend_8", 8, isend_mpi, take_each },
    { "fortran_isend_8_f08_0", 8, isend_f08_0, take_each },
    { "fortran_isend_8_f08", 8, isend_f08, take_each },
    { "fortran_isend_8_f08_2", 8, isend_f08_2, take_each },
};

static void run(const struct phase *p, int count)
{
    void (*part)(int, int) = perf.rank == 0 ? p->rank0 : p->rank1;

    if (part && perf.rank < 2)
        part(p->size, count);
}

static void measure(const struct phase *p, int count)
{
    if (!perf_wanted(p->name))
        return;
    run(p, WARM_UP);
    mark_begin();
    run(p, count);
    mark_end(p->name);
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "8", NULL, NULL };

    perf_begin(argc, argv, &start);
    if (!MARKS)
        perf_fail("compiled without valgrind/callgrind.h: nothing can be counted");
    if (perf.size != 2)
        perf_fail("this needs exactly two ranks");
    int count = perf.iters ? perf.iters : COUNT;
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        measure(&phases[i], count);
    for (size_t i = 0; calls_fortran_isend && i < sizeof fortran_phases / sizeof *fortran_phases;
         i++)
        measure(&fortran_phases[i], count);
    return perf_end();
}
