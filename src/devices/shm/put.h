/* put.h — writes to peers' memory. */
#ifndef PUT_H
#define PUT_H

#include <stdbool.h>
#include "devices/device.h"

void shm_put(struct dev_peer *to, struct dev_put *op);
bool shm_put_poll(void);

#endif /* PUT_H */
