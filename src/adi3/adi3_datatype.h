/* adi3_datatype.h — the part of adi3.h that is about datatypes. */
#ifndef ADI3_DATATYPE_H
#define ADI3_DATATYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>
#include "adi3_base.h"

struct adi3_layout; /* where the bytes of a derived type are */

enum adi3_class { /* what a predefined type is, for operations (§5.9.2) */
                  ADI3_NO_CLASS,
                  ADI3_C_INTEGER,
                  ADI3_F_INTEGER,
                  ADI3_FLOATING,
                  ADI3_LOGICAL,
                  ADI3_COMPLEX,
                  ADI3_BYTE,
                  ADI3_CHARACTER, /* printable; the standard's operations do not take it */
                  ADI3_MULTI_LANGUAGE,
                  ADI3_PAIR,
};

/* The machine's representation of an element of a predefined type. */
enum adi3_repr {
    ADI3_REPR_NONE,
    ADI3_I8,
    ADI3_I16,
    ADI3_I32,
    ADI3_I64,
    ADI3_U8,
    ADI3_U16,
    ADI3_U32,
    ADI3_U64,
    ADI3_F32,
    ADI3_F64,
    ADI3_F80,
    ADI3_F128,
    ADI3_C32,
    ADI3_C64,
    ADI3_C80,
    ADI3_C128,
    ADI3_P_F32_I32,
    ADI3_P_F64_I32,
    ADI3_P_I64_I32,
    ADI3_P_I32_I32,
    ADI3_P_I16_I32,
    ADI3_P_F80_I32,
    ADI3_P_F32_F32,
    ADI3_P_F64_F64,
    ADI3_REPRS
};

/* A constructor call, as MPI_Type_get_contents gives it back (§4.1.13). */
struct adi3_contents {
    int combiner;
    int nints, naddrs, ntypes;
    const int *ints;
    const MPI_Aint *addrs;
    struct adi3_type *const *types;
};

struct adi3_type { /* of 128 bytes, so that a row is found by a shift */
    MPI_Datatype handle;
    int refs;
    size_t size;     /* bytes of data in one element */
    size_t external; /* likewise in external32; of a derived type */
    MPI_Aint lb, extent, true_lb, true_extent;
    uint16_t align; /* of its strictest basic element, bytes */
    uint16_t depth; /* how many types are in each other; 0 of a predefined one */
    int handles;    /* that the user has to free; 0: only other objects hold it */
    bool committed, predefined;
    bool lb_marked, ub_marked; /* bounds that MPI_Type_create_resized or an array set (§4.1.7) */
    bool contig;               /* no holes, in order, begins at 0, size == extent; once committed */
    bool named;                /* by the user: the name is in allocated memory */
    enum adi3_class class : 8; /* of a predefined type; else ADI3_NO_CLASS */
    enum adi3_repr repr : 8;
    size_t elements;                   /* basic ones in one of these; a pair counts as two */
    struct adi3_type *basic;           /* what all those elements are; NULL when they differ */
    struct adi3_contents *contents;    /* how it was made; NULL of a named predefined
                                   and of a deserialized one */
    struct adi3_type *inner;           /* whose elements it has, at the same places; or NULL */
    struct adi3_layout *layout;        /* of a derived type with data, once committed; else NULL */
    const char *name;                  /* "" of one without */
    struct mpir_attribute *attributes; /* src/mpi's, which ADI3 only carries: see adi3_type_ends */
};

struct adi3_data { /* elements in the user's memory */
    void *buf;
    size_t count;
    struct adi3_type *type;
};

/* ---- datatypes ------------------------------------------------------------------------------- */

int adi3_type_init(void);      /* the predefined pairs */
void adi3_type_finalize(void); /* names, and types of adi3_type_f90() */
extern struct adi3_pool adi3_types;
extern struct adi3_type adi3_builtin[256]; /* by the low byte of the handle */

/* NULL when h names no predefined type. */
static inline struct adi3_type *adi3_type_builtin(MPI_Datatype h)
{
    struct adi3_type *t = &adi3_builtin[h & 0xff];

    return t->handle == h ? t : NULL;
}

/* Makes a type. Counts, blocklengths and what describes arrays have been checked.
 * Errors: MPI_ERR_COUNT when sizes or places need more than 62 bits, MPI_ERR_NO_MEM. */
int adi3_type_make(const struct adi3_contents *r, struct adi3_type **made);
/* count blocks of blocklen elements, which begin stride bytes apart */
int adi3_type_hvector(int count, int blocklen, MPI_Aint stride, struct adi3_type *old,
                      struct adi3_type **made);
int adi3_type_dup(struct adi3_type *old, struct adi3_type **made);
int adi3_type_commit(struct adi3_type *t);
void adi3_type_release(struct adi3_type *t);

/* The predefined type of a Fortran kind, by MPI_COMBINER_F90_x and what is asked for; the same each
 * time (§17.1.9). MPI_ERR_ARG when no kind has that. */
int adi3_type_f90(int combiner, int precision, int range, struct adi3_type **t);

/* A handle for the user, with a reference of its own, and its end. Types are made without. */
MPI_Datatype adi3_type_user_acquire(struct adi3_type *t);
void adi3_type_user_release(struct adi3_type *t);
extern void (*adi3_type_ends)(struct adi3_type *t); /* nobody holds it: what src/mpi hung on it */
int adi3_type_set_name(struct adi3_type *t, const char *name);

/* The basic elements in so many bytes of elements of t, one behind the other; false when the last
 * one is not whole. */
bool adi3_type_elements(const struct adi3_type *t, size_t len, size_t *elements);
/* The bytes of so many; false when t has none, or they need more than 62 bits. */
bool adi3_type_bytes(const struct adi3_type *t, size_t elements, size_t *len);

/* Bytes at, at + 1, ... of d, as they travel, to and from packed memory. */
void adi3_pack(const struct adi3_data *d, size_t at, void *packed, size_t len);
void adi3_unpack(const struct adi3_data *d, size_t at, const void *packed, size_t len);
/* Where they are: at most n ranges, the first at byte at; returns how many, and in at the byte
 * behind them. */
int adi3_ranges(const struct adi3_data *d, size_t *at, struct iovec *iov, int n);
/* How many at most one element has; they may touch each other. */
size_t adi3_type_ranges(const struct adi3_type *t);
/* The memory of all its bytes when they are one range in order; else NULL. */
char *adi3_one_range(const struct adi3_data *d);
/* The part of a collective call's signature that stands for the type of so many elements. What may
 * meet legally has the same, or 0. */
unsigned adi3_type_signature(const struct adi3_type *t, size_t count);
/* Copies elements to elements of the same signature in this process, as a message to oneself
 * would. */
void adi3_copy(const struct adi3_data *from, const struct adi3_data *to);

/* In external32 (§13.5.2): the bytes of one element; all of d, to and from bytes. */
size_t adi3_external_size(const struct adi3_type *t);
void adi3_pack_external(const struct adi3_data *d, void *bytes);
void adi3_unpack_external(const struct adi3_data *d, const void *bytes);

/* A committed type as bytes for another process, as many as are returned: only so many as there is
 * room for are written, none when to is NULL. 0 without memory. */
size_t adi3_type_serialize(const struct adi3_type *t, void *to, size_t room);
/* A committed type of such bytes, whoever wrote them, with one reference and no handle of the
 * user's. It has the other one's bytes, bounds and basic elements (of a Fortran kind, the named
 * type it is like), but not what it was made of: it is for packing, not for making types,
 * external32, or counting elements in a part of one.
 * Errors: MPI_ERR_TYPE when the bytes are no such form, MPI_ERR_NO_MEM. */
int adi3_type_deserialize(const void *from, size_t len, struct adi3_type **made);

#endif /* ADI3_DATATYPE_H */
