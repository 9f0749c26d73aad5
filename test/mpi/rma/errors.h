/* errors.h — a call that must fail with a class, and a window that must still work. */
#ifndef ERRORS_H
#define ERRORS_H

#include "../env/starling.h"
#include "rma.h"

#define EXPECT(class, call) expect(__FILE__, __LINE__, #call, (class), (call))

static inline void expect(const char *file, int line, const char *call, int class, int code)
{
    mpitest_equal(file, line, call, code == MPI_SUCCESS ? MPI_SUCCESS : error_class(code), class);
}

/* Every rank writes to every rank, in epochs of each kind. */
static inline void still_usable(struct window *w)
{
    char value = (char) (rank + 1);

    for (enum epoch k = 0; k < EPOCHS; k++) {
        window_fill(w, 0);
        epoch_begin(w, k);
        for (int r = 0; r < size; r++)
            CHECK(MPI_Put(&value, 1, MPI_CHAR, r, window_disp(w, r, 4 * rank), 1, MPI_CHAR, w->win)
                  == MPI_SUCCESS);
        epoch_end(w, k);
        for (int r = 0; r < size; r++)
            CHECK_INT(w->base[4 * r], r + 1);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

#endif /* ERRORS_H */
