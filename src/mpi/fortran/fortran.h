/* fortran.h — how arguments pass from Fortran to C and back, for all C files of the Fortran
 * library.
 *
 * The library calls MPI_x or PMPI_x as programs do, and a few functions MPIR_x that libmpi exports
 * for it (src/mpi/core/hooks.h). It includes no other header of libmpi. */
#ifndef FORTRAN_H
#define FORTRAN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "mpi.h"

/* ---- sentinels: known by their addresses ----------------------------------------------------- */

enum { F_STATUS_SIZE = 5 }; /* MPI_STATUS_SIZE */

/* The COMMON blocks of mpif.h and of module mpi. Programs define them too, and theirs are meant by
 * these names: so they are never static, hidden or folded. */
struct f_priv1 { /* 28 bytes */
    MPI_Fint bottom, in_place, status_ignore[F_STATUS_SIZE];
};
struct f_priv2 { /* 24 bytes */
    MPI_Fint statuses_ignore[F_STATUS_SIZE], errcodes_ignore;
};
struct f_privc { /* 2 bytes */
    char argvs_null, argv_null;
};
extern struct f_priv1 mpipriv1_;
extern struct f_priv2 mpipriv2_;
extern struct f_privc mpiprivc_;
extern MPI_Fint mpifcmb5_, mpifcmb9_; /* MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY */

/* Those of mpi_f08: the first four are in libmpi, the others in the Fortran library. Their names
 * are those of MPICH's module variables. */
extern int MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE;
extern MPI_F08_status MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
extern MPI_Fint f08_unweighted __asm__("__mpi_f08_link_constants_MOD_mpi_unweighted");
extern MPI_Fint f08_weights_empty __asm__("__mpi_f08_link_constants_MOD_mpi_weights_empty");
extern MPI_Fint f08_errcodes_ignore __asm__("__mpi_f08_link_constants_MOD_mpi_errcodes_ignore");
extern char f08_argv_null __asm__("__mpi_f08_link_constants_MOD_mpi_argv_null");
extern char f08_argvs_null __asm__("__mpi_f08_link_constants_MOD_mpi_argvs_null");

/* A choice buffer. */
static inline void *f_buffer(void *p)
{
    uintptr_t at = (uintptr_t) p - (uintptr_t) &mpipriv1_;

    /* The first two of mpipriv1_, in one comparison. */
    if (__builtin_expect(at <= offsetof(struct f_priv1, in_place), 0))
        return at == 0 ? MPI_BOTTOM : at == offsetof(struct f_priv1, in_place) ? MPI_IN_PLACE : p;
    if (__builtin_expect(p == &MPIR_F08_MPI_BOTTOM, 0))
        return MPI_BOTTOM;
    return __builtin_expect(p == &MPIR_F08_MPI_IN_PLACE, 0) ? MPI_IN_PLACE : p;
}

static inline MPI_Status *f_status(MPI_Fint *p)
{
    return p == mpipriv1_.status_ignore || (void *) p == &MPIR_F08_MPI_STATUS_IGNORE_OBJ
               ? MPI_STATUS_IGNORE
               : (MPI_Status *) (void *) p;
}

static inline MPI_Status *f_statuses(MPI_Fint *p)
{
    return p == mpipriv2_.statuses_ignore || (void *) p == MPIR_F08_MPI_STATUSES_IGNORE_OBJ
               ? MPI_STATUSES_IGNORE
               : (MPI_Status *) (void *) p;
}

static inline int *f_weights(MPI_Fint *p)
{
    if (p == &mpifcmb5_ || p == &f08_unweighted)
        return MPI_UNWEIGHTED;
    return p == &mpifcmb9_ || p == &f08_weights_empty ? MPI_WEIGHTS_EMPTY : p;
}

static inline int *f_errcodes(MPI_Fint *p)
{
    return p == &mpipriv2_.errcodes_ignore || p == &f08_errcodes_ignore ? MPI_ERRCODES_IGNORE : p;
}

static inline bool f_is_argv_null(const char *p)
{
    return p == &mpiprivc_.argv_null || p == &f08_argv_null;
}

static inline bool f_is_argvs_null(const char *p)
{
    return p == &mpiprivc_.argvs_null || p == &f08_argvs_null;
}

/* ---- truth values, strings ------------------------------------------------------------------- */

/* Of LOGICAL all values but 0 are true; .TRUE. as the compiler writes it. */
static inline int f_truth(MPI_Fint l) { return l != 0; }
static inline MPI_Fint f_logical(int truth) { return truth ? STARLING_FORTRAN_TRUE : 0; }

/* What a C call has not set: a value that MPI never gives. */
enum { F_UNSET = INT_MIN };

static inline void f_logical_out(MPI_Fint *to, int truth)
{
    if (truth != F_UNSET)
        *to = f_logical(truth);
}

/* A place in an array, from 1. */
static inline void f_index_out(MPI_Fint *to, int i)
{
    if (i != F_UNSET)
        *to = i == MPI_UNDEFINED ? i : i + 1;
}

#pragma GCC visibility push(hidden)

/* strings.c: a copy for the time of a call, with a terminator, without the blanks at the end; short
 * strings need no memory but this. strip: without the blanks at the begin, too, as keys and values
 * of infos are. Returns the copy; without memory NULL, which no C function takes for a string. */
struct f_text {
    char *memory; /* NULL: the text is in space */
    char space[128];
};
const char *f_text(struct f_text *t, const char *from, size_t len, bool strip);
static inline void f_text_free(struct f_text *t)
{
    if (t->memory)
        free(t->memory);
}

/* Fills a CHARACTER(len) with a C string: cut, or padded with blanks. Returns its length there. */
int f_string_out(char *to, size_t len, const char *from);

#pragma GCC visibility pop

/* Sets ierror, which mpi_f08 may leave out. */
static inline void f_ierror(MPI_Fint *ierror, int err)
{
    if (ierror)
        *ierror = err;
}

#endif /* FORTRAN_H */
