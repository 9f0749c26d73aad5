/* kernel.c — copies of many short blocks, whose length the compiler knows. */
#include <string.h>
#include "datatype.h"

/* Blocks of len bytes by moves of size bytes, of which the last one ends where the block does. */
#define MOVES(size)                                                                                \
    for (; n; n--, to += ts, from += fs) {                                                         \
        for (size_t i = 0; i + (size) <= len; i += (size))                                         \
            memcpy(to + i, from + i, size);                                                        \
        memcpy(to + len - (size), from + len - (size), size);                                      \
    }                                                                                              \
    return

/* Of exactly so many. */
#define EXACTLY(size)                                                                              \
    case size:                                                                                     \
        for (; n; n--, to += ts, from += fs)                                                       \
            memcpy(to, from, size);                                                                \
        return

void copy_strided(char *to, MPI_Aint ts, const char *from, MPI_Aint fs, size_t n, size_t len)
{
    switch (len) {
        EXACTLY(1);
        EXACTLY(2);
        EXACTLY(3);
        EXACTLY(4);
        EXACTLY(6);
        EXACTLY(8);
        EXACTLY(12);
        EXACTLY(16);
        EXACTLY(20);
        EXACTLY(24);
        EXACTLY(32);
        EXACTLY(48);
        EXACTLY(64);
    }
    if (len < 8) {
        MOVES(4);
    } else if (len < 16) {
        MOVES(8);
    } else if (len <= 128) {
        MOVES(16);
    }
    for (; n; n--, to += ts, from += fs)
        memcpy(to, from, len);
}
