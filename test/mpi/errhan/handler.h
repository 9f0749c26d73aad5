/* handler.h — an error handler that counts its calls and saves its arguments. */
#ifndef HANDLER_H
#define HANDLER_H

#include "../env/starling.h"

static int handled;           /* calls since handler_calls() */
static MPI_Comm handler_comm; /* of the last call */
static int handler_class;     /* likewise */
static int handler_changes;   /* the new value of the code; 0: unchanged */

static void handler(MPI_Comm *comm, int *code, ...)
{
    handled++;
    handler_comm = *comm;
    handler_class = error_class(*code);
    if (handler_changes)
        *code = handler_changes;
}

/* The number of calls since this function was last called. */
static inline int handler_calls(void)
{
    int n = handled;

    handled = 0;
    return n;
}

static inline MPI_Errhandler handler_make(void)
{
    MPI_Errhandler h = MPI_ERRHANDLER_NULL;

    CHECK_INT(MPI_Comm_create_errhandler(handler, &h), MPI_SUCCESS);
    CHECK(h != MPI_ERRHANDLER_NULL);
    return h;
}

/* Checks that the handler was called once, for comm with a code of this class. */
static inline void handler_check(MPI_Comm comm, int class)
{
    CHECK_INT(handler_calls(), 1);
    CHECK(handler_comm == comm);
    CHECK_INT(handler_class, class);
}

#endif /* HANDLER_H */
