/* spawn_peer.h — the launcher of a PMI client that asks for processes, in tests: the test says what
 * that answers. */
#ifndef SPAWN_PEER_H
#define SPAWN_PEER_H

#include "pm/pmi/pmi_impl.h"

enum { TIME_LIMIT_S = 40 };

#define GET "cmd=get kvsname=kvs_1 key=card\n"

extern int server; /* its end of the connection */
extern const struct pmi_spawn_program one;

void say(const char *text);
void hear(const char *expected); /* all that the client has sent */
void join(bool starling);        /* a server: that of Starling's mpiexec, or another one */
int leave(void **state);
struct pmi_spawn *start(void); /* two processes of one */
/* A server that has given the spawn a number is told that it is connected. */
void succeeds(struct pmi_spawn *s, int first, int second);
void fails(struct pmi_spawn *s, int err, const char *why);
void get(void);

#endif /* SPAWN_PEER_H */
