/* tree.h — random types of all constructors, and what they are by the loops of the standard. */
#ifndef TREE_H
#define TREE_H

#include "adi3/adi3.h"
#include "adi3/datatype/datatype.h"

enum { TREE_ENTRIES = 2500, TREE_COUNT = 2, TREE_MEMORY = 1 << 17, TREE_BASE = TREE_MEMORY / 2 };

/* A type and its type map; a pair is two entries. */
struct tree {
    struct adi3_type *t;
    int n;
    struct {
        MPI_Aint at;
        int len;
    } entry[TREE_ENTRIES];
    MPI_Aint lb, ub, align;
    bool any_lb, any_ub, lb_marked, ub_marked;
    bool full; /* it would have more entries, or reach too far */
};

/* The next one, not committed, in memory that is used again; TREE_COUNT of its type are in
 * TREE_MEMORY bytes when the first is at TREE_BASE. The caller releases the type. */
const struct tree *tree_next(void);

/* Their bytes in order, by the type map; true when none is there twice. */
bool tree_bytes(const struct tree *m, const char *memory, char *bytes);

#endif /* TREE_H */
