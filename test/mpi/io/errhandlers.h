/* errhandlers.h — a handler of files that records its calls, and calls that fail. */
#ifndef ERRHANDLERS_H
#define ERRHANDLERS_H

#include "io.h"

static int calls, seen_class, changes;
static MPI_File seen;

static inline void handler(MPI_File *f, int *code, ...)
{
    calls++;
    seen = *f;
    seen_class = error_class(*code);
    if (changes)
        *code = changes;
}

static inline void was_called(MPI_File f, int class)
{
    CHECK_INT(calls, 1);
    CHECK(seen == f);
    CHECK_INT(seen_class, class);
    calls = 0;
}

/* An error that every library finds. */
static inline int wrong(MPI_File f)
{
    char c;

    return MPI_File_read(f, &c, -1, MPI_CHAR, MPI_STATUS_IGNORE);
}

static inline int open_missing(void)
{
    MPI_File f;
    char path[400];

    snprintf(path, sizeof path, "%s/missing", io_folder);
    return MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
}

static inline void has_handler(MPI_File f, MPI_Errhandler want)
{
    MPI_Errhandler got;

    OK(MPI_File_get_errhandler(f, &got));
    CHECK(got == want);
    if (got != MPI_ERRORS_RETURN && got != MPI_ERRORS_ARE_FATAL)
        MPI_Errhandler_free(&got);
}

#endif /* ERRHANDLERS_H */
