/* io_plain.h — what a collective access costs at least: one plain pass over the file, and one
 * exchange of the same bytes with the same datatypes. */
#ifndef IO_PLAIN_H
#define IO_PLAIN_H

#include "io_shapes.h"

/* Each process has a share of the file. Bytes go between the memory of all processes, as the shape
 * has them there, and the shares, as it has them in the file. fd: the file. */
void io_plain_begin(enum io_kind kind, const struct io_shape *s, char *memory, int fd);
void io_plain_end(void);
void io_plain_write(int n); /* so many times */
void io_plain_read(int n);

#endif /* IO_PLAIN_H */
