/* graph_model.h — the schedule of graph.c, and what each process must find. See graph_model.c. */
#ifndef GRAPH_MODEL_H
#define GRAPH_MODEL_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

enum { GRAPH_JOBS = 1 << 14, GRAPH_PROCESSES = 1 << 15, GRAPH_MEMBERS = 20, GRAPH_OBJECTS = 48 };

/* Processes are counted through all jobs. What is made of a group links its members. */
struct graph_group {
    int size;
    int16_t member[GRAPH_MEMBERS];
};

enum graph_kind { GRAPH_INTRA, GRAPH_INTER, GRAPH_WINDOW, GRAPH_FILE };

struct graph_object {
    enum graph_kind kind;
    struct graph_group group[2]; /* the second one is empty but of an intercommunicator */
    MPI_Comm comm;               /* these are set in the members */
    MPI_Win win;
    MPI_File file;
    char *memory; /* of the window */
};

struct graph {
    uint64_t random;
    int step;
    bool tells;                /* what happens is printed */
    char *data;                /* of what is sent, and behind it of what is received */
    int jobs, processes, me;   /* me: this process */
    int first[GRAPH_JOBS + 1]; /* process of each job, and behind the last one */
    int job[GRAPH_PROCESSES];  /* of each process */
    int objects;
    struct graph_object *object[GRAPH_OBJECTS];
    bool freed[GRAPH_PROCESSES]; /* an object that was freed links it and this one */
};

/* The environment says which jobs there are; `me` is set by it and the rank in the job. */
void graph_begin(struct graph *g, uint64_t seed, int rank);
int graph_draw(struct graph *g, int below);
/* Returns the number of the new job. */
int graph_add_job(struct graph *g, int size);
void graph_job(const struct graph *g, int job, struct graph_group *members);
int graph_rank(const struct graph_group *g, int process); /* -1: it is no member */
bool graph_disjoint(const struct graph_group *a, const struct graph_group *b);
/* Which of the object's groups this process is in, -1: none. */
int graph_side(const struct graph *g, const struct graph_object *o);
struct graph_object *graph_add(struct graph *g, enum graph_kind kind, const struct graph_group *a,
                               const struct graph_group *b);
/* The object is no more; freed: it links its members still. */
void graph_remove(struct graph *g, int at, bool freed);

struct graph_links {
    int processes, jobs; /* of other jobs that are linked with this process */
};
struct graph_links graph_links(const struct graph *g);

#endif /* GRAPH_MODEL_H */
