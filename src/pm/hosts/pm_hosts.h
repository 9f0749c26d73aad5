/* pm_hosts.h — the hosts that a job may use, and the host of each of its ranks.
 *
 * A list of hosts comes from names on the command line, from a host file, or from the resource
 * manager of an allocation. The functions read files and environment variables, and do nothing
 * else. Functions that return int return 0, or -EINVAL with a sentence in hosts->why that names the
 * file, line or variable, and the value. */
#ifndef PM_HOSTS_H
#define PM_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

enum {
    PM_HOSTS_MAX = 100000, /* names in a list */
    PM_SLOTS_MAX = 100000, /* slots of a host */
    PM_HOST_NAME_MAX = 255,
    PM_WHY_MAX = 512,
};

struct pm_host_entry {
    char *name;     /* as the user wrote it; an IPv6 address has no brackets */
    char *user;     /* of the host; NULL: not given */
    char *arch;     /* its architecture; NULL: not given */
    char *binding;  /* of its ranks to CPUs; NULL: not given */
    int line;       /* of the file, where that is */
    int slots;      /* ranks that the host has room for; in a list at least 1 */
    int max_slots;  /* the most ranks that the host takes; 0: any number */
    int ranks;      /* that have been placed there */
    bool given;     /* slots were given, by a number or by several mentions of the host */
    bool allocated; /* by a resource manager */
    bool here;      /* it is the node of mpiexec; for the owner of the list */
};

/* A zeroed struct is an empty list. Each host is in it once, also when it was named several times:
 * its slots add up. */
struct pm_hosts {
    struct pm_host_entry **entry;
    size_t count, room;
    void *index;         /* the entries by name */
    const char *manager; /* the resource manager that named hosts: slurm, pbs, lsf, sge; or NULL */
    const char *source;  /* what is being read: a file, a variable, an option */
    int line;            /* of a file; 0: none */
    char why[PM_WHY_MAX];
};

/* Adds hosts to the list.
 * A list such as "a,b:2,node[01-12,20],user@c,[fe80::1]:4", from an option called source. */
int pm_hosts_from_names(struct pm_hosts *h, const char *source, const char *names);
/* A file with a host on each line: "a:2", or "a slots=2 max_slots=4 user=me arch=x86_64". */
int pm_hosts_from_file(struct pm_hosts *h, const char *path);
/* The allocation of a resource manager that an option called source names: slurm, pbs, lsf or sge.
 * NULL: the one that there is; no hosts are added when there is none. */
int pm_hosts_from_manager(struct pm_hosts *h, const char *source, const char *manager);
void pm_hosts_free(struct pm_hosts *h);

/* Writes an error to why, after its source, and returns -EINVAL. */
int pm_hosts_refuse(struct pm_hosts *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* What errors are about from now on: a file, variable or option, and the line. */
void pm_hosts_at(struct pm_hosts *h, const char *source, int line);

/* The hosts that ranks of a program may be placed on. */
struct pm_choice {
    size_t host; /* its number in the list */
    int slots;   /* for this program */
};
struct pm_choices {
    struct pm_choice *of;
    size_t count;
};

/* Fills c: the first hosts of the list, so many. */
int pm_choose_first(struct pm_hosts *h, size_t count, struct pm_choices *c);
/* Fills c: hosts by their names; those that are not in the list are added. Without a number of
 * slots a host has as many as in the list. */
int pm_choose_names(struct pm_hosts *h, const char *source, const char *names,
                    struct pm_choices *c);

enum pm_order { PM_AS_GIVEN, PM_ASCENDING, PM_DESCENDING }; /* of hosts, by their slots */

struct pm_layout {
    bool by_node;   /* a rank on each host in turn; otherwise the slots of a host, then the next */
    int per_host;   /* instead of the slots of each host; 0: the slots */
    bool strict;    /* no more ranks than slots */
    bool skip_here; /* no ranks on the node of mpiexec */
    enum pm_order order;
};

static inline bool pm_layout_same(const struct pm_layout *a, const struct pm_layout *b)
{
    return a->by_node == b->by_node && a->per_host == b->per_host && a->strict == b->strict
           && a->skip_here == b->skip_here && a->order == b->order;
}

/* Drops hosts that the layout or the architecture (NULL: any) excludes, and sorts the others. */
int pm_choices_restrict(struct pm_hosts *h, struct pm_choices *c, const struct pm_layout *l,
                        const char *arch);

/* How many ranks give each slot one, or each of l->per_host; at most INT_MAX. */
int pm_choices_slots(const struct pm_hosts *h, const struct pm_choices *c,
                     const struct pm_layout *l);
/* How many of those are free: no rank has been placed there. */
int pm_choices_free(const struct pm_hosts *h, const struct pm_choices *c,
                    const struct pm_layout *l);
/* How many ranks may be placed in addition to those that have been; INT_MAX: any number. */
int pm_choices_room(const struct pm_hosts *h, const struct pm_choices *c,
                    const struct pm_layout *l);

/* Places the ranks of a program. When the slots of all its hosts are taken, the hosts are filled
 * once more, but not beyond their max_slots. host: the number of the host of each rank. */
int pm_hosts_place(struct pm_hosts *h, const struct pm_layout *l, const struct pm_choices *c,
                   int count, int *host);

/* A whole file, ended by NUL, for the caller to free; NULL with errno. */
char *pm_read_text(const char *path, size_t *len);

#endif /* PM_HOSTS_H */
