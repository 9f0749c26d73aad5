/* descriptor.h — the descriptors in which Fortran compilers pass TYPE(*), DIMENSION(..).
 *
 * Two are known: gfortran's own, and CFI_cdesc_t of ISO_Fortran_binding.h, which flang uses for all
 * procedures and gfortran for those with BIND(C). Both become a struct f_section, except on the
 * short path: a scalar or an array without gaps is its address. */
#ifndef DESCRIPTOR_H
#define DESCRIPTOR_H

#include <stdbool.h>
#include "mpi/fortran/fortran.h"

enum { F_RANKS = 15 };

/* gfortran since version 9. An absent argument is a null pointer, or has a null base. */
struct f_array {
    char *base; /* the first element of the section, also with negative strides */
    ptrdiff_t offset;
    size_t elem_len; /* not that of a CLASS(*) */
    int version;
    signed char rank, type;
    short attribute;
    ptrdiff_t span; /* unit of strides in bytes; set for arrays only */
    struct {
        ptrdiff_t stride, lower, upper; /* upper of an assumed size is -1 */
    } dim[F_RANKS];
};

/* What gcc's and LLVM's CFI_cdesc_t have in common. */
struct f_cfi {
    char *base;
    size_t elem_len;
    int version;
    signed char rank, others[3];
    struct {
        ptrdiff_t lower, extent, stride; /* stride in bytes; extent of an assumed size is -1 */
    } dim[F_RANKS];
};

/* Memory as a section has it: runs of bytes without gaps, and repetitions of them. */
struct f_section {
    char *base;
    ptrdiff_t len;      /* bytes without the gaps */
    ptrdiff_t elem_len; /* those of an element of the array */
    int dims;           /* 1: without gaps */
    struct {
        ptrdiff_t n, stride; /* the first counts bytes, so its stride is 1 */
    } dim[F_RANKS + 1];
};

/* A descriptor of either kind, and how it is read (descriptor.c). */
struct f_any {
    const void *descriptor;
    void (*read)(const void *descriptor, struct f_section *s);
};

#pragma GCC visibility push(hidden)

void f_read_array(const void *descriptor, struct f_section *s);
void f_read_cfi(const void *descriptor, struct f_section *s);

/* Whether the address stands for the argument: a scalar, or an array without gaps. An array with
 * one index in a dimension may have any stride there: f_read_x() finds that. */
bool f_array_is_dense(const struct f_array *a);
bool f_cfi_is_dense(const struct f_cfi *a);

#pragma GCC visibility pop

/* The same for a scalar and rank 1, and 2 in gfortran's: inlined, and with few registers. False for
 * all else. */
static inline bool f_array_is_whole(const struct f_array *a)
{
    if (__builtin_expect(!a, 0))
        return false;
    if (a->rank == 2) {
        if (a->dim[1].stride - a->dim[0].upper + a->dim[0].lower != 1)
            return false;
    } else if (a->rank != 1) {
        return a->rank == 0;
    }
    return a->dim[0].stride == 1 && a->span == (ptrdiff_t) a->elem_len;
}

static inline bool f_cfi_is_whole(const struct f_cfi *a)
{
    if (__builtin_expect(!a, 0))
        return false;
    return a->rank == 1 ? a->dim[0].stride == (ptrdiff_t) a->elem_len : a->rank == 0;
}

#endif /* DESCRIPTOR_H */
