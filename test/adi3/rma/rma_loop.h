/* rma_loop.h — a window of the fake job whose packets come back: what this process sends to another
 * one arrives here as if that one had sent it. So one process is the origin and the target of its
 * operations, with all packets between. */
#ifndef RMA_LOOP_H
#define RMA_LOOP_H

#include "fake.h"
#include "adi3/rma/messages/wire.h"

enum { LOOP_BYTES = 200000, LOOP_UNIT = 4 };

struct loop {
    struct adi3_win *w;
    struct rma_target *t; /* rank 1 */
    int pieces;           /* how packets arrive; -1: whole or in a random number */
    int sent[PKT_TYPES];  /* packets by type */
    int refused;          /* how many */
};
extern struct loop loop;
extern _Alignas(16) char loop_memory[LOOP_BYTES]; /* of the window */

/* Makes the window, with LOOP_BYTES of memory or a dynamic one; clears all that is counted. */
void loop_window(int flavor, unsigned infos);
void loop_free(void);
bool loop_pump(void);        /* lets all packets arrive; false: there was none */
int loop_setup(void **s);    /* with a window of MPI_WIN_FLAVOR_CREATE */
int loop_teardown(void **s); /* nothing is left */

struct adi3_rma loop_op(enum adi3_rma_kind kind, MPI_Aint disp, struct adi3_data origin);
/* Starts an operation with rank 1, which must succeed. */
MPI_Request loop_send(const struct adi3_rma *x, bool wants_request);
int loop_flush(void);
const char *loop_text(int err); /* of an error */

#endif /* RMA_LOOP_H */
