/* sends.h — packets on their way out. */
#ifndef SENDS_H
#define SENDS_H

#include "devices/chaos/record.h"

int chaos_inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data);
int chaos_inject_plain(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag,
                       const void *data, size_t len);
void chaos_send(struct dev_peer *to, struct dev_send *op);
bool chaos_push(struct chaos_peer *p); /* true if anything moved */
void chaos_end_sends(struct chaos_peer *p, int err);

/* Writes and atomic operations on the peer's memory (rma.c): some fail, others are held back and go
 * on in any order. */
void chaos_put(struct dev_peer *to, struct dev_put *op);
bool chaos_push_puts(struct chaos_peer *p);
void chaos_end_puts(struct chaos_peer *p, int err);
void chaos_atomic(struct dev_peer *to, struct dev_atomic *op);
bool chaos_push_atomics(struct chaos_peer *p);
void chaos_end_atomics(struct chaos_peer *p, int err);

#endif /* SENDS_H */
