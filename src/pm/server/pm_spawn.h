/* pm_spawn.h — a request of a rank for another job, and its answer. */
#ifndef PM_SPAWN_H
#define PM_SPAWN_H

#include <stdbool.h>
#include <stddef.h>

enum {
    PM_SPAWN_PROCESSES = 16000, /* of a job that is spawned: their error codes fit a line */
};

struct pm_spawn_pair {
    const char *key, *value;
};

struct pm_spawn_program {
    int maxprocs;
    char **argv; /* ended by NULL; [0] is the program */
    const struct pm_spawn_pair *info;
    size_t infos;
};

struct pm_spawn {
    struct pm_spawn_program *program; /* at least one */
    size_t programs;
    const char *cwd;              /* the directory of the spawner; NULL: it does not say */
    char **environ;               /* its environment, ended by NULL; NULL: likewise */
    bool later;                   /* the rank waits for no answer, and hears what follows */
    struct pm_spawn_pair *preput; /* keys that the job finds in its store */
    size_t preputs;
    char **words; /* what argv and info point into, and environ */
    struct pm_spawn_pair *pairs;
    char **variables;
};

struct pm_spawn_result {
    const char *why;   /* why no process runs; NULL: the job has started */
    const char *jobid; /* its name, or NULL */
    const int *error;  /* of each process of all programs: 0, or an errno. NULL: all are 0, or with
                        * `why` they are not known */
    size_t errors;
};

/* spawn_parse.c: reads the texts of a request (spawn.c). NULL; or why it is wrong, in text. *s
 * points into bytes and must be freed in any case. */
enum { PM_SPAWN_WHY = 160 };
const char *pm_spawn_parse(const char *bytes, size_t len, struct pm_spawn *s,
                           char text[PM_SPAWN_WHY]);
void pm_spawn_free(struct pm_spawn *s);

#endif /* PM_SPAWN_H */
