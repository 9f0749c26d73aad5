/* many.c — R01: a thousand windows of each flavor, one after the other: what is not freed runs out.
 *
 * Not for MPICH, whose processes busy-wait: on few cores it takes minutes. */
#include "rma.h"

int main(int argc, char **argv)
{
    int one = 1;

    rma_init(&argc, &argv);
    for (enum flavor f = 0; f < FLAVORS; f++)
        for (int i = 0; i < 1000 && (f != SHARED || rma_one_node()); i++) {
            struct window w = window_make(f, 64, 1);
            if (i % 100 == 0) {
                MPI_Win_fence(0, w.win);
                MPI_Put(&one, 1, MPI_INT, size - 1, window_disp(&w, size - 1, 4L * rank % 64), 1,
                        MPI_INT, w.win);
                MPI_Win_fence(0, w.win);
            }
            window_free(&w);
        }
    MPI_Finalize();
    return 0;
}
