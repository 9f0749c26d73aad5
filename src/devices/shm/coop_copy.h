/* coop_copy.h — cooperative copies: their receiver's and sender's side. */
#ifndef COOP_COPY_H
#define COOP_COPY_H

#include "devices/shm/peer.h"

extern bool shm_coop_active; /* there is work for shm_coop_poll() */
void shm_get(struct dev_peer *from, struct dev_get *op);
int shm_coop_arrived(struct shm_peer *p, const struct shm_coop_frag *e, uint64_t word);
void shm_coop_join(struct shm_peer *p); /* p asks this process to take part */
bool shm_coop_poll(void);
void shm_coop_drop(struct shm_peer *p); /* p is gone: takes it out of all lists */
void shm_coop_close(void);

#endif /* COOP_COPY_H */
