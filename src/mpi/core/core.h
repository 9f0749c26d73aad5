/* core.h — what the files of src/mpi/core share. */
#ifndef CORE_H
#define CORE_H

#include <stdarg.h>
#include <stddef.h>
#include "mpir.h"

extern const char mpir_api[]; /* built from mpi.h by tools/gen_api_text.py */

/* show.c — "MPI_Send(buf=0x7ffc01, count=1, MPI_INT, dest=7, ...)" into text, at most len bytes.
 * names: the parameters as in mpi.h, "buf, count, ..."; args: their values. */
void mpir_show(char *text, size_t len, const char *call, const char *names, va_list args);

/* Sets the handles that the call was to give to null handles; the arguments likewise. */
void mpir_null_results(const char *call, const char *names, va_list args);

/* The name of a value of that type, "MPI_SUM", or the value; word has room for 64 bytes. */
void mpir_show_value(char *word, const char *type, int value);

extern _Atomic bool mpir_finalized;
extern bool mpir_forked; /* this process is a child of the rank: it has no MPI */
const char *mpir_down_why(void);
extern bool mpir_checks; /* the setting; looked at by MPI_Init */

/* cvar.c */
struct setting;
const struct setting *const *mpir_settings(void); /* all tables, NULL-ended */
void mpir_load_settings(void);
void mpir_report_sleeps(void);       /* at the end, when the setting asks for it */
extern const char *mpir_check_leaks; /* the setting */

/* leaks.c — when the setting asks for it: what the program has left, before ADI3 ends, ... */
void mpir_list_left(void);
void mpir_left(const char *kind, const char *call); /* one such thing, made by that MPI call */
void mpir_end_leaks(void); /* ... and what the library has; may end the process */

/* error.c — one line on stderr. */
void mpir_warn(const char *text);

#endif /* CORE_H */
