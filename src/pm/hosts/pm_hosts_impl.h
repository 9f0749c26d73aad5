/* pm_hosts_impl.h — what the files of this room share. */
#ifndef PM_HOSTS_IMPL_H
#define PM_HOSTS_IMPL_H

#include "pm/hosts/pm_hosts.h"

/* list.c: adds a host, or what is said about it to one of that name. Texts are copied. slots may be
 * 0: not given. */
int pm_hosts_add(struct pm_hosts *h, const struct pm_host_entry *e);
/* The number of a host; h->count: there is none of that name. */
size_t pm_hosts_find(const struct pm_hosts *h, const char *name);

/* name.c: cuts "[user@]host[:slots]" into the fields of an entry, which point into text. */
int pm_parse_host(struct pm_hosts *h, char *text, struct pm_host_entry *e);
int pm_parse_slots(struct pm_hosts *h, const char *host, const char *what, const char *text,
                   int *slots);
/* A name of a user, an architecture or a binding: short, and without control characters. */
int pm_check_value(struct pm_hosts *h, const char *host, const char *what, const char *text);
/* A whole number of at most 9 digits, which ends after len bytes; -1: it is none. */
int pm_parse_digits(const char *text, size_t len);

/* expand.c: calls found for each name in a list of names, with a text that found may write to. */
int pm_expand(struct pm_hosts *h, const char *names, int (*found)(void *arg, char *name),
              void *arg);

/* file.c: calls found for each line, without its comment, that is not blank. */
int pm_each_line(struct pm_hosts *h, const char *path,
                 int (*found)(struct pm_hosts *h, char *line));

/* choose.c: the most ranks that a host may get; INT_MAX: any number. */
int pm_choice_limit(const struct pm_hosts *h, const struct pm_choice *c, const struct pm_layout *l);

/* slurm.c, manager.c: -ENOENT when mpiexec is not in an allocation of that manager. */
int pm_hosts_from_slurm(struct pm_hosts *h);

#endif /* PM_HOSTS_IMPL_H */
