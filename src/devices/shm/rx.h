/* rx.h — the path in: both return true if anything moved. */
#ifndef RX_H
#define RX_H

#include <stdbool.h>

bool shm_rx_poll_rings(void);
bool shm_rx_poll_fifo(void);

#endif /* RX_H */
