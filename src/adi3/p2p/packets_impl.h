/* packets_impl.h — how packets go from the device to the row of their type. */
#ifndef PACKETS_IMPL_H
#define PACKETS_IMPL_H

#include "adi3/p2p/p2p_impl.h"

extern int packet_arriving; /* p2p_arriving() returns it */

int packet_whole(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload);
int packet_begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target);
void packet_end(struct dev_target *target, int err);

/* receive.c: messages, eager or announced */
extern const struct p2p_packet eager_packet, rts_packet;
/* packet_handlers.c: packets that name a request */
extern const struct p2p_packet cts_packet, data_packet, fin_packet;
/* Sets where the payload of the message that r receives goes. */
void target_request(struct dev_target *target, struct adi3_request *r);

#endif /* PACKETS_IMPL_H */
