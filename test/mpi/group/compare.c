/* compare.c — G01: groups are identical, similar (the same members in another order) or unequal. */
#include "group_test.h"

static int compared(MPI_Group a, MPI_Group b)
{
    int result = -1, reverse = -1;

    CHECK(MPI_Group_compare(a, b, &result) == MPI_SUCCESS);
    CHECK(MPI_Group_compare(b, a, &reverse) == MPI_SUCCESS);
    CHECK_INT(result, reverse);
    return result;
}

/* A group of all processes, one with two exchanged, and one without one of them. */
static void one_order(const int *order)
{
    int other[GROUP_MOST];
    MPI_Group g = group_of(group_size, order), same = group_of(group_size, order);

    CHECK_INT(compared(g, g), MPI_IDENT);
    CHECK_INT(compared(g, same), MPI_IDENT);
    CHECK_INT(compared(g, MPI_GROUP_EMPTY), MPI_UNEQUAL);
    for (int a = 0; a < group_size; a++) {
        for (int b = 0; b < group_size; b++) {
            memcpy(other, order, sizeof other);
            other[a] = order[b];
            other[b] = order[a];
            MPI_Group swapped = group_of(group_size, other);
            CHECK_INT(compared(g, swapped), a == b ? MPI_IDENT : MPI_SIMILAR);
            MPI_Group fewer, others;
            MPI_Group_excl(g, 1, &a, &fewer);
            MPI_Group_excl(g, 1, &b, &others);
            CHECK_INT(compared(g, fewer), MPI_UNEQUAL);
            CHECK_INT(compared(fewer, others), a == b ? MPI_IDENT : MPI_UNEQUAL);
            MPI_Group_free(&swapped);
            MPI_Group_free(&fewer);
            MPI_Group_free(&others);
        }
    }
    MPI_Group_free(&g);
    MPI_Group_free(&same);
}

int main(int argc, char **argv)
{
    int order[GROUP_MOST] = { 0 };

    group_begin(&argc, &argv);
    CHECK_INT(compared(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY), MPI_IDENT);
    for (int shift = 0; shift < group_size; shift++) {
        for (int i = 0; i < group_size; i++)
            order[i] = (i + shift) % group_size;
        one_order(order);
        for (int i = 0; i < group_size; i++)
            order[i] = (2 * group_size - 1 - i - shift) % group_size;
        one_order(order);
    }
    group_end();
    return 0;
}
