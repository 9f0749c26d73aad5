/* pmi_stand_in.h — how a process that no launcher has started gets one: attach.c. */
#ifndef PMI_STAND_IN_H
#define PMI_STAND_IN_H

/* mpiexec with this argument alone is a rank that stands in for the process at the other end of
 * standard input, a UNIX socket. It sends that its PMI socket (os_fd_send) and ends when the other
 * end has been closed. */
#define PMI_STAND_IN_ARGUMENT "--starling-stand-in"

#endif /* PMI_STAND_IN_H */
