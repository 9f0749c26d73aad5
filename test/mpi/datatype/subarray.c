/* subarray.c — D05: subarrays in both orders, of 1 to 8 dimensions, take the elements within their
 * window and have the extent of the whole array. */
#include "arrays.h"

struct window {
    int dims, sizes[ARRAY_DIMS], subsizes[ARRAY_DIMS], starts[ARRAY_DIMS];
};

static int within(const int *coordinate, void *arg)
{
    const struct window *w = arg;

    for (int d = 0; d < w->dims; d++)
        if (coordinate[d] < w->starts[d] || coordinate[d] >= w->starts[d] + w->subsizes[d])
            return 0;
    return 1;
}

static void check(struct window *w, int order)
{
    static int number[ARRAY_MAX];
    int n = array_numbers(w->dims, w->sizes, order, within, w, number), total = 1;
    MPI_Datatype type;

    for (int d = 0; d < w->dims; d++)
        total *= w->sizes[d];
    MPI_Type_create_subarray(w->dims, w->sizes, w->subsizes, w->starts, order, MPI_INT, &type);
    array_check(type, total, n, number);
    MPI_Type_free(&type);
}

/* All windows of a small array. */
static void all_windows(int sizes[3], int order)
{
    struct window w = { .dims = 3 };
    int windows = 1;

    for (int d = 0; d < 3; d++)
        windows *= sizes[d] * sizes[d];
    for (int i = 0; i < windows; i++) {
        int rest = i;

        for (int d = 0; d < 3; d++) {
            w.sizes[d] = sizes[d];
            w.starts[d] = rest % sizes[d];
            rest /= sizes[d];
            w.subsizes[d] = rest % sizes[d] + 1;
            rest /= sizes[d];
        }
        if (w.starts[0] + w.subsizes[0] <= sizes[0] && w.starts[1] + w.subsizes[1] <= sizes[1]
            && w.starts[2] + w.subsizes[2] <= sizes[2])
            check(&w, order);
    }
}

int main(int argc, char **argv)
{
    static struct window some[] = {
        { 1, { 9 }, { 4 }, { 3 } },
        { 1, { 1 }, { 1 }, { 0 } },
        { 2, { 100, 200 }, { 100, 1 }, { 0, 77 } },
        { 2, { 100, 200 }, { 1, 200 }, { 99, 0 } },
        { 2, { 100, 200 }, { 60, 70 }, { 40, 130 } },
        { 4, { 3, 5, 2, 7 }, { 2, 5, 1, 3 }, { 1, 0, 1, 2 } },
        { 8, { 2, 3, 2, 3, 2, 3, 2, 3 }, { 1, 2, 2, 1, 2, 3, 1, 2 }, { 1, 1, 0, 2, 0, 0, 0, 1 } },
    };

    MPI_Init(&argc, &argv);
    for (int k = 0; k < 2; k++) {
        int order = k ? MPI_ORDER_C : MPI_ORDER_FORTRAN;

        all_windows((int[]) { 3, 2, 4 }, order);
        for (size_t i = 0; i < sizeof some / sizeof *some; i++)
            check(&some[i], order);
    }
    MPI_Finalize();
    return 0;
}
