/* adi3_calls.h — records of collective calls, and the signatures in the tags of their messages.
 *
 * Messages of a collective call are matched by the call's number, which is in their tags, and then
 * compared by its signature: see adi3_collchk.h. */
#ifndef ADI3_CALLS_H
#define ADI3_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include "adi3_base.h"

/* A signature: what operation it is, with root and reduction; the length of its data; their type.
 * Two agree when each part is the same; a length or type that is 0 is not known, and so is all of
 * one that is 0. */
enum {
    ADI3_SIGN_WHAT = 0xfe00,
    ADI3_SIGN_LEN = 0x01e0,
    ADI3_SIGN_TYPE = 0x001f,
    ADI3_SIGN_MAY_DIFFER = ADI3_SIGN_LEN | ADI3_SIGN_TYPE, /* legally, as one is not known */
    ADI3_SIGN_LENS = 15,                                   /* they are 1 .. 15 */
    ADI3_SIGN_LEN_SHIFT = 5,
    ADI3_SIGN_WHAT_SHIFT = 9,
};

/* How a call says what its data are; the order is that of describe.c. */
enum adi3_shows {
    ADI3_SHOWS_NOTHING,
    ADI3_SHOWS_DATA,
    ADI3_SHOWS_RECV,
    ADI3_SHOWS_BLOCK,
    ADI3_SHOWS_SEND,
    ADI3_SHOWS_ALL,
};

enum { ADI3_FORM_BLOCKING, ADI3_FORM_BEGUN, ADI3_FORM_INIT };

struct adi3_call_record {  /* a collective call */
    const char *name;      /* "MPI_Bcast" */
    uint32_t number;       /* of the communicator's; persistent ones have their own */
    int tag;               /* with the signature */
    uint32_t since, asked; /* ticks: of waiting, and when somebody was asked; 0: not yet */
    int err;               /* another process's call differs */
    MPI_Datatype type;
    size_t count, len;                 /* len: bytes, of what the signature's length is of */
    _Alignas(16) struct adi3_what {    /* so that a call has 64 bytes */
        uint8_t kind, form, shows, op; /* op: the low byte of a predefined one's handle */
        int root;                      /* or ADI3_NO_ROOT; between groups also MPI_ROOT, ... */
    } what;
    uint32_t others; /* persistent ones before it; or if it is persistent, of the rest */
};

enum { ADI3_NO_ROOT = -99 }; /* no value that an argument may have */

/* adi3_what.op of the user's own; a predefined one is below. Less than 0x80 apart, they never have
 * the same signature. */
enum { ADI3_OP_USERS = 0x40, ADI3_OP_COMMUTES = 1 };

enum { ADI3_CALLS_KEPT = 16 }; /* the last that are remembered */

struct adi3_call_history {
    uint32_t newest;
    struct adi3_call_record call[ADI3_CALLS_KEPT];
};

#endif /* ADI3_CALLS_H */
