/* pmi_calls.h — the memory in which a process of Starling tells its node which MPI call it is in.
 *
 * The node makes it for each process, which gets it with the reply to init, as a descriptor of
 * empty memory. The process makes its first page a page of its own, and never maps the rest:
 *
 *     0                    a page                       then
 *     | struct pmi_current | struct pmi_names | all names of MPI functions, each with its NUL |
 *
 * The node reads it when the process has been killed, and trusts nothing in it. */
#ifndef PMI_CALLS_H
#define PMI_CALLS_H

#include <stdint.h>

enum { PMI_CALLS = -1 }; /* in place of the number of memory that several ranks have */

enum { PMI_INSIDE_CALL = 1 }; /* a bit of `inside` */

struct pmi_current {
    const char *name;     /* of the MPI call that began last: an address of that process; or NULL */
    unsigned char inside; /* whether it has not returned, unless: */
    unsigned char threads; /* several threads may call */
};

#define PMI_NAMES_MAGIC 0x31736c6c6163706dull /* "mpcalls1" */
struct pmi_names {
    uint64_t magic, first, len; /* the address of the first name, and the bytes of all */
};

#endif /* PMI_CALLS_H */
