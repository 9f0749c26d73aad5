/* abstract.h — abstract sockets by which singletons and jobs of a test find each other. */
#ifndef ABSTRACT_H
#define ABSTRACT_H

#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "mpitest.h"

static inline socklen_t abstract_address(const char *name, struct sockaddr_un *a)
{
    memset(a, 0, sizeof *a);
    a->sun_family = AF_UNIX;
    CHECK(strlen(name) < sizeof a->sun_path - 1);
    (void) strcpy(a->sun_path + 1, name);
    return (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
}

static inline int abstract_listen(const char *name, int backlog)
{
    struct sockaddr_un a;
    socklen_t len = abstract_address(name, &a);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CHECK(s >= 0 && !bind(s, (struct sockaddr *) &a, len) && !listen(s, backlog));
    return s;
}

/* The listener may come later. */
static inline int abstract_connect(const char *name)
{
    struct sockaddr_un a;
    socklen_t len = abstract_address(name, &a);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    for (int i = 0; connect(s, (struct sockaddr *) &a, len); i++) {
        CHECK(s >= 0 && i < 20000);
        (void) usleep(1000);
    }
    return s;
}

#endif /* ABSTRACT_H */
