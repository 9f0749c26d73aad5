/* listen.h — what the library writes to standard error while a program does something. */
#ifndef LISTEN_H
#define LISTEN_H

#include <unistd.h>
#include "mpitest.h"

enum { LISTEN_MAX = 4096 };

/* The text that this process writes to standard error meanwhile; text has room for LISTEN_MAX
 * bytes. */
static inline void listen(void (*act)(void), char *text)
{
    FILE *file = tmpfile();
    int kept = dup(2);

    CHECK(file && kept >= 0);
    fflush(stderr);
    CHECK(dup2(fileno(file), 2) == 2);
    act();
    fflush(stderr);
    CHECK(dup2(kept, 2) == 2);
    close(kept);
    rewind(file);
    text[fread(text, 1, LISTEN_MAX - 1, file)] = '\0';
    fclose(file);
}

#endif /* LISTEN_H */
