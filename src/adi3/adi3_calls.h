/* adi3_calls.h — records of collective calls, and the signatures in the tags of their messages.
 *
 * Messages of a collective call are matched by the call's number, which is in their tags. Then the
 * signatures in the tags are compared: see adi3_collchk.h. Blocking, nonblocking and persistent
 * calls are numbered apart, so that a blocking call never takes the messages of a nonblocking one.
 * A communicator remembers its last 16 calls of each form. src/mpi/coll fills in the records;
 * messages and the collective check use them. */
#ifndef ADI3_CALLS_H
#define ADI3_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include "adi3/adi3_base.h"

/* The three parts of a signature: the operation with its root and reduction operation; the length
 * of its data; the type of its data. Two signatures match when all parts are the same. A length or
 * type of 0 is not known and matches any; so does a signature of 0. */
enum {
    ADI3_SIGN_WHAT = 0xfe00,
    ADI3_SIGN_LEN = 0x01e0,
    ADI3_SIGN_TYPE = 0x001f,
    ADI3_SIGN_MAY_DIFFER = ADI3_SIGN_LEN | ADI3_SIGN_TYPE, /* where one of two is not known */
    ADI3_SIGN_LENS = 15,                                   /* known lengths are 1 .. 15 */
    ADI3_SIGN_LEN_SHIFT = 5,
    ADI3_SIGN_WHAT_SHIFT = 9,
};

/* Which arguments the description of a call shows for its data; the order is that of a table in
 * src/mpi/coll/describe.c. */
enum adi3_shows {
    ADI3_SHOWS_NOTHING,
    ADI3_SHOWS_DATA,
    ADI3_SHOWS_RECV,
    ADI3_SHOWS_BLOCK,
    ADI3_SHOWS_SEND,
    ADI3_SHOWS_ALL,
};

/* Blocking, nonblocking and persistent calls; adi3_base.h has a number for how many forms. */
enum { ADI3_FORM_BLOCKING, ADI3_FORM_BEGUN, ADI3_FORM_INIT };

/* Returns the form of the earlier calls that others[i] counts in the record of a call of `form`. */
static inline int adi3_other_form(int form, int i) { return i + (i >= form); }

struct adi3_call_record { /* a collective call */
    const char *name;     /* "MPI_Bcast" */
    uint32_t number;      /* among those of its form on the communicator, from 0 */
    int tag;              /* with the signature */
    uint32_t since;       /* the tick at which the collective check saw it wait; 0: not yet */
    uint32_t asked;       /* the tick of its last wait in a segment; 0: none */
    int err;              /* the error it has failed with, as another process's call differs */
    MPI_Datatype type;
    size_t count, len;                 /* len: bytes of the data that the signature describes */
    _Alignas(16) struct adi3_what {    /* aligned so that a record has 64 bytes */
        uint8_t kind, form, shows, op; /* op: the low byte of a predefined operation's handle */
        int root; /* or ADI3_NO_ROOT; between two groups also MPI_ROOT and MPI_PROC_NULL */
    } what;
    uint32_t others[ADI3_FORMS - 1]; /* how many calls of the other forms were before it */
};

enum { ADI3_NO_ROOT = -99 }; /* not a value that an argument may have */

/* adi3_what.op of the program's own operations; those of predefined ones are below. Since they are
 * less than 0x80 apart, no two have the same signature. */
enum { ADI3_OP_USERS = 0x40, ADI3_OP_COMMUTES = 1 };

enum { ADI3_CALLS_KEPT = 16 }; /* the last calls that are remembered */

struct adi3_call_history {
    uint32_t newest; /* the number of the last call */
    struct adi3_call_record call[ADI3_CALLS_KEPT];
};

#endif /* ADI3_CALLS_H */
