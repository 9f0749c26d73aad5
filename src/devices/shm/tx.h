/* tx.h — the path out. */
#ifndef TX_H
#define TX_H

#include "devices/shm/peer.h"

extern struct shm_peer *shm_sending; /* list of peers with packets that wait for credit */
extern int shm_refused; /* peers for which this process has found no memory for a ring */
void shm_set_refused(struct shm_tx *t, bool refused);
int shm_inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data);
int shm_inject_plain(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag, const void *data,
                     size_t len);
void shm_send(struct dev_peer *to, struct dev_send *op);
bool shm_flush(void);                      /* writes what waits; true if anything was written */
void shm_sending_drop(struct shm_peer *p); /* p is gone: takes it out of that list */
/* The entries of a cooperative copy. */
bool shm_coop_call(struct shm_peer *p);     /* asks the sender; false: there is no credit */
bool shm_coop_has_credit(struct shm_tx *t); /* for a chunk of shm_frag_later() bytes */
void shm_coop_write(struct shm_peer *p, int coop, const struct dev_send *message, size_t at,
                    size_t len);

#endif /* TX_H */
