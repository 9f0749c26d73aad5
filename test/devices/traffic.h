/* traffic.h — messages that know what they must look like when they arrive. */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include "devices/device.h"

enum traffic_how { INJECT, SEND }; /* INJECT: like SEND when the device takes no such size */

/* Sends message number 0, 1, 2 ... to this peer; polls while the device answers DEV_AGAIN. */
void traffic_send(int to, size_t size, enum traffic_how how);
/* Hands over one message without ever polling; false: it was not taken. */
bool traffic_try_inject(int to, size_t size);
int traffic_pending(void);      /* operations whose done() has not been called */
int traffic_failed(void);       /* those that ended with an error */
uint32_t traffic_got(int from); /* messages that came from this peer, whole and in order */
uint32_t traffic_sent(int to);
size_t traffic_last_size(void);     /* of the message that came last */
int traffic_lost(int rank);         /* how often peer_lost named it */
int traffic_lost_error(int rank);   /* and with which error */
int traffic_open_targets(int from); /* payloads of this peer under way */
int traffic_broken_payloads(void);
uint64_t traffic_again(void); /* how often the device answered DEV_AGAIN */
bool traffic_idle(void);      /* no operation and no target is open */
extern int traffic_echo;      /* messages to answer with one of the same size, from the upcall */
extern int traffic_follow;    /* messages to send from within done() */
extern bool traffic_expect_loss;
extern bool traffic_refuse; /* the next packet: says that its sender breaks the protocol */

/* What the device calls. */
void traffic_reset(void);
int traffic_recv(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload);
int traffic_recv_begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target);
void traffic_recv_end(struct dev_target *target, int err);
void traffic_peer_lost(struct dev_peer *peer, int err);

#endif /* TRAFFIC_H */
