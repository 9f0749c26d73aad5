/* pm_server.h — the PMI server of the jobs of one mpiexec, without any input or output of its own.
 *
 * Jobs are added while others run. They share the names of services; each has its own stores and
 * barriers. The owner of a job (mpiexec, or a test) passes in the bytes that arrive from a rank,
 * sends the bytes that the server returns, and reports when the connection of a rank has ended.
 * The worst that bytes of a rank can do is to end its own job. */
#ifndef PM_SERVER_H
#define PM_SERVER_H

#include <stdbool.h>
#include <stddef.h>

enum { PM_SETTINGS_MAX = 60000 }; /* bytes of settings, percent-encoded to fit a line */

enum pm_client_state {
    PM_CLIENT_NOT_JOINED, /* no init so far: perhaps no MPI program */
    PM_CLIENT_JOINED,     /* between init and finalize */
    PM_CLIENT_FINALIZED,  /* after finalize; the next program of a shell may join again */
};

/* Calls from the server to the owner of a job. Each names the rank that caused it. */
struct pm_note;
struct pm_spawn;
struct pm_spawn_result;

struct pm_events {
    void *owner;
    void (*send)(void *owner, int rank, const char *bytes, size_t len);
    /* Sends a line, and with it a descriptor of the memory of this number, which is made on the
     * node of the rank when the first one there gets it. Where that is not possible, sends the
     * other line alone. NULL: it is never possible. Memory PMI_CALLS is new, and of the rank alone:
     * pmi_calls.h. */
    void (*share)(void *owner, int rank, int memory, const char *line, const char *otherwise);
    void (*forget)(void *owner, int memory); /* no rank gets it any more */
    /* The rank has called MPI_Abort; why may be empty. */
    void (*abort)(void *owner, int rank, int code, const char *why);
    /* The job cannot continue. why completes the sentence "rank 3 ...". */
    void (*broken)(void *owner, int rank, const char *why);
    /* A warning, after which the job continues. what completes the same sentence. */
    void (*warn)(void *owner, int rank, const char *what);
    /* The rank asks for another job: pm_spawn.h, whose texts are gone when this returns. The answer
     * is pm_server_spawned(), now or later. Not on a hub. NULL: no jobs are spawned. */
    void (*spawn)(void *owner, int rank, int request, const struct pm_spawn *s);
    /* The rank, whose request has told so (pm_spawn.later), is connected to the job, or wants it to
     * be killed. As spawn(). */
    void (*verdict)(void *owner, int rank, int request, bool kill);
    /* Sends a note (pm_hub.h) to the root, which this server is not; or NULL. */
    void (*up)(void *owner, const struct pm_note *note);
    void (*down)(void *owner, int node, const struct pm_note *note); /* to a hub of this root */
};

struct pm_server_config {
    int size;
    const int *appnum;    /* the number of the program of each rank; copied */
    const int *node;      /* the number of the node of each rank */
    int hubs;             /* nodes that have a hub; 0: all ranks are connected to this server, */
    int here;             /* or, on a hub (with events.up), the ranks of the node `here` */
    const char *name;     /* of the job, unique; at most 200 letters */
    const char *settings; /* "A=1\nB=2" for the library, or NULL */
    /* For each appnum the arguments of mpiexec about that program, "maxprocs=4\nhost=a"; or
     * NULL. Its end is NULL. */
    const char *const *programs;
    const char *spawner;       /* the name of the job that has spawned this one, or NULL */
    const char *const *preput; /* in the store from the start: "key", "value", ..., NULL; or NULL */
    bool survives;   /* deaths of ranks: barriers then wait for those that can still enter them */
    const int *said; /* MPI_APPNUM of each rank; copied. NULL: the numbers of the programs */
};

struct pm_server;
struct pm_server_job;

/* universe: MPI_UNIVERSE_SIZE, -1 when it is not known. NULL: no memory. */
struct pm_server *pm_server_create(int universe);
void pm_server_destroy(struct pm_server *s); /* and its jobs */

/* NULL with errno ENOMEM, or EMSGSIZE when a text exceeds PM_SETTINGS_MAX or a key its length. */
struct pm_server_job *pm_server_add_job(struct pm_server *s, const struct pm_server_config *config,
                                        const struct pm_events *events);

/* Its ranks have ended, and nothing more comes of it. What it has published is not known any
 * more. */
void pm_server_remove_job(struct pm_server *s, struct pm_server_job *j);

/* Handles bytes that arrived from a rank, in parts of any size. */
void pm_server_input(struct pm_server_job *j, int rank, const char *bytes, size_t len);

/* The connection of the rank has ended. Calls broken() when other ranks wait for this one. */
void pm_server_gone(struct pm_server_job *j, int rank);

/* The same, of a rank that was lost together with its hub. */
void pm_server_lost(struct pm_server_job *j, int rank);

/* No process of the job runs any more: what it has published is no longer known. */
void pm_server_ended(struct pm_server_job *j);

/* The rank reads no replies any more. Call it in a hub before the owner of the root learns that. */
void pm_server_closing(struct pm_server_job *j, int rank);

/* The answer to events.spawn(): the job that the rank has asked for has started, or it has not. */
void pm_server_spawned(struct pm_server_job *j, int rank, int request,
                       const struct pm_spawn_result *r);

/* The job, whose rank has asked for it with pm_spawn.later, has started and then failed. */
void pm_server_spawn_lost(struct pm_server_job *j, int rank, int request, const char *why);

/* In a root with hubs, FINALIZED when another rank of the node has joined, until its connection
 * ends. */
enum pm_client_state pm_server_client_state(const struct pm_server_job *j, int rank);

#endif /* PM_SERVER_H */
