/* datatype.h — datatypes for the other rooms of ADI3: begin and end, where bytes are, and types
 * that travel. All else is in adi3_datatype.h. */
#ifndef DATATYPE_H
#define DATATYPE_H

#include <sys/uio.h>
#include "adi3_datatype.h"

int adi3_type_init(void);      /* makes the predefined pairs */
void adi3_type_finalize(void); /* frees names, attributes, and types of adi3_type_f90() */

/* Writes at most n ranges of memory to iov, which hold the packed bytes from *at on. Returns how
 * many, and sets *at to the byte behind them. */
int adi3_ranges(const struct adi3_data *d, size_t *at, struct iovec *iov, int n);
/* At most so many ranges has one element; some may touch each other. */
size_t adi3_type_ranges(const struct adi3_type *t);
/* The memory of all bytes of d when they are one range in order; else NULL. */
char *adi3_one_range(const struct adi3_data *d);

/* Serializes a committed type for another process. Returns the number of bytes; writes only as
 * many as there is room for, none when to is NULL. 0 without memory. */
size_t adi3_type_serialize(const struct adi3_type *t, void *to, size_t room);
/* Makes a committed type of such bytes, with one reference and no handle of the user's. The
 * bytes need not be trusted. The type has the layout, bounds and basic elements of the original
 * (for a Fortran kind, the named type that it is like), but not its constructor call: it is for
 * packing, not for making types, external32, or counting elements in a part of one. Errors:
 * MPI_ERR_TYPE when the bytes are not a serialized type, MPI_ERR_NO_MEM. */
int adi3_type_deserialize(const void *from, size_t len, struct adi3_type **made);

#endif /* DATATYPE_H */
