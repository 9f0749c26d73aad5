/* setting.h — settings. A setting is a row in the table of its module.
 *
 * Sources of its value, the weakest first: the default in the row; etc/starling.conf of the tree
 * that has libmpi; the file that STARLING_SETTINGS names; the environment variable
 * STARLING_<NAME>; mpiexec -set NAME=VALUE. mpiexec --help-settings prints the rows. */
#ifndef SETTING_H
#define SETTING_H

#include <stdbool.h>
#include <stddef.h>

enum setting_type {
    SETTING_INT,     /* int */
    SETTING_SIZE,    /* size_t, bytes; the user may write 64k, 1m, 2g */
    SETTING_BOOL,    /* bool; yes/no, on/off, true/false, 1/0 */
    SETTING_STRING,  /* const char *; the text stays the caller's */
    SETTING_RENAMED, /* no setting: an old name that still works; fallback is the new one */
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

/* Parses text into the variable of the row. On error the variable does not change, and why gets the
 * error text. */
int setting_parse(const struct setting *s, const char *text, char *why, size_t len);

/* The row called name, with or without STARLING_ in front; NULL when no table has it. NULL ends
 * tables, a row whose name is NULL ends each table. */
const struct setting *setting_find(const struct setting *const tables[], const char *name);

/* The row with the most similar name, for "did you mean"; NULL when no name is similar. */
const struct setting *setting_nearest(const struct setting *const tables[], const char *name);

/* Sets the values of all rows from defaults, files, the environment and forwarded ("A=1\nB=2",
 * from mpiexec; may be NULL). Calls complain with a line for each error; the value of a weaker
 * source then stays. */
void setting_load(const struct setting *const tables[], const char *etc_file, const char *forwarded,
                  void (*complain)(const char *line));

/* Where a row's value came from in the last setting_load. */
enum setting_source setting_source(const struct setting *s);

#endif /* SETTING_H */
