/* pm_answer.h — mpiexec answers the calls of proxies, or of others: pm_call.h. */
#ifndef PM_ANSWER_H
#define PM_ANSWER_H

#include "pm/channel/pm_remote.h"
#include "pm/seal/pm_call.h"

struct pm_answer_events {
    void *owner;
    /* A caller that knows the secret is there. The owner takes fd and seal, or refuses: -errno. */
    int (*take_call)(void *owner, const char *name, int fd, struct pm_seal *seal);
};

struct pm_answers;

/* Listens at one of the ports, and writes the line for callers. NULL with errno. */
struct pm_answers *pm_answers_open(const struct pm_answer_events *events,
                                   const struct pm_ports *ports, char *line, size_t len);
void pm_answers_close(struct pm_answers *a); /* also from take_call(); no calls come any more */

#endif /* PM_ANSWER_H */
