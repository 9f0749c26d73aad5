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

#endif /* DATATYPE_H */
