/* connect.h — connected jobs: how processes of different jobs are introduced to each other
 * (introduce.c), and that they end together (connected.c).
 *
 * Uses base, proc, progress, p2p and comm; used by job. In MPICH: MPID_Comm_connect and
 * MPID_Comm_accept, without ports. */
#ifndef CONNECT_H
#define CONNECT_H

#include "adi3/adi3_connect.h"

/* end: ends this job, when a connected one aborts. */
int connect_init(void (*end)(int exit_code, const char *why));

bool connected_any(void);
/* Tells the connected peers the end of this job and waits for the end of theirs. All processes of
 * our job are in MPI_Finalize. */
void connected_end_exchange(void);
void connected_abort(int exit_code); /* tells the connected peers that this job aborts */
void connected_finalize(void);

#endif /* CONNECT_H */
