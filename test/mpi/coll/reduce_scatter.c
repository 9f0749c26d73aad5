/* reduce_scatter.c — MPI_Reduce_scatter(_block) in three forms: in place, the order of operands,
 * derived types, parts of all sizes. */
#include "affine.h"
#include "forms.h"
#include "holes.h"

struct parts { /* the part that each rank gets of a vector */
    int *lens, all;
    int ours, at; /* length of our part, and elements before it */
};

/* About n elements for each process: all the same, growing, none for every third, or all for
 * one. */
enum { EQUAL, GROWING, SPARSE, ONE, SHAPES };

static int length(struct me m, int n, int shape, int rank)
{
    switch (shape) {
    case GROWING:
        return n / m.size * rank + rank % 2;
    case SPARSE:
        return rank % 3 == 1 ? 0 : n;
    case ONE:
        return rank == m.size / 2 ? n : 0;
    default:
        return n;
    }
}

static struct parts parts_of(struct me m, int n, int shape)
{
    struct parts p = { .lens = ints(m.size) };

    for (int rank = 0; rank < m.size; rank++) {
        p.lens[rank] = length(m, n, shape, rank);
        if (rank == m.rank)
            p.at = p.all;
        p.all += p.lens[rank];
    }
    p.ours = p.lens[m.rank];
    return p;
}

/* MPI_Reduce_scatter, or MPI_Reduce_scatter_block. */
static void call(struct me m, const struct parts *p, const void *from, void *to, MPI_Datatype type,
                 MPI_Op op, int block)
{
    int err = block ? FORM(Reduce_scatter_block, Ireduce_scatter_block, from, to, p->ours, type, op,
                           m.comm)
                    : FORM(Reduce_scatter, Ireduce_scatter, from, to, p->lens, type, op, m.comm);

    CHECK(err == MPI_SUCCESS);
}

static void check_sums(struct me m, const int *v, const struct parts *p)
{
    for (int i = 0; i < p->ours; i++) {
        int s = 0;
        for (int rank = 0; rank < m.size; rank++)
            s += value(rank, p->at + i, 0);
        CHECK_INT(v[i], s);
    }
}

/* C01; C10: some processes have no receive buffer, and pass no MPI_IN_PLACE where others do. */
static void test_sum(struct me m, const struct parts *p, int block)
{
    int *v = values(m.rank, p->all, 0), *result = ints(p->ours + 1);

    call(m, p, v, p->ours ? result : NULL, MPI_INT, MPI_SUM, block);
    check_values(v, m.rank, p->all, 0);
    check_sums(m, result, p);
    check_untouched(result + p->ours, 1);
    if (p->ours || block)
        call(m, p, MPI_IN_PLACE, v, MPI_INT, MPI_SUM, block);
    else
        call(m, p, v, NULL, MPI_INT, MPI_SUM, block);
    check_sums(m, v, p);
    free(result);
    free(v);
}

/* C07, C10 */
static void test_order(struct me m, const struct parts *p, int block, MPI_Op op, MPI_Datatype type)
{
    struct affine *v = affine_values(m.rank, p->all), *result = affine_values(0, p->ours);

    for (int in_place = 0; in_place < 2; in_place++) {
        struct affine *to = in_place ? v : result;
        call(m, p, in_place ? MPI_IN_PLACE : (void *) v, to, type, op, block);
        for (int i = 0; i < p->ours; i++) {
            struct affine want = affine_result(m.size, p->at + i);
            CHECK_INT(to[i].a, want.a);
            CHECK_INT(to[i].b, want.b);
        }
    }
    free(result);
    free(v);
}

static void test_holes(struct me m, const struct parts *p, int block, MPI_Op op)
{
    struct holes *v = holes_values(m.rank, p->all), *result = holes_values(99, p->ours);

    for (int in_place = 0; in_place < 2; in_place++) {
        struct holes *to = in_place ? v : result;
        call(m, p, in_place ? MPI_IN_PLACE : (void *) v, to, holes_seen, op, block);
        for (int i = 0; i < p->ours; i++) {
            int first = 0;
            for (int rank = 0; rank < m.size; rank++)
                first += value(rank, p->at + i, 1);
            CHECK_INT(to[i].first, first);
            CHECK_INT(to[i].hole, HOLE);
        }
    }
    free(result);
    free(v);
}

static void test(MPI_Comm comm)
{
    const int sizes[] = { 0, 1, 7, 300, 5000 }; /* the last size in one form only */
    struct me m = whoami(comm);
    MPI_Datatype pair = affine_type();
    MPI_Op then, add;

    holes_seen = holes_type();
    MPI_Op_create(affine_function, 0, &then);
    MPI_Op_create(holes_function, 1, &add);
    for (int i = 0; i < (form == BLOCKING ? 5 : 4); i++)
        for (int shape = 0; shape <= SHAPES; shape++) {
            struct parts p = parts_of(m, sizes[i], shape % SHAPES);
            test_sum(m, &p, shape == SHAPES);
            test_order(m, &p, shape == SHAPES, then, pair);
            test_holes(m, &p, shape == SHAPES, add);
            free(p.lens);
        }
    MPI_Op_free(&then);
    MPI_Op_free(&add);
    MPI_Type_free(&holes_seen);
    MPI_Type_free(&pair);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (form = BLOCKING; form < FORMS; form++)
        comms_each(test);
    MPI_Finalize();
    return 0;
}
