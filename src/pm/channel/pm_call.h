/* pm_call.h — proxies that connect to mpiexec, because what started them gives them no channel.
 *
 * Standard input of the proxy is one line: "starling SECRET PORT ADDRESS...", the secret in
 * hexadecimal digits, the addresses numeric. Then, over a connection:
 *
 *     mpiexec  32 bytes: its challenge
 *     proxy    32 bytes: its challenge; then sealed: "NAME\n", the host that it is on
 *     mpiexec  the header of its sealed stream, which says that the call is accepted
 *     both     sealed: the greeting, and frames
 */
#ifndef PM_CALL_H
#define PM_CALL_H

#include "pm/channel/pm_remote.h"
#include "pm/channel/pm_seal.h"

enum { PM_CALL_LINE = 2048, PM_CALL_NAME = 256 };

struct pm_answer_events {
    void *owner;
    /* A proxy that knows the secret is there. The owner takes fd and seal, or refuses: -errno. */
    int (*called)(void *owner, const char *host, int fd, struct pm_seal *seal);
};

struct pm_answers;

/* answer.c: listens at one of the ports, and writes the line for proxies. NULL with errno. */
struct pm_answers *pm_answers_open(const struct pm_answer_events *events,
                                   const struct pm_ports *ports, char *line, size_t len);
void pm_answers_close(struct pm_answers *a); /* also from called(); no calls come any more */

/* call.c, in a proxy: connects to mpiexec. Returns the connection and its seal, or -errno with the
 * end of the sentence "its proxy ..." in why. */
int pm_call(struct pm_seal **seal, char *why, size_t len);

#endif /* PM_CALL_H */
