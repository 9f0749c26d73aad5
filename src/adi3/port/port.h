/* port.h — ports: how two processes of different jobs get a socket between them, and prove to each
 * other that they know the name of the port.
 *
 * Uses connect for keys and proofs, progress for waiting, base and the table of devices; used by
 * job. In MPICH: MPID_Open_port, MPID_Comm_accept and MPID_Comm_connect, before they exchange
 * business cards. */
#ifndef PORT_H
#define PORT_H

#include "adi3/adi3_port.h"

int port_init(void);
void port_finalize(void); /* closes all ports */

#endif /* PORT_H */
