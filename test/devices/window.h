/* window.h — memory that is registered for peers, and where all processes find it. */
#ifndef WINDOW_H
#define WINDOW_H

#include "rig.h"

enum { WINDOWS = 24 }; /* of each process */

struct window { /* what a process publishes of its memory, in memory of the node */
    uint64_t addr, key;
};

struct window *window_of(int rank, int i);
/* Registers memory as window i of this process, for those that look after the next barrier. Returns
 * the handle. */
void *window_open(char *mem, size_t len, int i);
void window_close(void *handle);
bool window_can_put(int rank);
/* Rank 1 is killed while rank 0 has operations on its memory under way, and rank 0 forgets it. */
void window_owner_dies(void);

#endif /* WINDOW_H */
