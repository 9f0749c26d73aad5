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
    FILE *heard = tmpfile();
    int kept = dup(2);

    CHECK(heard && kept >= 0);
    fflush(stderr);
    CHECK(dup2(fileno(heard), 2) == 2);
    act();
    fflush(stderr);
    CHECK(dup2(kept, 2) == 2);
    close(kept);
    rewind(heard);
    text[fread(text, 1, LISTEN_MAX - 1, heard)] = '\0';
    fclose(heard);
}

#endif /* LISTEN_H */
