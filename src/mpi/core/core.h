/* core.h — what all MPI functions share, besides mpir.h: the state of MPI, and calls as text. */
#ifndef CORE_H
#define CORE_H

#include <stdarg.h>
#include <stddef.h>
#include "mpi/mpir.h"

extern const char mpir_api[]; /* built from mpi.h by tools/generate/gen_api_text.py */

/* show.c — "MPI_Send(buf=0x7ffc01, count=1, MPI_INT, dest=7, ...)" into text, at most len bytes.
 * names: the parameters as in mpi.h, "buf, count, ..."; args: their values. */
void mpir_show(char *text, size_t len, const char *call, const char *names, va_list args);

/* Sets the handles that a failed call should have returned to null handles; the same arguments. */
void mpir_null_results(const char *call, const char *names, va_list args);

/* The name of a value of that type, "MPI_SUM", or the value; word has room for 64 bytes. */
void mpir_show_value(char *word, const char *type, int value);

/* state.c — set by MPI_Init and MPI_Finalize. */
extern _Atomic bool mpir_finalized;
extern bool mpir_forked;         /* this process is a child of the rank: it has no MPI */
const char *mpir_down_why(void); /* why a call is wrong while the state is ADI3_DOWN */

#endif /* CORE_H */
