/* arrivals.h — the upcalls of the inner device, and the packets that they have queued. */
#ifndef ARRIVALS_H
#define ARRIVALS_H

#include "devices/chaos/record.h"

int chaos_recv(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload);
int chaos_recv_begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target);
void chaos_recv_end(struct dev_target *target, int err);
bool chaos_hand_on(struct chaos_peer *p); /* true if anything moved */
bool chaos_holds_arrivals(const struct chaos_peer *p);
void chaos_end_arrivals(struct chaos_peer *p, int err);

#endif /* ARRIVALS_H */
