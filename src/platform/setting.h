/* setting.h — a setting is a row in its module's table; everything else about it is derived.
 *
 * Weakest first: the default in the row, etc/starling.conf of the tree that libmpi is in, the file
 * that STARLING_SETTINGS names, the environment variable STARLING_<NAME>, mpiexec -set NAME=VALUE.
 * The same rows feed mpiexec --help-settings, and later MPI_T and the manual. */
#ifndef SETTING_H
#define SETTING_H

#include <stdbool.h>
#include <stddef.h>

enum setting_type {
    SETTING_INT,    /* int */
    SETTING_SIZE,   /* size_t, bytes; the user may write 64k, 1m, 2g */
    SETTING_BOOL,   /* bool; yes/no, on/off, true/false, 1/0 */
    SETTING_STRING, /* const char *; the text stays the caller's */
};

enum setting_source {
    SETTING_DEFAULT,
    SETTING_FILE,
    SETTING_USER_FILE,
    SETTING_ENVIRONMENT,
    SETTING_MPIEXEC
};

struct setting {
    const char *name; /* "SHM_EAGER_MAX": the environment's STARLING_SHM_EAGER_MAX */
    enum setting_type type;
    void *value;
    const char *fallback; /* parsed like the user's text, so it is documented as written */
    const char *doc;      /* one sentence with the unit */
};

/* Parses text into the row's variable, which keeps its value on error. why: a reason for a
 * person. */
int setting_parse(const struct setting *s, const char *text, char *why, size_t len);

/* The row called name, also when name starts with STARLING_; NULL when no table has it.
 * tables is ended by NULL, each table by a row whose name is NULL. */
const struct setting *setting_find(const struct setting *const tables[], const char *name);

/* The row with the most similar name, for "did you mean"; NULL when nothing is near. */
const struct setting *setting_nearest(const struct setting *const tables[], const char *name);

/* Gives every row its value from defaults, files, environment and forwarded ("A=1\nB=2", from
 * mpiexec, may be NULL). Each complaint is one line handed to complain; the values before it
 * stay. */
void setting_load(const struct setting *const tables[], const char *etc_file, const char *forwarded,
                  void (*complain)(const char *line));

/* Where a row's value came from in the last setting_load. */
enum setting_source setting_source(const struct setting *s);

#endif /* SETTING_H */
