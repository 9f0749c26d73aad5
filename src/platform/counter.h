/* counter.h — counters. A counter is a row in the table of its module, as a setting is.
 *
 * The module changes a variable of its own and knows no reader. The row tells readers where the
 * variable is and what it counts: a report, a test or MPI_T needs nothing else of the module. The
 * classes are those of MPI_T's performance variables (§14.3.7). */
#ifndef COUNTER_H
#define COUNTER_H

#include <stddef.h>
#include <stdint.h>

enum counter_class { /* in the order of MPI_T_PVAR_CLASS_STATE and the others */
                     COUNTER_STATE,
                     COUNTER_LEVEL, /* how many there are now */
                     COUNTER_SIZE,
                     COUNTER_PERCENTAGE,
                     COUNTER_HIGHWATERMARK,
                     COUNTER_LOWWATERMARK,
                     COUNTER_EVENTS, /* MPI_T's class COUNTER: grows by one for each event */
                     COUNTER_AGGREGATE,
                     COUNTER_TIMER,
                     COUNTER_GENERIC
};

enum counter_type {
    COUNTER_UNSIGNED, /* unsigned int; or an int that is never negative */
    COUNTER_UINT64,
};

enum counter_object { /* what has a variable of its own; the pointer that readers give */
                      COUNTER_OF_PROCESS, /* NULL */
                      COUNTER_OF_COMM,    /* struct adi3_comm */
                      COUNTER_OF_FILE,    /* struct adi3_file */
                      COUNTER_OF_WIN,     /* struct adi3_win */
};

struct counter {
    const char *name; /* "shm_polls": the room or device, then what is counted */
    enum counter_class class;
    enum counter_type type;
    enum counter_object object;
    union {
        const void *value;                           /* of the process: the variable */
        const void *(*value_of)(const void *object); /* else: that of an object; NULL: it is 0 */
    } at;
    const char *unit; /* one word, in the plural: "sleeps" */
    const char *doc;  /* one sentence */
};

/* A row of the process: a variable, whose type must be one of the two. */
#define COUNTER_ROW(name, class, variable, unit, doc)                                              \
    {                                                                                              \
        name, class,                                                                               \
            _Generic((variable), int                                                               \
                     : COUNTER_UNSIGNED, unsigned                                                  \
                     : COUNTER_UNSIGNED, uint64_t                                                  \
                     : COUNTER_UINT64),                                                            \
            COUNTER_OF_PROCESS, { &(variable) }, unit, doc                                         \
    }

/* A row of objects: find returns the variable of one, an unsigned. */
#define COUNTER_OBJECT_ROW(name, class, object, find, unit, doc)                                   \
    {                                                                                              \
        name, class, COUNTER_UNSIGNED, object, { .value_of = (find) }, unit, doc                   \
    }

/* The row called name; NULL when no table has it. NULL ends tables, a row whose name is NULL ends
 * each table. */
const struct counter *counter_find(const struct counter *const tables[], const char *name);

/* A row whose name another row has; NULL when all names differ. */
const struct counter *counter_find_twice(const struct counter *const tables[]);

/* What it counts now. Only the lock of the module makes values of several rows fit each other; an
 * object must live. */
uint64_t counter_value(const struct counter *c, const void *object);

#endif /* COUNTER_H */
