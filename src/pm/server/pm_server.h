/* pm_server.h — the PMI server of one job, without any input or output of its own.
 *
 * The owner hands in the bytes that a rank's connection brings and sends the bytes it is given; it
 * tells when a rank can send no more. Whatever a rank sends can at worst end its own job. */
#ifndef PM_SERVER_H
#define PM_SERVER_H

#include <stddef.h>

enum { PM_SETTINGS_MAX = 60000 }; /* bytes of such a text, encoded, so that one line holds it */

enum pm_client_state {
    PM_CLIENT_NOT_JOINED, /* has never joined: not an MPI program, or not yet one */
    PM_CLIENT_JOINED,     /* has joined and owes a finalize */
    PM_CLIENT_FINALIZED,  /* has finalized; a shell's next command may join again */
};

/* What the server asks its owner to do. A rank is named with each. */
struct pm_events {
    void *owner;
    void (*send)(void *owner, int rank, const char *bytes, size_t len);
    /* The rank asks to end the job; why may be empty. */
    void (*abort)(void *owner, int rank, int code, const char *why);
    /* The job cannot go on. why continues the sentence "rank 3 ...". */
    void (*broken)(void *owner, int rank, const char *why);
    /* Something is wrong and the job goes on; continues the same sentence. */
    void (*warn)(void *owner, int rank, const char *what);
};

struct pm_server_config {
    int size;
    int universe;         /* MPI_UNIVERSE_SIZE, -1 when it is not known */
    const int *appnum;    /* of each rank; copied */
    const char *name;     /* of the job, unique; at most 200 letters */
    const char *settings; /* "A=1\nB=2" for the library, or NULL */
    /* What was said of each program, by appnum: "maxprocs=4\nhost=a"; or NULL. */
    const char *const *programs;
};

struct pm_server;

/* NULL with errno ENOMEM, or EMSGSIZE when a text exceeds PM_SETTINGS_MAX. */
struct pm_server *pm_server_create(const struct pm_server_config *config,
                                   const struct pm_events *events);
void pm_server_destroy(struct pm_server *s);

void pm_server_input(struct pm_server *s, int rank, const char *bytes, size_t len);

/* The rank will send nothing more. broken() when others wait for it. */
void pm_server_gone(struct pm_server *s, int rank);

enum pm_client_state pm_server_client_state(const struct pm_server *s, int rank);

#endif /* PM_SERVER_H */
