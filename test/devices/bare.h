/* bare.h — the handshake of sockets spoken by hand, over a bare socket, by a stranger to rank 0. */
#ifndef BARE_H
#define BARE_H

#include "sockets_impl.h"

struct sock_auth bare_auth(void); /* what an insider knows */
int bare_connect(void);           /* connects to rank 0; receiving ends after a few seconds */
int bare_listen(uint16_t *port);
int bare_accept(int listener, struct sock_transcript *t); /* and hears a hello */
void bare_send(int fd, const void *data, size_t len);
bool bare_receive(int fd, void *data, size_t len); /* all of it */
void bare_expect_end(int fd); /* the other side must close, and say nothing more; closes fd */
/* A fresh hello, into the place of its role. */
void bare_hello(struct sock_transcript *t, enum sock_role role, int from, int to);
/* Calls rank 0 in the name of `from` and hears the answer. */
int bare_handshake(struct sock_transcript *t, int from, unsigned char mac[SOCK_MAC]);

#endif /* BARE_H */
