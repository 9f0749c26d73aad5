/* kernel.c — copies of many short blocks, whose length the compiler knows. */
#include <string.h>
#include "datatype.h"

#define ALWAYS static inline __attribute__((always_inline))

/* Four at a time: the processor need not wait for one address to have the next. */
ALWAYS void exactly(char *to, MPI_Aint ts, const char *from, MPI_Aint fs, size_t n, size_t len)
{
    char a[16], b[16], c[16], d[16];

    for (; n >= 4 && len <= 16 && (len & (len - 1)) == 0; n -= 4, to += 4 * ts, from += 4 * fs) {
        memcpy(a, from, len);
        memcpy(b, from + fs, len);
        memcpy(c, from + 2 * fs, len);
        memcpy(d, from + 3 * fs, len);
        memcpy(to, a, len);
        memcpy(to + ts, b, len);
        memcpy(to + 2 * ts, c, len);
        memcpy(to + 3 * ts, d, len);
    }
    for (; n; n--, to += ts, from += fs)
        memcpy(to, from, len);
}

/* By moves of size bytes, of which the last one ends where the block does. */
ALWAYS void moves(char *to, MPI_Aint ts, const char *from, MPI_Aint fs, size_t n,
                  const size_t len[2])
{
    for (; n; n--, to += ts, from += fs) {
        for (size_t i = 0; i + len[1] < len[0]; i += len[1])
            memcpy(to + i, from + i, len[1]);
        memcpy(to + len[0] - len[1], from + len[0] - len[1], len[1]);
    }
}

#define EXACTLY(size)                                                                              \
    case size:                                                                                     \
        exactly(to, ts, from, fs, n, size);                                                        \
        return

void copy_strided(char *to, MPI_Aint ts, const char *from, MPI_Aint fs, size_t n, size_t len)
{
    switch (len) {
        EXACTLY(1);
        EXACTLY(2);
        EXACTLY(3);
        EXACTLY(4);
        EXACTLY(5);
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
    if (len < 16)
        moves(to, ts, from, fs, n, (size_t[]) { len, len < 8 ? 4 : 8 });
    else if (len <= 128)
        moves(to, ts, from, fs, n, (size_t[]) { len, 16 });
    else
        for (; n; n--, to += ts, from += fs)
            memcpy(to, from, len);
}
