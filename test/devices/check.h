/* check.h — CHECK ends a test process where it went wrong; unlike assert, NDEBUG does not remove
 * it. A forked process must not run its parent's exit handlers, hence _exit. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <unistd.h>

#define CHECK(c)                                                                                   \
    do {                                                                                           \
        if (!(c)) {                                                                                \
            (void) fprintf(stderr, "%s:%d: pid %d: %s\n", __FILE__, __LINE__, (int) getpid(), #c); \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

#endif /* CHECK_H */
