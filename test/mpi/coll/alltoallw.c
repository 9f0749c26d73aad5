/* alltoallw.c — MPI_Alltoallw in its three forms: a type for each block, displacements in bytes, in
 * place.
 *
 * MPICH 4.0 fails: MPI_Ialltoallw takes wrong types with MPI_IN_PLACE when they differ. */
#include <stddef.h>
#include "forms.h"

/* Value i of the block from one rank to another, and the number of ints in it. same: as many go
 * the other way. */
static int between(int from, int to, int i) { return value(from, i, to + 1); }

static int amount(int from, int to, int unit, int same)
{
    return same ? (from + to) % 4 * unit + (from * to) % 2 : (from + 2 * to) % 4 * unit + from % 2;
}

struct side { /* the blocks to or from all ranks, in one buffer */
    int *counts, *displs, *lens, *steps, room;
    MPI_Datatype *types;
    char *buf;
};

/* Blocks have three kinds of types by turns: every other int as one element, bytes, ints. No
 * displacement of a block is a multiple of the extent of its type. There is a gap between
 * blocks. */
static struct side make(struct me m, int unit, int same, int incoming)
{
    struct side s = { ints(m.size), ints(m.size), ints(m.size), ints(m.size), 4, NULL, NULL };

    s.types = mpitest_memory((size_t) m.size * sizeof *s.types);
    for (int i = m.size - 1; i >= 0; i--) {
        int n = incoming ? amount(i, m.rank, unit, same) : amount(m.rank, i, unit, same);
        int kind = (i + m.rank + (same ? 0 : incoming)) % 3;
        if (same)
            kind = i > m.rank ? 0 : 2; /* each process has its own types */
        s.types[i] = kind == 0 ? every_other(n) : kind == 1 ? MPI_INT : MPI_BYTE;
        s.counts[i] = kind == 0 ? 1 : kind == 1 ? n : 4 * n;
        s.steps[i] = kind == 0 ? 2 : 1;
        s.lens[i] = n;
        s.displs[i] = s.room;
        s.room += 4 * (n * s.steps[i] + 1);
    }
    s.buf = mpitest_memory((size_t) s.room);
    return s;
}

static int *element(const struct side *s, int rank, int i)
{
    return (int *) (void *) (s->buf + s->displs[rank]) + i * s->steps[rank];
}

static void fill(struct me m, const struct side *s)
{
    for (int to = 0; to < m.size; to++)
        for (int i = 0; i < s->lens[to]; i++)
            *element(s, to, i) = between(m.rank, to, i);
}

static void check(struct me m, const struct side *s)
{
    for (int from = 0; from < m.size; from++) {
        for (int i = 0; i < s->lens[from]; i++) {
            CHECK_INT(*element(s, from, i), between(from, m.rank, i));
            if (s->steps[from] == 2)
                check_untouched(element(s, from, i) + 1, 1);
        }
        check_untouched((int *) (void *) (s->buf + s->displs[from]) - 1, 1);
    }
}

static void release(struct me m, struct side *s)
{
    for (int i = 0; i < m.size; i++)
        if (s->steps[i] == 2)
            MPI_Type_free(&s->types[i]);
    free(s->buf);
    free(s->types);
    free(s->steps);
    free(s->lens);
    free(s->displs);
    free(s->counts);
}

/* C04 */
static void test_apart(struct me m, int unit)
{
    struct side to = make(m, unit, 0, 0), from = make(m, unit, 0, 1);

    fill(m, &to);
    CHECK(FORM(Alltoallw, Ialltoallw, to.buf, to.counts, to.displs, to.types, from.buf, from.counts,
               from.displs, from.types, m.comm)
          == MPI_SUCCESS);
    check(m, &from);
    release(m, &from);
    release(m, &to);
}

/* C01, C04: send arguments are not looked at. */
static void test_in_place(struct me m, int unit)
{
    struct side s = make(m, unit, 1, 1);

    fill(m, &s);
    CHECK(FORM(Alltoallw, Ialltoallw, MPI_IN_PLACE, NULL, NULL, NULL, s.buf, s.counts, s.displs,
               s.types, m.comm)
          == MPI_SUCCESS);
    check(m, &s);
    release(m, &s);
}

/* Absolute addresses, in types and as displacements from MPI_BOTTOM. */
static void test_bottom(struct me m)
{
    int *counts_ = ints(m.size), *displs = ints(m.size), *out = ints(m.size), *in = ints(m.size);
    MPI_Datatype *to = mpitest_memory((size_t) m.size * sizeof *to);
    MPI_Datatype *from = mpitest_memory((size_t) m.size * sizeof *from);

    for (int i = 0; i < m.size; i++) {
        MPI_Aint at;
        int one = 1;
        counts_[i] = 1;
        displs[i] = 0;
        out[i] = between(m.rank, i, 0);
        MPI_Get_address(out + i, &at);
        MPI_Type_create_hindexed(1, &one, &at, MPI_INT, &to[i]);
        MPI_Type_commit(&to[i]);
        MPI_Get_address(in + i, &at);
        MPI_Type_create_hindexed(1, &one, &at, MPI_INT, &from[i]);
        MPI_Type_commit(&from[i]);
    }
    CHECK(FORM(Alltoallw, Ialltoallw, MPI_BOTTOM, counts_, displs, to, MPI_BOTTOM, counts_, displs,
               from, m.comm)
          == MPI_SUCCESS);
    for (int i = 0; i < m.size; i++) {
        CHECK_INT(in[i], between(i, m.rank, 0));
        MPI_Type_free(&to[i]);
        MPI_Type_free(&from[i]);
    }
    free(from);
    free(to);
    free(in);
    free(out);
    free(displs);
    free(counts_);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);

    test_apart(m, 0);
    test_apart(m, 5);
    test_apart(m, 9000);
    test_in_place(m, 0);
    test_in_place(m, 5);
    test_in_place(m, 9000);
    test_bottom(m);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (form = BLOCKING; form < FORMS; form++)
        comms_each(test);
    MPI_Finalize();
    return 0;
}
