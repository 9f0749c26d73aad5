/* adi3_collchk.h — the part of adi3.h that finds out when processes make different collective
 * calls.
 *
 * Each message of a call has the call's number and signature in its tag. Messages are matched by
 * the number; then the signatures are compared. A process that waits asks those it waits for. */
#ifndef ADI3_COLLCHK_H
#define ADI3_COLLCHK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "adi3_datatype.h"
#include "mpi.h"

struct adi3_comm;

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

/* How a call says what its data are; the order is that of words.c. */
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

struct adi3_call_history *adi3_collchk_history(struct adi3_comm *c,
                                               bool init); /* new; NULL without memory */
/* A call has begun, the newest: it is compared with what others have sent of theirs. */
void adi3_collchk_begin(struct adi3_comm *c, struct adi3_call_record *call);

/* The call with this tag has ended in an error: where others would wait for what it has not sent,
 * because it has stopped or a process is gone, theirs end in it, too. Returns err. */
int adi3_collchk_failed(struct adi3_comm *c, int tag, int err, bool stopped);

/* Ends one, if c->differs: the error of a call of which it is known that it differed. */
int adi3_collchk_end(struct adi3_comm *c, int err);

/* Instead of a call with this tag, when c->failed: after calls that differed not all processes are
 * at the same place. The error; others that wait for this call get it, too. */
int adi3_collchk_refuse(struct adi3_comm *c, int tag);

/* For those who see another's tag elsewhere than in a message: MPI_SUCCESS when it agrees with
 * ours, else an error that shows both calls. Waits for the other's answer, not for long. */
int adi3_collchk_compare(struct adi3_comm *c, int rank, int ours, int theirs);
/* Likewise when it is known that one of the calls before this one differed. */
int adi3_collchk_compare_before(struct adi3_comm *c, int rank, int tag);
/* Another has sent or shown so many bytes, and our call with this tag expects another number, which
 * the signature does not always show: the error that the call ends in, in all processes unless one
 * block of many is too long. MPI_SUCCESS: there is none such. */
int adi3_collchk_length(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours);
/* Likewise where it has to be the same number: an error also when calls are not compared. */
int adi3_collchk_unequal(struct adi3_comm *c, int rank, int tag, size_t theirs, size_t ours);
/* Somebody waits for others in the call with this tag, and has no receive that says so; to be
 * called all the while. The error that the call has ended in, or MPI_SUCCESS. */
int adi3_collchk_wait(struct adi3_comm *c, int tag);

/* The part of a signature that stands for the type of so many elements. What may meet legally has
 * the same, or 0. */
unsigned adi3_collchk_other_type(const struct adi3_type *t, size_t count);

static inline unsigned adi3_collchk_type(const struct adi3_type *t, size_t count)
{
    bool plain = t->repr - 1u < ADI3_C128 && t->class != ADI3_BYTE && count;

    return __builtin_expect(plain, 1) ? t->repr : adi3_collchk_other_type(t, count);
}

/* src/mpi's: writes a call with its arguments, as in MPI_Bcast(count=4, ...). */
extern void (*adi3_collchk_describe)(const struct adi3_call_record *call, char *text, size_t len);

#endif /* ADI3_COLLCHK_H */
