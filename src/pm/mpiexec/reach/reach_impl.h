/* reach_impl.h — the commands that start proxies on other hosts. */
#ifndef REACH_IMPL_H
#define REACH_IMPL_H

#include "pm/mpiexec/reach/mpiexec_reach.h"

enum { PM_WORDS_MAX = 128, PM_PATH_MAX = 4096 };

/* A command, whose standard input and output are the channel to the proxy. */
struct pm_proxy_command {
    char *word[PM_WORDS_MAX + 1]; /* ended by NULL */
    size_t words;
    char path[PM_PATH_MAX]; /* the file of the proxy there */
    int err;                /* errno: it could not be made */
    char *launcher;         /* the name of what reaches the host; NULL: the proxy is here */
    bool step;              /* the command is for all hosts: pm_step_create() */
};

/* proxy_command.c: makes the command for a host. -EINVAL with a sentence in why; it must be freed
 * in any case. */
int pm_proxy_command_make(const struct pm_spec *s, const struct pm_host_entry *e,
                          struct pm_proxy_command *c, char *why, size_t len);
void pm_proxy_command_free(struct pm_proxy_command *c);

/* place.c: whether ranks can be started there, or it was lost with ranks. One that could not be
 * reached for a job may be tried again. */
bool pm_host_is_known(const struct pm_host *h);

void pm_mark_here(struct pm_spec *s); /* find_hosts.c: which hosts are the node of mpiexec */

/* srun.c: whether this srun has --external-launcher, as that of Slurm 23.11 and later. */
bool pm_srun_is_recent(const char *program);

/* host_node.c: makes the node of a host. Its run, number, name and size are set. As pm_place(). */
int pm_host_open(struct pm_host *h, const struct pm_host_entry *entry,
                 int hosts, /* that are opened with it, in all */
                 bool inside /* mpiexec */);

#endif /* REACH_IMPL_H */
