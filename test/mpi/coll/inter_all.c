/* inter_all.c — C02: MPI_Barrier, MPI_Allgather(v) and MPI_Alltoall(v,w) between groups: each
 * group receives what the other one sends; also where one direction has no data.
 *
 * All processes must run on one host, because they compare its clock. */
#include <time.h>
#include "inter.h"

static enum form form;

/* ---- barrier --------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* C17: a process leaves after all of the other group have entered. */
static void barrier(const struct inter *in)
{
    const struct timespec pause = { .tv_nsec = 5000000 };

    for (int late = 0; late < 2; late++) {
        double entered, left, last[2] = { 0 }, mine[2] = { 0 };

        if (in->side == late && in->rank == in->size - 1)
            nanosleep(&pause, NULL);
        entered = mine[in->side] = now();
        IN_FORM(form, Barrier, Ibarrier, in->comm);
        left = now();
        CHECK(left >= entered);
        MPI_Allreduce(mine, last, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        CHECK(left >= last[!in->side]);
    }
    for (int i = 0; i < 10; i++)
        IN_FORM(form, Barrier, Ibarrier, in->comm);
}

/* ---- blocks of one size ---------------------------------------------------------------------- */

/* Processes of side s send blocks of n[s] ints. */
static void allgather(const struct inter *in, const int *n)
{
    int mine = n[in->side], theirs = n[!in->side];
    int *v = values(inter_me(in), mine, 2), *all = ints(in->peers * theirs + 1);

    IN_FORM(form, Allgather, Iallgather, v, mine, MPI_INT, all, theirs, MPI_INT, in->comm);
    for (int i = 0; i < in->peers; i++)
        check_values(all + i * theirs, inter_peer(in, i), theirs, 2);
    check_untouched(all + in->peers * theirs, 1);
    free(all);
    free(v);
}

/* C16: side 1 sends and receives every other int of its memory. */
static void allgather_types(const struct inter *in, int n)
{
    MPI_Datatype vector = every_other(n);
    int *v = ints(2 * n), *all = ints(in->peers * 2 * n);

    for (int i = 0; i < n; i++)
        v[in->side ? 2 * i : i] = value(inter_me(in), i, 4);
    if (in->side)
        IN_FORM(form, Allgather, Iallgather, v, 1, vector, all, 1, vector, in->comm);
    else
        IN_FORM(form, Allgather, Iallgather, v, n, MPI_INT, all, n, MPI_INT, in->comm);
    for (int r = 0; r < in->peers; r++)
        for (int i = 0; i < n; i++) { /* a vector ends with its last block */
            const int *at = in->side ? all + r * (2 * n - 1) + 2 * i : all + r * n + i;
            CHECK_INT(at[0], value(inter_peer(in, r), i, 4));
            if (in->side && i < n - 1)
                check_untouched(at + 1, 1);
        }
    free(all);
    free(v);
    MPI_Type_free(&vector);
}

static void alltoall(const struct inter *in, const int *n)
{
    int mine = n[in->side], theirs = n[!in->side];
    int *v = ints(in->peers * mine), *all = ints(in->peers * theirs + 1);

    for (int i = 0; i < in->peers * mine; i++)
        v[i] = value(inter_me(in), i, 6);
    IN_FORM(form, Alltoall, Ialltoall, v, mine, MPI_INT, all, theirs, MPI_INT, in->comm);
    for (int r = 0; r < in->peers; r++)
        for (int i = 0; i < theirs; i++)
            CHECK_INT(all[r * theirs + i], value(inter_peer(in, r), in->rank * theirs + i, 6));
    check_untouched(all + in->peers * theirs, 1);
    free(all);
    free(v);
}

/* ---- blocks of any size ---------------------------------------------------------------------- */

/* Ints that a process of a side sends to one of the other side. */
static int length(int side, int rank, int peer, const int *n)
{
    return (rank + 2 * peer) % 3 * n[side] / 2;
}

/* The blocks to or from all of the other group, in reverse order, with an int between them. */
struct layout {
    int *lens, *displs, room;
};

static struct layout lay_out(const struct inter *in, int out, int all, const int *n)
{
    struct layout a = { ints(in->peers), ints(in->peers), 1 };

    for (int i = in->peers - 1; i >= 0; i--) {
        a.lens[i] =
            out ? length(in->side, in->rank, i, n) : length(!in->side, i, all ? 0 : in->rank, n);
        a.displs[i] = a.room;
        a.room += a.lens[i] + 1;
    }
    return a;
}

static void forget(struct layout *a)
{
    free(a->lens);
    free(a->displs);
}

static void allgatherv(const struct inter *in, const int *n)
{
    struct layout a = lay_out(in, 0, 1, n);
    int mine = length(in->side, in->rank, 0, n);
    int *v = values(inter_me(in), mine, 8), *all = ints(a.room);

    IN_FORM(form, Allgatherv, Iallgatherv, v, mine, MPI_INT, all, a.lens, a.displs, MPI_INT,
            in->comm);
    for (int r = 0; r < in->peers; r++) {
        check_values(all + a.displs[r], inter_peer(in, r), a.lens[r], 8);
        check_untouched(all + a.displs[r] - 1, 1);
    }
    forget(&a);
    free(all);
    free(v);
}

static void alltoallv(const struct inter *in, const int *n)
{
    struct layout a = lay_out(in, 1, 0, n), b = lay_out(in, 0, 0, n);
    int *v = ints(a.room), *all = ints(b.room);

    for (int r = 0; r < in->peers; r++)
        for (int i = 0; i < a.lens[r]; i++)
            v[a.displs[r] + i] = value(inter_me(in) + r, i, 10);
    IN_FORM(form, Alltoallv, Ialltoallv, v, a.lens, a.displs, MPI_INT, all, b.lens, b.displs,
            MPI_INT, in->comm);
    for (int r = 0; r < in->peers; r++) {
        check_values(all + b.displs[r], inter_peer(in, r) + in->rank, b.lens[r], 10);
        check_untouched(all + b.displs[r] - 1, 1);
    }
    forget(&a);
    forget(&b);
    free(all);
    free(v);
}

/* C04: each block is every other int by a type of its own; displacements in bytes. */
static void alltoallw(const struct inter *in, const int *n)
{
    struct layout a = lay_out(in, 1, 0, n), b = lay_out(in, 0, 0, n);
    int *v = ints(2 * a.room), *all = ints(2 * b.room), *ones = ints(in->peers);
    MPI_Datatype *out = mpitest_memory((size_t) in->peers * sizeof *out);
    MPI_Datatype *into = mpitest_memory((size_t) in->peers * sizeof *into);

    for (int r = 0; r < in->peers; r++) {
        out[r] = every_other(a.lens[r]);
        into[r] = every_other(b.lens[r]);
        ones[r] = 1;
        for (int i = 0; i < a.lens[r]; i++)
            v[2 * (a.displs[r] + i)] = value(inter_me(in) + r, i, 12);
        a.displs[r] *= 2 * (int) sizeof(int);
        b.displs[r] *= 2 * (int) sizeof(int);
    }
    IN_FORM(form, Alltoallw, Ialltoallw, v, ones, a.displs, out, all, ones, b.displs, into,
            in->comm);
    for (int r = 0; r < in->peers; r++) {
        const int *at = all + b.displs[r] / (int) sizeof(int);
        for (int i = 0; i < b.lens[r]; i++) {
            CHECK_INT(at[2 * i], value(inter_peer(in, r) + in->rank, i, 12));
            check_untouched(&at[2 * i + 1], 1);
        }
        MPI_Type_free(&out[r]);
        MPI_Type_free(&into[r]);
    }
    forget(&a);
    forget(&b);
    free(into);
    free(out);
    free(ones);
    free(all);
    free(v);
}

static void test(const struct inter *in)
{
    static const int lens[][2] = {
        { 0, 0 }, { 1, 1 }, { 3, 0 }, { 0, 5 }, { 257, 2 }, { 40, 30011 }
    };

    for (form = 0; form < FORMS; form++) {
        barrier(in);
        for (int c = 0; c < 6; c++) {
            allgather(in, lens[c]);
            alltoall(in, lens[c]);
            allgatherv(in, lens[c]);
            alltoallv(in, lens[c]);
            alltoallw(in, lens[c]);
        }
        allgather_types(in, 3);
        allgather_types(in, 3000);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    inter_each(test);
    MPI_Finalize();
    return 0;
}
