/* adi3_port.h — ports: processes of any two jobs that know a port's name get a connected socket and
 * a key, from which mpir_connect() makes a communicator.
 *
 * For src/mpi/dynamic. A process opens a port and gives its name to others by hand, by a file or by
 * a name service. The name has all that is needed to reach the process, and a key that both ends
 * prove to each other. It has no blanks, and fits a value of an info object. */
#ifndef ADI3_PORT_H
#define ADI3_PORT_H

#include "adi3/adi3_connect.h"

struct adi3_port_options {
    const char *ip_address; /* an address, a network or an interface of this host; NULL: any */
    int ip_port;            /* 0: any */
};

struct adi3_port_link { /* what mpir_connect() needs */
    int fd;             /* the caller's */
    unsigned char key[ADI3_KEY];
};

struct adi3_port_wait {     /* how long accept and connect wait, while messages go on */
    int seconds;            /* negative: without end */
    int fd;                 /* the wait also wakes up when this one is readable; -1: none */
    int (*look)(void *arg); /* called at each turn; an error ends the wait with it; NULL: none */
    void *arg;
};

/* Opens a port, which lives until it is closed, or until MPI_Finalize. Errors: MPI_ERR_PORT,
 * MPI_ERR_INFO_VALUE for the options, MPI_ERR_NO_MEM. */
int adi3_port_open(const struct adi3_port_options *o, char name[MPI_MAX_PORT_NAME]);
/* Calls of adi3_port_accept() in other threads end with MPI_ERR_PORT. Errors: MPI_ERR_PORT when
 * this process has no such port. */
int adi3_port_close(const char *name);
/* Waits for a process that connects to a port of this process. They come in the order in which
 * they have proved that they know the name. Errors: MPI_ERR_PORT, also when time is up; those of
 * look. */
int adi3_port_accept(const char *name, const struct adi3_port_wait *w, struct adi3_port_link *link);
/* Connects to the port of another process, and waits until it is accepted there. Errors:
 * MPI_ERR_PORT, at once when there is no such port, and when time is up; those of look. */
int adi3_port_connect(const char *name, const struct adi3_port_wait *w,
                      struct adi3_port_link *link);

#endif /* ADI3_PORT_H */
