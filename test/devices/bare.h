/* bare.h — the handshake of the sockets device with rank 0, done by the test over a bare socket. */
#ifndef BARE_H
#define BARE_H

#include "devices/sockets/sock_impl.h"

int bare_connect(void); /* connects to rank 0; receiving times out after a few seconds */
int bare_listen(uint16_t *port);
int bare_accept(int listener, struct sock_transcript *t); /* receives the hello too */
void bare_send(int fd, const void *data, size_t len);
bool bare_receive(int fd, void *data, size_t len); /* false: the connection ended before */
void bare_expect_end(int fd); /* the other side must close without sending more; closes fd */
/* Writes a new hello to its place in the transcript. */
void bare_hello(struct sock_transcript *t, enum sock_role role, int from, int to);
/* The same, with the sender's job. */
void bare_hello_of(struct sock_transcript *t, enum sock_role role, struct sock_name from, int to);
/* Connects to rank 0, sends the hello of rank `from` and receives the answer. */
int bare_handshake(struct sock_transcript *t, int from, unsigned char mac[SOCK_MAC]);

#endif /* BARE_H */
