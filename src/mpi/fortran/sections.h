/* sections.h — calls of mpi_f08 with buffers that are sections of arrays.
 *
 * A section with gaps becomes a datatype over its memory when the elements of the call's datatype
 * are one behind the other in the section; else the call works on a copy. The generated functions
 * describe the call in a struct f_call, and call C's function between f_begin() and f_end(). */
#ifndef SECTIONS_H
#define SECTIONS_H

#include "mpi/core/hooks.h"
#include "mpi/core/facts.h"
#include "mpi/fortran/descriptor.h"

/* What a buffer is to its call. */
enum f_use {
    F_ADDRESS, /* its first element's address */
    F_MEMORY,  /* memory that MPI keeps */
    F_BLOCK,   /* count elements of a type */
    F_BLOCKS,  /* as many for each process */
    F_UNITS,   /* for each process counts[i] elements at displs[i] in extents of the type */
    /* Those that the call looks at, so that only a copy will do: */
    F_ONE,      /* one element, for an operation on memory */
    F_ELEMENTS, /* count elements */
    F_SHARES,   /* for each process of the group counts[i] elements, or count */
    F_SHARE,    /* those for this process; for all when the first buffer is MPI_IN_PLACE */
    F_TYPED,    /* for each process counts[i] elements of types[i] at displs[i] in bytes */
    F_BYTES,    /* so many bytes */
};

/* When C's function has finished with the buffers. */
enum f_time {
    F_AT_RETURN,
    F_AT_REQUEST, /* when the request of the call completes */
    F_LATER,      /* the library does not see when: no copy can be made */
};

/* To which processes a buffer means something, besides those whose peer is MPI_PROC_NULL. */
enum f_for { F_ALL, F_ROOT, F_OTHERS };

/* Which processes have a part of a buffer, and an element in counts. */
enum f_whose { F_PEERS, F_SOURCES, F_DESTINATIONS };

struct f_copy;
struct f_kept;

/* The parts of a buffer that processes have. */
struct f_blocks {
    enum f_whose whose;
    const int *counts, *displs;
    const MPI_Aint *wide_displs; /* instead of displs */
    const MPI_Datatype *types;
};

struct f_choice {
    struct f_any from;
    enum f_use use;
    enum f_for significant;
    bool out; /* the call may write to it */
    int peer; /* root, dest, source; 0 when there is none */
    int count;
    MPI_Datatype type; /* count and type are replaced by those to pass to C's function */
    const struct f_blocks *blocks;
    ptrdiff_t bytes;
    void *address; /* to pass to C's function */
    /* Private: what f_end() takes back. */
    struct f_copy *copy;
    struct f_kept *kept;
};

struct f_object { /* those that the call has not are null */
    MPI_Comm comm;
    MPI_Win win;
    MPI_File file;
};

struct f_call {
    const char *name;
    struct f_object object; /* its error handler gets errors */
    enum f_time time;
    int choices;
    struct f_choice *choice;
    const struct mpir_arguments *arguments; /* for error texts */
};

#pragma GCC visibility push(hidden)

/* Sets address, count and type of all choice buffers. Fails as the MPI function would, after its
 * error handler. */
int f_begin(struct f_call *c);
/* After C's function, which returned err: ends what f_begin() made, or leaves it to the request.
 * Returns err. */
int f_end(struct f_call *c, int err, const MPI_Request *request);

/* The common case, small messages of elements one behind the other from or to a section of one
 * dimension, takes fewer instructions: a copy and nothing else. Both return NULL for all else, and
 * count and datatype stay as they are. */
struct f_quick {
    const struct f_any *any;
    int count, peer;
    MPI_Datatype type;
    const struct mpir_arguments *arguments; /* for error texts */
};
struct f_copy *f_quick_copy(const struct f_quick *q);
/* request: NULL after a blocking call or an error. */
void f_quick_end(struct f_copy *copy, const MPI_Request *request);
/* Room for what a blocking receive gets; f_quick_received() writes that to the section. It is none
 * after an error, when the buffer has no certain content. */
struct f_copy *f_quick_room(const struct f_quick *q, struct f_section *s);
void f_quick_received(struct f_copy *copy, const struct f_section *s, int err,
                      const MPI_Status *status);

/* Ends the call with an error (sections_error.c): calls the handler of its object. */
int f_fail(const struct f_call *c, int errclass, const char *text);

/* ---- sections_bounds.c: how far a call goes -------------------------------------------------- */

/* Sets *need to the bytes of the section up to the last one that the call uses, 0 when it uses
 * none. t: the buffer's datatype, where it has one.
 * Errors: MPI_ERR_COUNT when the section has fewer, MPI_ERR_BUFFER when the call begins before it.
 * Arguments that are wrong otherwise are for C's function to find. */
int f_check_bounds(const struct f_call *c, const struct f_choice *p,
                   const struct mpir_type_facts *t, const struct f_section *s, ptrdiff_t *need);

/* ---- sections_type.c: datatypes over sections ------------------------------------------------ */

/* A committed datatype of the first len bytes of a section, which are elements of a predefined type
 * of that size. */
struct f_wanted {
    const struct f_section *section;
    MPI_Datatype basic;
    ptrdiff_t size, len;
    bool repeats; /* elements of the datatype, one behind the other, continue in the section */
};
/* Sets *kept to one that is in use until f_type_release(); NULL: there is none. Returns an error
 * code of MPI that no error handler has got. */
int f_type_of(const struct f_wanted *w, struct f_kept **kept);
MPI_Datatype f_type_handle(const struct f_kept *kept);
void f_type_release(struct f_kept *kept);

/* ---- sections_copy.c: copies ----------------------------------------------------------------- */

enum { F_SMALL = 8192 }; /* bytes that are sent faster as a copy than by a datatype */

/* A copy of the first len bytes. NULL: no memory. */
struct f_copy *f_copy_make(const struct f_section *s, size_t len, bool out);
void *f_copy_address(struct f_copy *c);
/* The same without content, for at most F_SMALL bytes; and writes len of them to a section with one
 * dimension of gaps. */
struct f_copy *f_copy_room(size_t len);
void f_copy_scatter(const struct f_copy *c, const struct f_section *s, size_t len);
/* Writes back what has changed in the copy, when it is of an output, and frees it. Takes a void *
 * as it is called when a request completes. */
void f_copy_end(void *copy);

#pragma GCC visibility pop

#endif /* SECTIONS_H */
