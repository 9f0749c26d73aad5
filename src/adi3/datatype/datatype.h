/* datatype.h — datatypes for the other rooms of ADI3: begin and end, where bytes are, and types
 * that travel. All else is in adi3_datatype.h. */
#ifndef DATATYPE_H
#define DATATYPE_H

#include <sys/uio.h>
#include "adi3/adi3_datatype.h"

int adi3_type_init(void);      /* makes the predefined pairs */
void adi3_type_finalize(void); /* frees names, attributes, and types of adi3_type_f90() */

/* Writes at most n ranges of memory to iov, which hold the packed bytes from *at on. Returns how
 * many, and sets *at to the byte behind them. */
int adi3_ranges(const struct adi3_data *d, size_t *at, struct iovec *iov, int n);
/* The most ranges of memory in an element of t; ranges may touch. */
size_t adi3_type_ranges(const struct adi3_type *t);
/* Whether no block of one element begins before the one before it; apart: before its end. A block
 * may be longer than a basic element. *last: where the last one begins. Of a committed type. */
bool adi3_type_rises(const struct adi3_type *t, bool apart, MPI_Aint *last);
/* The memory of all bytes of d when they are one range in order; else NULL. */
char *adi3_one_range(const struct adi3_data *d);

#endif /* DATATYPE_H */
