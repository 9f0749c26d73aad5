/* hints.h — what the tests of hints share. */
#ifndef HINTS_H
#define HINTS_H

#include "io.h"

static inline MPI_Info info_of(const char *key, const char *value)
{
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    return info;
}

/* The value of a key that is in force, or "". */
static inline const char *in_force(MPI_File f, const char *key)
{
    static char text[MPI_MAX_INFO_VAL + 1];
    MPI_Info info;
    int flag = 0;

    text[0] = 0;
    OK(MPI_File_get_info(f, &info));
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, text, &flag);
    MPI_Info_free(&info);
    return flag ? text : "";
}

static inline void same(MPI_File f, const char *key, const char *want)
{
    const char *got = in_force(f, key);

    if (strcmp(got, want) != 0)
        fprintf(stderr, "%s is '%s', not '%s'\n", key, got, want);
    CHECK(strcmp(got, want) == 0);
}

static inline MPI_File opened(MPI_Info info)
{
    MPI_File f;

    io_fresh();
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &f));
    return f;
}

static inline void set(MPI_File f, const char *key, const char *value)
{
    MPI_Info info = info_of(key, value);

    OK(MPI_File_set_info(f, info));
    MPI_Info_free(&info);
}

#endif /* HINTS_H */
