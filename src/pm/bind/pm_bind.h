/* pm_bind.h — which CPUs each rank of a host is bound to: from what starling_topo says about the
 * machine, and from the options -bind-to and -map-by. Nothing here makes system calls. */
#ifndef PM_BIND_H
#define PM_BIND_H

#include "pm/bind/pm_cpus.h"

/* The kinds of objects of a machine, as hwloc calls them, the largest first; but a NUMA node may be
 * in a package, or in an l3cache, or have several of them. */
enum pm_level {
    PM_MACHINE,
    PM_PACKAGE,
    PM_NUMA,
    PM_L3,
    PM_L2,
    PM_L1,
    PM_CORE,
    PM_HWTHREAD,
    PM_LEVELS
};
extern const char *const pm_level_name[PM_LEVELS];

struct pm_topology {
    struct pm_cpus allowed; /* to processes of this job */
    struct pm_objects {
        struct pm_cpus *object; /* in the order of hwloc: neighbors are close */
        int count;
    } level[PM_LEVELS];
};

/* topology.c: reads the text that starling_topo prints. NULL with a sentence in why. */
struct pm_topology *pm_topology_parse(const char *text, size_t len, char *why, size_t size);
void pm_topology_free(struct pm_topology *t);

struct pm_bind { /* what the options say; a zeroed struct binds nothing */
    enum pm_bind_how {
        PM_BIND_DEFAULT,
        PM_BIND_NONE,
        PM_BIND_OBJECTS,
        PM_BIND_RR,
        PM_BIND_USER
    } how;
    enum pm_level to; /* with PM_BIND_OBJECTS: a rank gets `count` objects of this kind */
    int count;
    const char *user; /* with PM_BIND_USER: sets of CPUs, as "0+2,1" */
    enum pm_map_by { PM_MAP_DEFAULT, PM_MAP_SLOT, PM_MAP_NODE, PM_MAP_OBJECTS } map;
    enum pm_level by; /* with PM_MAP_OBJECTS: each rank takes the next `stride` of this kind */
    int stride;
    int in_a_row; /* of ppr: the number of ranks before the next object, or node; 0: no ppr */
    int pe;       /* of pe=: cores or hardware threads for each rank; 0: not given */
};

/* policy.c: read the values of -bind-to, -map-by and -membind. -EINVAL with a clause in why, which
 * completes "'-bind-to x': ". */
int pm_bind_to(struct pm_bind *b, const char *value, char *why, size_t len);
int pm_bind_map(struct pm_bind *b, const char *value, char *why, size_t len);
int pm_bind_memory(const char *value, char *why, size_t len);
/* When all options have been read: -EINVAL with a sentence in why if they contradict each other. */
int pm_bind_finish(struct pm_bind *b, char *why, size_t len);
bool pm_bind_wanted(const struct pm_bind *b);
/* Whether both say the same, by the same text of the user. */
bool pm_bind_same(const struct pm_bind *a, const struct pm_bind *b);
bool pm_bind_needs_topology(const struct pm_bind *b);

/* places.c: fills set[i] for each of the ranks of a host, i being their number there. least[i]:
 * the CPUs that rank needs. t may be NULL with PM_BIND_USER. -ENOMEM. */
int pm_bind_places(const struct pm_bind *b, const struct pm_topology *t, const int *least,
                   int ranks, struct pm_cpus *set);
/* The kind of objects that stands for one that the machine does not have: the smallest of the
 * larger ones. The same, if it has it. */
enum pm_level pm_bind_level(const struct pm_topology *t, enum pm_level level);

/* draw.c: draws the machine, and which of its CPUs are in the set, as "[B./..|../..][--/..]": a
 * package in brackets, its cores between slashes or, where another NUMA node begins, a bar. Each
 * hardware thread is B when it is in the set, '.' when it is allowed, or '-'. */
void pm_bind_draw(const struct pm_topology *t, const struct pm_cpus *set, char *text, size_t len);

#endif /* PM_BIND_H */
